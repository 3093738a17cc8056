"""Put candidates where they belong without deciding: later, or in another namespace (review-ux lines 9 and 19)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Invalid, NotFound
from core.locks import lock
from core.models import Namespace
from memory.models import Candidate, Memory
from memory.services.blocks import blocks_of
from memory.services.transitions import OPEN, candidate_decide, candidate_for_review, change

SET_ASIDE = timedelta(days=1)


@dataclass(frozen=True)
class Moved:
    """A moved candidate, and what undo needs: where it was, and the memory it disagreed with there."""

    candidate: Candidate
    was_in: uuid.UUID
    conflicted_with: uuid.UUID | None


@transaction.atomic
def candidate_set_aside(
    *, candidate_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Candidate:
    """Out of sight until this time tomorrow. It stays pending and its thirty days go on."""
    return candidate_decide(
        candidate_id=candidate_id,
        version=version,
        user=user,
        verb="candidate.set_aside",
        set_aside_until=now + SET_ASIDE,
        now=now,
        group=group,
        data={"until": (now + SET_ASIDE).isoformat()},
    )


@transaction.atomic
def candidate_bring_back(
    *, candidate_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Candidate:
    """Back into the queue before its time, at its old place."""
    return candidate_decide(
        candidate_id=candidate_id,
        version=version,
        user=user,
        verb="candidate.brought_back",
        set_aside_until=None,
        now=now,
        group=group,
    )


@transaction.atomic
def candidate_move(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    namespace_id: uuid.UUID,
    now: datetime,
    group: uuid.UUID | None = None,
    conflicts_with: uuid.UUID | None = None,
) -> Moved:
    """Into another namespace that the person reviews; text, kind and clock stay.

    A conflict with a memory of the old namespace is not carried along: members of the new one may not read that memory.
    ``conflicts_with`` gives it back when the move is undone. Raises Conflict (``equal_waits``), NotFound, Forbidden.
    """
    candidate = candidate_for_review(candidate_id=candidate_id, user=user)
    namespace = Namespace.objects.reviewable_by(user).filter(pk=namespace_id).first()
    if namespace is None:
        raise NotFound(_("There is no namespace that you can review there."), field="namespace")
    if namespace.pk == candidate.namespace_id:
        raise Invalid(_("It is there already."), code="same_namespace", field="namespace")
    was = Moved(candidate, candidate.namespace_id, candidate.conflicts_with_id)
    lock(f"gate:{was.was_in}", f"gate:{namespace.pk}")
    rivals = Memory.objects.active().filter(namespace=namespace)
    rival = rivals.filter(pk=conflicts_with).first() if conflicts_with else None
    marks = set(candidate.flags) - {"conflicts"} | ({"conflicts"} if rival else set())
    change(
        candidate,
        version=version,
        allowed=OPEN,
        verb="candidate.moved",
        actor=Actor.of(user),
        namespace=namespace,
        blocks=blocks_of(namespace_id=namespace.pk, kind=candidate.kind, content=candidate.content),
        conflicts_with=rival,
        flags=sorted(marks),
        now=now,
        group=group,
        data={"from": str(was.was_in), "to": str(namespace.pk)},
    )
    return was
