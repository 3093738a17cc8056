"""What notes are worth: uses apart from exposures, the price of the resident part (design section 6, Usage)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q, Sum

from core.models import Namespace
from core.text import tokens
from knowledge.models import Knowledge, KnowledgeUse, Summary
from knowledge.night.limits import PROTECTED_FOR
from transcripts.models import AgentSession, Exposure

WINDOW = timedelta(days=90)
MOST_SESSIONS = 500  # dots of the picture


@dataclass
class NoteUsage:
    """One note's record. ``called`` by ``#slug``, ``read`` on request; ``shown`` counts exposures by path.

    ``paid``: tokens of all exposures; ``line`` and ``body``: what its line before a session, and its text, cost now.
    """

    note: Knowledge
    line: int
    body: int
    called: int = 0
    read: int = 0
    last_use: datetime | None = None
    shown: dict[str, int] = field(default_factory=dict)
    paid: int = 0

    @property
    def uses(self) -> int:
        return self.called + self.read

    @property
    def exposures(self) -> int:
        return sum(self.shown.values())

    @property
    def resident(self) -> int:
        return self.shown.get("resident", 0)

    @property
    def ratio(self) -> float | None:
        """Uses for each exposure; None while it was never shown."""
        return self.uses / self.exposures if self.exposures else None

    def protected_until(self, now: datetime) -> datetime | None:
        """Until when the night shift leaves it alone; None when it need not."""
        until = self.last_use + PROTECTED_FOR if self.last_use else None
        return until if until and until > now else None


@dataclass(frozen=True)
class Paid:
    """What one session was given of this namespace's resident part, in tokens."""

    at: datetime
    tokens: int


def usage_of_notes(*, notes: Sequence[Knowledge]) -> list[NoteUsage]:
    """The record of each of these notes, in their order: two queries. The caller has checked who may see them."""
    found = {
        str(note.pk): NoteUsage(note, tokens(f"#{note.slug}: {note.description}"), tokens(note.body))
        for note in notes
    }
    used = KnowledgeUse.objects.filter(knowledge__in=[note.pk for note in notes])
    for key, path, count, last in used.values_list("knowledge_id", "path").annotate(
        n=Count("pk"), at=Max("at")
    ):
        each = found[str(key)]
        if path == "slug":
            each.called = count
        else:
            each.read = count
        each.last_use = max(filter(None, (each.last_use, last)))
    shown = Exposure.objects.filter(record_type="knowledge", record_id__in=list(found))
    for key, path, count, paid in shown.values_list("record_id", "path").annotate(
        n=Count("pk"), paid=Sum("tokens")
    ):
        found[key].shown[path] = count
        found[key].paid += paid
    return list(found.values())


def paid_by_sessions(*, namespace: Namespace, now: datetime) -> list[Paid]:
    """For each session of the last 90 days what it started with of this namespace, the oldest first."""
    ids = [str(pk) for pk in Knowledge.objects.filter(namespace=namespace).values_list("pk", flat=True)]
    own = Q(record_type="knowledge", record_id__in=ids)
    summary = Summary.objects.filter(namespace=namespace).values_list("pk", flat=True).first()
    if summary:
        own |= Q(record_type="summary", record_id=str(summary))
    rows = Exposure.objects.filter(own, path="resident", at__gt=now - WINDOW).exclude(session=None)
    paid = rows.values("session_id").annotate(first=Min("at"), sum=Sum("tokens")).order_by("-first")
    return [Paid(row["first"], row["sum"]) for row in paid[:MOST_SESSIONS]][::-1]


def resident_cost(*, namespace: Namespace) -> int:
    """Tokens that a session of the namespace starts with now, before any cut."""
    summary = Summary.objects.filter(namespace=namespace).first()
    lines = Knowledge.objects.resident().filter(namespace=namespace).values_list("slug", "description")
    return (tokens(summary.body) if summary else 0) + sum(
        tokens(f"#{slug}: {description}") for slug, description in lines
    )


def sessions_lately(*, namespace_id: uuid.UUID, now: datetime, days: int = 30) -> int:
    """How many sessions began there, that is: how often a resident line would have been paid."""
    there = Q(workspace=namespace_id) | Q(persona=namespace_id)
    return AgentSession.objects.filter(
        there, started_at__gt=now - timedelta(days=days), internal=False
    ).count()
