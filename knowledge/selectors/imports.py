"""Which imports of notes a namespace has seen lately, from its audit trail."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from core.models import AuditEvent, Namespace
from core.services.audit import stream_of

IMPORTED, TAKEN_BACK = "knowledge.imported", "knowledge.import_undone"
MOST = 5


@dataclass(frozen=True)
class Import:
    """One that still stands; ``group`` names it, ``created`` and ``changed`` count notes."""

    group: uuid.UUID
    at: datetime
    by: str
    created: int
    changed: int
    summary: bool


def imports_of(*, namespace: Namespace) -> list[Import]:
    """The latest that were not taken back, the newest first; the caller has checked who may look."""
    rows = AuditEvent.objects.filter(stream=stream_of(namespace.pk))
    undone = set(rows.filter(verb=TAKEN_BACK).values_list("group", flat=True))
    made = rows.filter(verb=IMPORTED, group__isnull=False).exclude(group__in=undone).order_by("-seq")[:MOST]
    return [_import(event) for event in made if event.group]


def _import(event: AuditEvent) -> Import:
    notes = event.data["notes"]
    created = sum(note["was"] == 0 for note in notes)
    return Import(
        group=event.group or uuid.UUID(int=0),
        at=event.at,
        by=event.actor_label,
        created=created,
        changed=len(notes) - created,
        summary=event.data["summary"] is not None,
    )
