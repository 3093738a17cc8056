"""Bring memories from elsewhere: a plan that judges every one of them, then all of it in one transaction.

Everything waits for a person like any proposal. Only who owns the namespace and says "I have reviewed these" makes
memories of them at once (design section 4); they carry the actor ``import``.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor
from core.errors import Forbidden, Invalid, NotFound, Paused
from core.models import Namespace
from core.redact import redact
from core.services import audit
from decisions.services.exchange import Imported, choices_import
from integrations.importers.base import Found, Item
from integrations.importers.junk import junk_of
from memory.embedder import embed
from memory.inputs import Proposed, Vector
from memory.models import Candidate, Memory, Source, Tombstone, TrustTier
from memory.services.candidates import candidate_propose
from memory.services.loading import memories_load
from memory.services.tombstones import standing_tombstone
from transcripts.models import AgentSession
from transcripts.services.imports import ImportReport, transcript_import

# Why an entry is not brought, in the order in which a report tells it. ``new`` is.
VERDICTS = ("new", "known", "duplicate", "refused", "boot", "log", "scrap", "too_long")
JUNK = ("duplicate", "boot", "log", "scrap", "too_long")
EMBED_AT_MOST = 400  # vectors compare meanings; a thousand of them take minutes, and words compare most


@dataclass(frozen=True)
class Judged:
    """One entry, redacted, and what is to become of it. ``secrets`` counts what was cut out."""

    item: Item
    verdict: str
    secrets: int = 0


@dataclass
class Plan:
    """What would happen; nothing is stored. ``found`` holds the same, redacted, for later.

    ``choices``: what would become of the choices, None without any.
    """

    namespace: Namespace
    found: Found
    rows: list[Judged] = field(default_factory=list)
    secrets: int = 0
    can_review: bool = False
    choices: Imported | None = None
    known_conversations: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each verdict, all of them, in the order of the report."""
        counted = Counter(row.verdict for row in self.rows)
        return {verdict: counted[verdict] for verdict in VERDICTS}

    @property
    def junk_percent(self) -> int:
        junk = sum(self.counts[verdict] for verdict in JUNK)
        return round(100 * junk / len(self.rows)) if self.rows else 0

    @property
    def without_options(self) -> int:
        return sum(1 for row in self.rows if row.item.note == "no options" and row.verdict == "new")

    @property
    def is_empty(self) -> bool:
        adds_choices = self.choices is not None and bool(self.choices.created or self.choices.points)
        return not (self.counts["new"] or adds_choices or self.found.conversations)


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
    plan = _judged(user, namespace_id, found)
    if plan.found.choices:
        with transaction.atomic():
            plan.choices = choices_import(user=user, lines=plan.found.choices, now=now)
            transaction.set_rollback(True)
    keys = {conversation["key"] for conversation in plan.found.conversations}
    plan.known_conversations = AgentSession.objects.visible_to(user).filter(key__in=keys).count()
    return plan


def _judged(user: User, namespace_id: uuid.UUID, found: Found) -> Plan:
    space = _home(user, namespace_id)
    plan = Plan(space, replace(found, items=[], conversations=[]), can_review=space.owner_id == user.pk)
    known = _Known(space)
    for item in found.items:
        safe = redact(item.text)
        kept = replace(item, text=safe.text)
        plan.found.items.append(kept)
        plan.secrets += len(safe.found)
        plan.rows.append(Judged(kept, known.verdict(kept), len(safe.found)))
    plan.found.choices = [redact(line).text for line in found.choices]
    for conversation in found.conversations:
        clean, count = _clean(conversation)
        plan.found.conversations.append(clean)
        plan.secrets += count
    return plan


@transaction.atomic
def bring_apply(
    *, user: User, namespace_id: uuid.UUID, found: Found, reviewed: bool, now: datetime
) -> Brought:
    """Do what the plan says, or nothing. ``reviewed``: the person owns the namespace and vouches for all of it.

    Raises NotFound, Paused, Forbidden (``not_yours``), Invalid (``no_key``: choices enter under an agent key).
    """
    plan = _judged(user, namespace_id, found)
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


def _home(user: User, namespace_id: uuid.UUID) -> Namespace:
    space = Namespace.objects.reviewable_by(user).select_related("owner").filter(pk=namespace_id).first()
    if space is None:
        raise NotFound(_("There is no namespace that you can review there."), field="namespace")
    if space.is_paused:
        raise Paused(_("%(name)s is paused: nothing is stored there.") % {"name": space}, field="namespace")
    return space


class _Known:
    """What the namespace holds already, by normal form; and what came before in this very import."""

    def __init__(self, space: Namespace) -> None:
        self._space = space
        rows = Memory.objects.filter(namespace=space, status__in=["active", "superseded"])
        waiting = Candidate.objects.filter(namespace=space).exclude(status="rejected")
        self._held = set(rows.values_list("normal_hash", flat=True))
        self._held |= set(waiting.values_list("normal_hash", flat=True))
        self._seen: set[str] = set()
        stones = Tombstone.objects.filter(namespace=space, lifted_at=None)
        self._stones = set(stones.values_list("kind", flat=True))

    def verdict(self, item: Item) -> str:
        junk = junk_of(item.text)
        if junk:
            return junk
        digest = text.normal_hash(item.text)
        if digest in self._seen:
            return "duplicate"
        self._seen.add(digest)
        if digest in self._held:
            return "known"
        stone = item.kind in self._stones and standing_tombstone(
            namespace_id=self._space.pk, kind=item.kind, content=item.text, same=()
        )
        return "refused" if stone else "new"


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
    reference = plan.namespace.reference_for(user.pk, plan.namespace.owner.get_username())
    is_workspace = plan.namespace.type == Namespace.WORKSPACE
    return transcript_import(
        user=user,
        data=json.dumps({"sessions": plan.found.conversations}, ensure_ascii=False).encode(),
        filename=f"{plan.found.format}.json",
        persona=None if is_workspace else reference,
        workspace=reference if is_workspace else None,
        now=now,
    )


def _clean(conversation: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The conversation without secrets, and how many there were."""
    count = 0
    turns = []
    for turn in conversation["turns"]:
        messages = []
        for message in turn["messages"]:
            safe = redact(message["text"])
            count += len(safe.found)
            messages.append({**message, "text": safe.text})
        turns.append({**turn, "messages": messages})
    return {**conversation, "turns": turns}, count
