"""The notes and the summary of a namespace as a tree of files (design section 6)."""

from __future__ import annotations

from core.models import Namespace
from core.redact import redact
from knowledge.models import Knowledge, Summary
from knowledge.notes.fields import Note
from knowledge.notes.files import NoteFile
from knowledge.notes.tree import write_tree


def knowledge_export(*, namespace: Namespace) -> list[tuple[str, bytes]]:
    """(path, bytes) of ``knowledge/<slug>.md`` and ``memory/summary.md``; the caller has checked who may read it.

    Equal notes give equal bytes: nothing in a file depends on the moment. Texts pass the redaction once more.
    """
    rows = Knowledge.objects.filter(namespace=namespace).select_related("replaced_by")
    summary = Summary.objects.filter(namespace=namespace).first()
    return list(write_tree((file_of(row) for row in rows), redact(summary.body).text if summary else ""))


def file_of(row: Knowledge) -> NoteFile:
    """A note as its file says it; one that leads elsewhere names the slug."""
    note = Note(
        title=redact(row.title).text,
        slug=row.slug,
        description=redact(row.description).text,
        body=redact(row.body).text,
        model_invocation=row.model_invocation,
        user_invocable=row.user_invocable,
        sources=sources_of(row),
    )
    return NoteFile(note, row.status, row.replaced_by.slug if row.replaced_by else "")


def sources_of(row: Knowledge) -> tuple[tuple[str, str], ...]:
    return tuple((str(each["type"]), str(each["id"])) for each in row.last_sources)
