"""Notes and summaries for their pages, with what they were used for and what they cost (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import Namespace
from core.redact import redact
from core.text import tokens
from knowledge.models import Knowledge, KnowledgeUse, Summary
from knowledge.notes import slugs
from memory.models import Memory
from transcripts.models import Exposure

MOST = 500  # notes of a namespace on one page: far more than anybody keeps readable


@dataclass(frozen=True)
class NoteFilter:
    """``status`` is active, replaced, retired or all."""

    status: str = "active"
    namespace: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return any((self.status != "active", self.namespace, self.text))


@dataclass(frozen=True)
class Usage:
    """Explicit uses (called, read) apart from exposures (put before an agent); the last of either kind."""

    uses: int = 0
    last_use: datetime | None = None
    exposures: int = 0


@dataclass(frozen=True)
class Row:
    """A note, its usage, and the tokens of its body and of its line before every session."""

    note: Knowledge
    usage: Usage
    tokens: int
    resident_tokens: int


@dataclass(frozen=True)
class Shelf:
    """A namespace with its summary and notes; ``cost``: tokens that every session there starts with."""

    namespace: Namespace
    summary: Summary | None
    rows: Sequence[Row]
    cost: int
    may_change: bool


def shelves(*, user: User, wanted: NoteFilter) -> list[Shelf]:
    """Every namespace of the person, in order; with a filter only those where something matches. Six queries."""
    spaces = Namespace.objects.visible_to(user).select_related("owner")
    if wanted.namespace:
        spaces = spaces.filter(pk=wanted.namespace)
    notes = Knowledge.objects.filter(namespace__in=spaces)
    if wanted.status != "all":
        notes = notes.filter(status=wanted.status)
    if wanted.text:
        notes = notes.filter(slug__icontains=wanted.text) | notes.filter(title__icontains=wanted.text)
        notes = notes | Knowledge.objects.filter(pk__in=_saying(spaces, wanted))
    rows = _rows(list(notes.select_related("replaced_by").order_by("slug", "pk")))
    summaries = {each.namespace_id: each for each in Summary.objects.filter(namespace__in=spaces)}
    changeable = set(Namespace.objects.reviewable_by(user).values_list("pk", flat=True))
    found = []
    for space in spaces:
        held = [row for row in rows if row.note.namespace_id == space.pk]
        summary = summaries.get(space.pk)
        if wanted.text and not held:
            continue
        cost = sum(row.resident_tokens for row in held) + (tokens(summary.body) if summary else 0)
        found.append(Shelf(space, summary, held[:MOST], cost, space.pk in changeable))
    return found


def _saying(spaces: Any, wanted: NoteFilter) -> Any:
    rows = Knowledge.objects.filter(namespace__in=spaces, description__icontains=wanted.text)
    return rows if wanted.status == "all" else rows.filter(status=wanted.status)


def _rows(notes: Sequence[Knowledge]) -> list[Row]:
    usage = usage_of(notes)
    return [
        Row(
            note,
            usage[note.pk],
            tokens(note.body),
            tokens(f"#{note.slug}: {note.description}") if note.model_invocation else 0,
        )
        for note in notes
    ]


def usage_of(notes: Sequence[Knowledge]) -> dict[uuid.UUID, Usage]:
    """Usage of each of these notes: two queries."""
    used = KnowledgeUse.objects.filter(knowledge__in=notes).values("knowledge_id")
    uses: dict[uuid.UUID, tuple[int, datetime | None]] = {
        row["knowledge_id"]: (row["count"], row["last"])
        for row in used.annotate(count=Count("pk"), last=Max("at"))
    }
    shown = Exposure.objects.filter(record_type="knowledge", record_id__in=[str(note.pk) for note in notes])
    exposures = dict(shown.values_list("record_id").annotate(count=Count("pk")))
    return {
        note.pk: Usage(*uses.get(note.pk, (0, None)), exposures=exposures.get(str(note.pk), 0))
        for note in notes
    }


def note_for(*, user: User, knowledge_id: uuid.UUID) -> Knowledge:
    """The note, for any member of its namespace. Raises NotFound for all others."""
    rows = Knowledge.objects.visible_to(user).select_related("namespace__owner", "replaced_by")
    found = rows.filter(pk=knowledge_id).first()
    if found is None:
        raise NotFound(_("There is no such note."))
    return found


def may_change(*, user: User, namespace_id: uuid.UUID) -> bool:
    return Namespace.objects.reviewable_by(user).filter(pk=namespace_id).exists()


def home_for(*, user: User, namespace_id: uuid.UUID) -> Namespace:
    """The namespace, for any member. Raises NotFound for all others."""
    found = Namespace.objects.visible_to(user).select_related("owner").filter(pk=namespace_id).first()
    if found is None:
        raise NotFound(_("There is no such namespace."))
    return found


def summary_of(*, namespace: Namespace) -> Summary | None:
    return Summary.objects.filter(namespace=namespace).first()


def successors_of(note: Knowledge) -> list[Knowledge]:
    """Active notes that could take its place."""
    rows = Knowledge.objects.active().filter(namespace=note.namespace_id).exclude(pk=note.pk)
    return list(rows.defer("body").order_by("slug"))


def confusing(*, namespace_id: uuid.UUID, slug: str, but: uuid.UUID | None = None) -> list[str]:
    """Slugs of the namespace that a person would take for this one."""
    rows = Knowledge.objects.filter(namespace=namespace_id)
    if but is not None:
        rows = rows.exclude(pk=but)
    return slugs.near(slug, rows.values_list("slug", flat=True))


def text_of_memory(*, user: User, namespace: Namespace, memory_id: uuid.UUID) -> str:
    """The text of an active memory of that namespace, to begin a note with; empty for any other."""
    rows = Memory.objects.active().visible_to(user).filter(namespace=namespace, pk=memory_id)
    return redact("\n".join(rows.values_list("content", flat=True))).text
