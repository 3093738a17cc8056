"""Take a whole import of notes back: what it made goes, what it changed reads as before (lessons row 22)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Conflict, DomainError, NotFound
from core.locks import lock
from core.models import AuditEvent
from core.services import audit
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.selectors.imports import IMPORTED, TAKEN_BACK
from knowledge.services import notes
from knowledge.services.summaries import summary_lines_set, summary_write


@dataclass(frozen=True)
class TakenBack:
    """How many notes and summaries are as they were, and the slugs of those that somebody touched since."""

    done: int
    kept: tuple[str, ...]


@dataclass(frozen=True)
class _Undoing:
    user: Decider
    now: datetime
    group: uuid.UUID


@transaction.atomic
def knowledge_import_undo(
    *, namespace_id: uuid.UUID, group: uuid.UUID, user: Decider, now: datetime
) -> TakenBack:
    """Undo the import that ``group`` names, once. What was changed or decided since stays as it is and is named.

    Raises NotFound, Forbidden, Paused, Conflict (``already_undone``).
    """
    home = notes.home_for_review(namespace_id=namespace_id, user=user)
    lock(f"knowledge:{home.pk}")
    trail = AuditEvent.objects.filter(stream=audit.stream_of(home.pk), group=group)
    event = trail.filter(verb=IMPORTED).first()
    if event is None:
        raise NotFound(_("There is no such import."))
    if trail.filter(verb=TAKEN_BACK).exists():
        raise Conflict(_("This was undone already."), code="already_undone")
    by = _Undoing(user, now, group)
    kept: list[str] = []
    done = 0
    # What was there before first: it may be replaced by what came, which can go only when nothing leads there.
    for item in sorted(event.data["notes"], key=lambda each: each["was"] == 0):
        done += _tried(item["slug"], kept, lambda item=item: _note_back(item, by))  # type: ignore[misc]
    if (written := event.data["summary"]) is not None:
        done += _tried("summary", kept, lambda: _summary_back(home.pk, written, by))
    audit.record(
        stream=audit.stream_of(home.pk),
        verb=TAKEN_BACK,
        actor=Actor.of(user),
        object_type="namespace",
        object_id=home.pk,
        group=group,
        data={"kept": len(kept)},
        now=now,
    )
    return TakenBack(done, tuple(kept))


def told(rows: Mapping[str, Knowledge], was: Mapping[str, tuple[int, list[Any]]]) -> list[dict[str, Any]]:
    """What an import leaves in the audit trail for each note it touched; those that others lead to come last."""
    order = sorted(rows, key=lambda slug: (rows[slug].status == "active", slug))
    return [
        {
            "id": str(rows[slug].pk),
            "slug": slug,
            "was": was.get(slug, (0, []))[0],
            "version": rows[slug].version,
            "sources": was.get(slug, (0, []))[1],
        }
        for slug in order
    ]


def _tried(name: str, kept: list[str], undo: Callable[[], None]) -> int:
    try:
        with transaction.atomic():
            undo()
    except DomainError:
        kept.append(name)
        return 0
    return 1


def _note_back(item: Mapping[str, Any], by: _Undoing) -> None:
    row = notes.knowledge_for_review(knowledge_id=uuid.UUID(item["id"]), user=by.user)
    if row.version != item["version"]:
        raise Conflict(_("The note was changed meanwhile. Look at it again."), code="changed")
    if item["was"] == 0:
        notes.knowledge_delete(knowledge_id=row.pk, version=row.version, user=by.user, now=by.now)
        return
    former = row.history.filter(version=item["was"]).order_by("-pgh_id").first()  # type: ignore[attr-defined]
    if former is None:
        raise Conflict(_("The former text is no longer known."), code="changed_since")
    given: dict[str, Any] = {"user": by.user, "now": by.now, "group": by.group}
    if row.status != "active":
        row = notes.knowledge_restore(knowledge_id=row.pk, version=row.version, **given)
    text = Note(
        former.title,
        former.slug,
        former.description,
        former.body,
        row.model_invocation,
        former.user_invocable,
    )
    row = notes.knowledge_edit(knowledge_id=row.pk, version=row.version, note=text, **given)
    notes.sources_set(knowledge=row, sources=item["sources"])
    if former.status == "retired":
        notes.knowledge_retire(knowledge_id=row.pk, version=row.version, **given)
    elif former.status == "replaced":
        notes.knowledge_replace(
            knowledge_id=row.pk, version=row.version, by_id=former.replaced_by_id, **given
        )
    elif former.model_invocation != row.model_invocation:
        notes.knowledge_resident(
            knowledge_id=row.pk, version=row.version, on=former.model_invocation, **given
        )


def _summary_back(home_id: uuid.UUID, written: Mapping[str, Any], by: _Undoing) -> None:
    found = Summary.objects.get(namespace=home_id)
    former = found.history.filter(version=written["was"]).order_by("-pgh_id").first()  # type: ignore[attr-defined]
    body = former.body if former and written["was"] else ""
    summary = summary_write(
        namespace_id=home_id,
        version=written["version"],
        user=by.user,
        body=body,
        now=by.now,
        group=by.group,
    )
    summary_lines_set(summary=summary, lines=found.lines, undo=True)
