"""What accepting a draft of a note or of the summary does, and how it is taken back; inside the deciding transaction.

Everything goes through the services that a person uses by hand. Steps are written down as in ``applying``: ``make`` (a
new note), ``rewrite`` (other words for one), ``summarise``.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Conflict
from knowledge.models import Knowledge, Summary
from knowledge.note_payloads import Create, NotePayload, Summarise, Update
from knowledge.notes import slugs
from knowledge.notes.fields import Note
from knowledge.services.deciding import Deciding
from knowledge.services.notes import (
    home_for_review,
    knowledge_create,
    knowledge_delete,
    knowledge_edit,
    knowledge_for_review,
    sources_set,
)
from knowledge.services.summaries import summary_lines_set, summary_write

STEPS = ("make", "rewrite", "summarise")


def apply_note(payload: NotePayload, by: Deciding) -> list[dict[str, Any]]:
    """Do it and return the steps. Raises Conflict (``outdated``), Invalid (the person's own wording), Paused."""
    if isinstance(payload, Create):
        return [_make(payload, by)]
    if isinstance(payload, Update):
        return [_rewrite(payload, by)]
    return [_summarise(payload, by)]


def take_back_note(step: Mapping[str, Any], by: Deciding) -> None:
    """Undo one step. Raises Conflict when somebody touched the note or summary since."""
    if step["do"] == "summarise":
        written = summary_write(
            namespace_id=by.namespace_id,
            version=step["version"],
            user=by.user,
            body=_former_summary(uuid.UUID(step["id"]), step["was"]),
            now=by.now,
            group=by.group,
        )
        summary_lines_set(summary=written, lines=step["lines"], undo=True)
        return
    note_id = uuid.UUID(step["id"])
    if step["do"] == "make":
        knowledge_delete(knowledge_id=note_id, version=step["version"], user=by.user, now=by.now)
        return
    found = knowledge_for_review(knowledge_id=note_id, user=by.user)
    former = found.history.filter(version=step["was"]).order_by("-pgh_id").first()  # type: ignore[attr-defined]
    if former is None:
        raise Conflict(_("The former text is no longer known."), code="changed_since")
    note = replace(
        _as_it_is(found), title=former.title, description=former.description, body=former.body, sources=()
    )
    edited = knowledge_edit(
        knowledge_id=note_id, version=step["version"], user=by.user, note=note, now=by.now, group=by.group
    )
    sources_set(knowledge=edited, sources=step["sources"])


def _make(payload: Create, by: Deciding) -> dict[str, Any]:
    home_for_review(namespace_id=by.namespace_id, user=by.user)
    if by.note is not None:
        note = replace(by.note, model_invocation=False)
    else:
        taken = set(Knowledge.objects.filter(namespace=by.namespace_id).values_list("slug", flat=True))
        note = Note(payload.title, slugs.free(payload.slug, taken), payload.description, payload.body)
    made = knowledge_create(namespace_id=by.namespace_id, user=by.user, note=note, now=by.now, group=by.group)
    sources_set(knowledge=made, sources=by.sources)
    return {"do": "make", "id": str(made.pk), "version": made.version}


def _rewrite(payload: Update, by: Deciding) -> dict[str, Any]:
    found = knowledge_for_review(knowledge_id=payload.note.id, user=by.user)
    if (
        found.namespace_id != by.namespace_id
        or found.version != payload.note.version
        or found.status != "active"
    ):
        raise Conflict(
            _("The note was changed after this was proposed; refuse it, or change the note yourself."),
            code="outdated",
            status=found.status,
            version=found.version,
        )
    was, sources = found.version, list(found.last_sources)
    words = by.note or payload
    note = replace(_as_it_is(found), title=words.title, description=words.description, body=words.body)
    edited = knowledge_edit(
        knowledge_id=found.pk, version=was, user=by.user, note=note, now=by.now, group=by.group
    )
    sources_set(knowledge=edited, sources=by.sources)
    return {
        "do": "rewrite",
        "id": str(edited.pk),
        "version": edited.version,
        "was": was,
        "sources": sources,
    }


def _summarise(payload: Summarise, by: Deciding) -> dict[str, Any]:
    found = Summary.objects.filter(namespace=by.namespace_id).first()
    if (found.version if found else 0) != payload.version:
        raise Conflict(
            _("The summary was changed after this was proposed; refuse it, or change the summary yourself."),
            code="outdated",
            version=found.version if found else 0,
        )
    lines = list(found.lines) if found else []
    written = summary_write(
        namespace_id=by.namespace_id,
        version=payload.version,
        user=by.user,
        body=payload.body if by.content is None else by.content,
        now=by.now,
        group=by.group,
    )
    summary_lines_set(summary=written, lines=by.sources)
    return {
        "do": "summarise",
        "id": str(written.pk),
        "version": written.version,
        "was": payload.version,
        "lines": lines,
    }


def _former_summary(summary_id: uuid.UUID, version: int) -> str:
    """From the history, where the words of a memory that was deleted meanwhile are gone."""
    if version == 0:
        return ""
    found = Summary.objects.get(pk=summary_id)
    rows = found.history.filter(version=version).order_by("-pgh_id")  # type: ignore[attr-defined]
    former = rows.first()
    if former is None:
        raise Conflict(_("The former text is no longer known."), code="changed_since")
    return str(former.body)


def _as_it_is(note: Knowledge) -> Note:
    """Its switches stay whatever else changes: whether sessions start with it is no proposal's business."""
    return Note(
        note.title, note.slug, note.description, note.body, note.model_invocation, note.user_invocable
    )
