"""What of somebody's former memory is worth bringing: a verdict for every entry. Stores nothing."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core import text
from core.errors import NotFound, Paused
from core.models import Namespace
from core.redact import redact
from core.said import gettext_noop
from decisions.services.exchange import Imported
from integrations.importers.base import Found, Item
from integrations.importers.junk import junk_of
from memory.models import Candidate, Memory, Tombstone
from memory.services.tombstones import standing_tombstone
from transcripts.limits import CLOCK_SKEW

# Why an entry is not brought, in the order in which a report tells it. ``new`` is.
VERDICTS = ("new", "known", "duplicate", "refused", "boot", "log", "scrap", "too_long")
JUNK = ("duplicate", "boot", "log", "scrap", "too_long")


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


def judged(*, user: User, namespace_id: uuid.UUID, found: Found, now: datetime) -> Plan:
    """Every entry with its verdict, and all of it without secrets. Stores nothing. Raises NotFound, Paused."""
    space = _home(user, namespace_id)
    mine = replace(
        found,
        items=[],
        conversations=[],
        problems=list(found.problems),
        unsupported=Counter(found.unsupported),
    )
    plan = Plan(space, mine, can_review=space.owner_id == user.pk)
    known = _Known(space)
    for item in found.items:
        safe = redact(item.text)
        kept = replace(item, text=safe.text, at=_past(item, mine, now))
        plan.found.items.append(kept)
        plan.secrets += len(safe.found)
        plan.rows.append(Judged(kept, known.verdict(kept), len(safe.found)))
    plan.found.choices = [redact(line).text for line in found.choices]
    for conversation in found.conversations:
        clean, count = _clean(conversation, mine, now)
        plan.found.conversations.append(clean)
        plan.secrets += count
    return plan


def _past(item: Item, found: Found, now: datetime) -> datetime | None:
    """When it was written; a date to come is named, and not believed."""
    if item.at is None or item.at <= now + CLOCK_SKEW:
        return item.at
    found.unit = item.unit
    said = gettext_noop("%(value)s lies in the future; it was left out")
    found.problem(item.file, item.line, said, value=f"{item.at:%Y-%m-%d}")
    return None


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


def _clean(conversation: Mapping[str, Any], found: Found, now: datetime) -> tuple[dict[str, Any], int]:
    """The conversation without secrets and without times to come, and how many secrets there were."""
    count = 0
    turns = []
    for turn in conversation["turns"]:
        messages = []
        for message in turn["messages"]:
            safe = redact(message["text"])
            count += len(safe.found)
            messages.append({**message, "text": safe.text})
            at = message.get("at")
            if at and datetime.fromisoformat(at) > now + CLOCK_SKEW:
                messages[-1].pop("at")
                found.unsupported["time in the future"] += 1
        turns.append({**turn, "messages": messages})
    return {**conversation, "turns": turns}, count
