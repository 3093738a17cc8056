"""Write a namespace as an archive, or as MEMORY.md (design section 7; schema in docs/export.md)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from django.contrib.auth.models import User
from django.db import connection, transaction

from core.actor import Actor
from core.models import Namespace
from core.selectors.access import namespace_owned
from core.services import audit
from integrations.archive import memory_file
from integrations.archive.columns import columns_of, safe
from integrations.archive.container import Writer
from integrations.archive.tables import TABLES, Home, Table
from knowledge.models import Knowledge, Summary
from memory.models import Memory
from review.exporting import Told, json_line, markdown

CHUNK = 2_000
MEMORY_FILE_TOKENS = 6_000  # about two hundred lines


@dataclass(frozen=True)
class Exported:
    """How many records each file holds."""

    namespace: Namespace
    counts: dict[str, int]


def archive_export(
    *, namespace_id: uuid.UUID, user: User, target: IO[bytes], actor: Actor, now: datetime
) -> Exported:
    """Write everything of a namespace as one zip; equal content gives equal bytes. For its owners.

    One snapshot of the database, whatever happens meanwhile. Raises NotFound, Forbidden.
    """
    space = namespace_owned(user=user, namespace_id=namespace_id)
    home = Home(space, user)
    writer = Writer(target)
    with _snapshot():
        counts = {"namespace": writer.add("namespace.jsonl", [json_line(_about(space))])}
        for table in TABLES:
            counts[table.name] = writer.add(table.file, _lines(table, home))
        writer.add("memories.md", markdown(str(space), _told(space)))
    writer.close(namespace=str(space))
    with transaction.atomic():
        audit.record(
            stream=audit.stream_of(space.pk),
            verb="namespace.exported",
            actor=actor,
            object_type="namespace",
            object_id=space.pk,
            data={"memories": counts["memories"], "candidates": counts["candidates"]},
            now=now,
        )
    return Exported(space, counts)


def memory_file_render(*, namespace_id: uuid.UUID, user: User, budget: int = MEMORY_FILE_TOKENS) -> str:
    """MEMORY.md of a namespace that the person may see: summary, active memories, notes that can be called.

    Raises NotFound.
    """
    found = Namespace.objects.visible_to(user).select_related("owner").filter(pk=namespace_id).first()
    space = found or namespace_owned(user=user, namespace_id=namespace_id)
    rows = Memory.objects.active().filter(namespace=space).order_by("-valid_from", "pk")
    notes = Knowledge.objects.active().filter(namespace=space, user_invocable=True).order_by("slug")
    summary = Summary.objects.filter(namespace=space).values_list("body", flat=True).first()
    return memory_file.render(
        title=space.reference_for(user.pk, space.owner.get_username()),
        summary=safe(summary or ""),
        notes=[(slug, safe(said)) for slug, said in notes.values_list("slug", "description")],
        memories=[
            memory_file.Told(kind, safe(content), at.date())
            for kind, content, at in rows.values_list("kind", "content", "valid_from").iterator(CHUNK)
        ],
        budget=budget,
    )


def _about(space: Namespace) -> dict[str, Any]:
    return {
        "id": space.pk,
        "type": space.type,
        "name": space.name,
        "created_at": space.created_at,
        "paused_at": space.paused_at,
        "fingerprints": [
            {"value": value, "created_at": at.isoformat()}
            for value, at in space.fingerprints.order_by("value").values_list("value", "created_at")
        ],
        "aliases": [
            {"type": kind, "name": name, "created_at": at.isoformat()}
            for kind, name, at in space.aliases.filter(owner=space.owner)
            .order_by("type", "name")
            .values_list("type", "name", "created_at")
        ],
    }


def _lines(table: Table, home: Home) -> Iterator[bytes]:
    columns = columns_of(table)
    paths = [path for column in columns for path in column.paths]
    slices = []
    start = 0
    for column in columns:
        slices.append((column, slice(start, start + len(column.paths))))
        start += len(column.paths)
    for row in table.rows(home).values_list(*paths).iterator(CHUNK):
        yield json_line({column.name: column.write(row[part], home.user) for column, part in slices})


def _told(space: Namespace) -> Iterator[Told]:
    rows = Memory.objects.filter(namespace=space).exclude(status="deleted")
    rows = rows.order_by("kind", "-valid_from", "pk")
    for kind, content, at, status in rows.values_list("kind", "content", "valid_from", "status").iterator(
        CHUNK
    ):
        yield Told(kind, safe(content), at.date(), () if status == "active" else (status,))


@contextmanager
def _snapshot() -> Iterator[None]:
    """What is read inside is of one moment. Inside a caller's transaction that one's rules stay."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
