"""Bring memories from elsewhere: a plan that judges every one of them, then all of it in one transaction.

Everything waits for a person like any proposal. Only who owns the namespace and says "I have reviewed these" makes
memories of them at once (design section 4); they carry the actor ``import``.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor
from core.errors import Forbidden, Invalid
from core.models import Namespace
from core.services import audit
from decisions.services.exchange import Imported, choices_import
from integrations.importers.base import Found, Item
from integrations.services.bring_judge import Plan, judged
from memory.embedder import embed
from memory.inputs import Proposed, Vector
from memory.models import Source, TrustTier
from memory.services.candidates import candidate_propose
from memory.services.loading import memories_load
from transcripts.models import AgentSession
from transcripts.services.imports import ImportReport, transcript_import

CONVERSATIONS_AT_ONCE = 100
EMBED_AT_MOST = 400  # vectors compare meanings; a thousand of them take minutes, and words compare most


@dataclass
class Brought:
    """What became of it. ``proposed`` wait for a person, ``memories`` were reviewed by one, ``seen`` wait already."""

    plan: Plan
    proposed: int = 0
    seen: int = 0
    suppressed: int = 0
    memories: int = 0
    choices: Imported | None = None
    conversations: ImportReport | None = None


def bring_plan(*, user: User, namespace_id: uuid.UUID, found: Found, now: datetime) -> Plan:
    """Judge every entry, store nothing. Choices are brought and taken back, so that the plan says what would become
    of each. Raises NotFound, Paused, Invalid (``no_key``).
    """
    plan = judged(user=user, namespace_id=namespace_id, found=found, now=now)
    if plan.found.choices:
        with transaction.atomic():
            plan.choices = choices_import(user=user, lines=plan.found.choices, now=now)
            transaction.set_rollback(True)
    keys = {conversation["key"] for conversation in plan.found.conversations}
    plan.known_conversations = AgentSession.objects.visible_to(user).filter(key__in=keys).count()
    return plan


@transaction.atomic
def bring_apply(
    *, user: User, namespace_id: uuid.UUID, found: Found, reviewed: bool, now: datetime
) -> Brought:
    """Do what the plan says, or nothing. ``reviewed``: the person owns the namespace and vouches for all of it.

    Raises NotFound, Paused, Forbidden (``not_yours``), Invalid (``no_key``: choices enter under an agent key).
    """
    plan = judged(user=user, namespace_id=namespace_id, found=found, now=now)
    if reviewed and not plan.can_review:
        raise Forbidden(
            _("Only the person to whom the namespace belongs can vouch for all of it at once."),
            code="not_yours",
        )
    brought = Brought(plan)
    fresh = [row.item for row in plan.rows if row.verdict == "new"]
    if reviewed:
        brought.memories = _remember(fresh, plan, user, now)
    else:
        _propose(fresh, plan, brought, now)
    if plan.found.choices:
        brought.choices = choices_import(user=user, lines=plan.found.choices, now=now)
    if plan.found.conversations:
        brought.conversations = _converse(plan, user, now)
    audit.record(
        stream=audit.stream_of(plan.namespace.pk),
        verb="memory.imported",
        actor=Actor.person(user),
        object_type="namespace",
        object_id=plan.namespace.pk,
        data={"format": found.format, "reviewed": reviewed, "entries": len(plan.rows), "new": len(fresh)},
        now=now,
    )
    return brought


def _remember(items: Sequence[Item], plan: Plan, user: User, now: datetime) -> int:
    lines = [
        json.dumps(
            {
                "external_id": f"{plan.found.format}:{item.ref or text.sha256(item.text)[:24]}"[:200],
                "namespace": str(plan.namespace),
                "kind": item.kind,
                "content": item.text,
                "at": (item.at if item.at and item.at <= now else now).isoformat(),
            },
            ensure_ascii=False,
        )
        for item in items
    ]
    report = memories_load(user=user, lines=lines, actor=Actor.person(user), now=now)
    if report.problems:
        line, reason = report.problems[0]
        raise Invalid(f"{items[line - 1].place}: {reason}", code="invalid", field="files")
    return report.created


def _propose(items: Sequence[Item], plan: Plan, brought: Brought, now: datetime) -> None:
    made = embed([item.text for item in items]) if 0 < len(items) <= EMBED_AT_MOST else None
    vectors = [Vector(made[0], each) for each in made[1]] if made else [None] * len(items)
    for item, vector in zip(items, vectors, strict=True):
        since = f", written {item.at:%Y-%m-%d}" if item.at else ""
        outcome = candidate_propose(
            proposal=Proposed(
                namespace=plan.namespace,
                kind=item.kind,
                content=item.text,
                source=Source.IMPORT,
                trust=TrustTier.UNKNOWN,
                why=f"imported from {plan.found.format}, {item.place}{since}"[:300],
                extractor=f"import {plan.found.format}"[:60],
                vector=vector,
            ),
            now=now,
        )
        brought.proposed += outcome.result in ("created", "reopened")
        brought.seen += outcome.result == "sighted"
        brought.suppressed += outcome.result == "suppressed"


def _converse(plan: Plan, user: User, now: datetime) -> ImportReport:
    """In parts, so that a large export is not held in every form at once; the transaction is the caller's."""
    reference = plan.namespace.reference_for(user.pk, plan.namespace.owner.get_username())
    is_workspace = plan.namespace.type == Namespace.WORKSPACE
    report = ImportReport(f"{plan.found.format}.json")
    for start in range(0, len(plan.found.conversations), CONVERSATIONS_AT_ONCE):
        part = plan.found.conversations[start : start + CONVERSATIONS_AT_ONCE]
        report.add(
            transcript_import(
                user=user,
                data=json.dumps({"sessions": part}, ensure_ascii=False).encode(),
                filename=report.filename,
                persona=None if is_workspace else reference,
                workspace=reference if is_workspace else None,
                now=now,
            )
        )
    return report
