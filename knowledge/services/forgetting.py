"""A deleted memory takes its words along: out of the summary, out of notes, and out of their history (design 8).

The night shift puts a memory's words into a line of their own and keeps that line's digest with the source. Words that
a person or a model wrote anew are theirs: they stay, and the source is named no longer.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from core import text
from core.actor import Actor
from core.locks import lock
from core.services import audit
from knowledge.models import Knowledge, Summary
from knowledge.night.summarising import without
from memory.models import Memory

LATELY = timedelta(days=2)  # beat looks every night; the nudge of a deletion comes at once


def words_forget(*, now: datetime) -> int:
    """Erase the lines of memories that were deleted of late; returns how many texts changed. Safe to repeat."""
    deleted = Memory.objects.filter(status="deleted", changed_at__gte=now - LATELY)
    homes = set(deleted.values_list("namespace_id", flat=True))
    changed = 0
    for summary in Summary.objects.filter(namespace__in=homes).exclude(lines=[]):
        changed += _forget(summary, "lines", now)
    for note in Knowledge.objects.filter(namespace__in=homes).exclude(last_sources=[]):
        changed += _forget(note, "last_sources", now)
    return changed


@transaction.atomic
def _forget(row: Any, column: str, now: datetime) -> int:
    """One text; 1 when it named a deleted memory."""
    lock(f"knowledge:{row.namespace_id}")
    row.refresh_from_db()
    sources: Sequence[Mapping[str, Any]] = getattr(row, column)
    ids = [uuid.UUID(each["id"]) for each in sources if each.get("type") == "memory"]
    gone = {
        str(pk) for pk in Memory.objects.filter(pk__in=ids, status="deleted").values_list("pk", flat=True)
    }
    if not gone:
        return 0
    digests = [each["sha256"] for each in sources if each.get("id") in gone and each.get("sha256")]
    body = without(row.body, digests) if _holds(row.body, digests) else row.body
    fields: dict[str, Any] = {column: [each for each in sources if each.get("id") not in gone]}
    if body != row.body:
        fields |= {"body": body, "version": F("version") + 1, "changed_at": now}
    type(row)._default_manager.filter(pk=row.pk).update(**fields)
    for former in row.history.all():
        if _holds(former.body, digests):
            type(former).objects.filter(pk=former.pk).update(body=without(former.body, digests))
    row.refresh_from_db()
    audit.record(
        stream=audit.stream_of(row.namespace_id),
        verb=f"{row._meta.model_name}.forgotten",
        actor=Actor.system(),
        object_type=row._meta.model_name,
        object_id=row.pk,
        data={"version": row.version, "sha256": text.sha256(row.body), "memories": sorted(gone)},
        now=now,
    )
    return 1


def _holds(body: str, digests: Sequence[str]) -> bool:
    """Whether a line of it goes: a text that holds none keeps its blank lines as they are."""
    return len(without(body, digests)) < len(without(body, ()))
