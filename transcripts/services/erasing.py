"""Erase a person's conversations, and let go of a namespace that is about to vanish (deleting an account)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User

from core.models import Namespace
from core.services.namespaces import persona_default
from transcripts.models import AgentSession, Exposure, TurnPin


def sessions_erase(*, user: User) -> int:
    """Every session of the person with its turns, messages and exposures; returns how many there were.

    One by one: a session is what fits into memory. Quotes that became evidence in shared namespaces stay there.
    """
    erased = 0
    for session in AgentSession.objects.filter(user=user).only("pk"):
        session.delete()
        erased += 1
    return erased


def sessions_let_go(*, namespace: Namespace, now: datetime) -> int:
    """Conversations that other people held there are theirs: they keep them, under a persona of their own."""
    rows = AgentSession.objects.exclude(user=namespace.owner)
    moved = rows.filter(workspace=namespace).update(workspace=None)
    for session in rows.filter(persona=namespace).select_related("user"):
        home = persona_default(user=session.user, now=now)
        moved += AgentSession.objects.filter(pk=session.pk).update(persona=home)
    return moved


def traces_erase(*, memory_ids: Collection[uuid.UUID], candidate_ids: Collection[uuid.UUID]) -> None:
    """What was served of these memories, and what these candidates held against purging."""
    Exposure.objects.filter(record_type="memory", record_id__in=[str(pk) for pk in memory_ids]).delete()
    TurnPin.objects.filter(holder__in=[f"candidate:{pk}" for pk in candidate_ids]).delete()
