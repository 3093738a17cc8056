"""Bring an archived namespace back: all of it, with its ids, times and history, or nothing (docs/export.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, connection, transaction
from django.utils.translation import gettext as _
from pghistory.models import Context

from core import faults
from core.actor import Actor
from core.errors import Conflict, Invalid
from core.locks import lock
from core.nudge import nudge
from core.selectors.access import split_reference
from core.services import audit
from integrations.archive.columns import Column, Place, own_columns
from integrations.archive.container import Reader, Unreadable
from integrations.archive.parsing import Parsed, Problem, parse
from integrations.archive.tables import CONTENT, TABLES, Table
from integrations.services.archive_home import home_make, session_homes
from integrations.services.archive_links import Linker
from memory.models import Memory
from memory.services.blocks import blocks_of
from memory.services.indexing import index_memories
from transcripts.models import AgentSession

BATCH = 500


@dataclass
class Restored:
    """``counts``: records brought back by file; ``left_out``: those that another row stands for already, or that lead
    nowhere. With ``problems`` nothing was stored at all."""

    namespace: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    dry_run: bool = False


class _Undo(Exception):
    """Ends a dry run: everything was tried, nothing stays."""


def archive_restore(
    *,
    user: User,
    source: IO[bytes],
    actor: Actor,
    now: datetime,
    reference: str = "",
    dry_run: bool = False,
) -> Restored:
    """Bring back an archive as a namespace of this person; ``reference`` gives it another name.

    The namespace must be new or empty: merging is an act of its own. A dry run does everything and takes it back.
    Raises Invalid (``unreadable``, ``invalid_name``), Conflict (``not_empty``, ``ids_taken``, ``name_taken``).
    """
    report = Restored(dry_run=dry_run)
    try:
        parsed = parse(Reader(source))
    except Unreadable as error:
        raise Invalid(str(error), code="unreadable", field="file") from error
    kind, name = _named(parsed, reference)
    report.namespace = f"{kind}:{name}"
    report.problems = parsed.problems
    if report.problems:
        return report
    try:
        with transaction.atomic():
            _restore(parsed, kind, name, user, actor, now, report)
            if dry_run:
                raise _Undo
    except _Undo:
        return report
    except (IntegrityError, DataError) as error:
        raise Conflict(
            _("The archive contradicts itself or what is stored: %(why)s") % {"why": faults.brief(error)},
            code="contradiction",
        ) from error
    nudge("memory.index_due", queue="default")
    return report


def _named(parsed: Parsed, reference: str) -> tuple[str, str]:
    if not reference:
        return parsed.about["type"], parsed.about["name"]
    parts = split_reference(reference)
    if parts is None or parts[1] is not None:
        raise Invalid(
            _("Name it persona:<name> or workspace:<name>."), code="invalid_name", field="namespace"
        )
    return parts[0], parts[2]


def _restore(
    parsed: Parsed, kind: str, name: str, user: User, actor: Actor, now: datetime, report: Restored
) -> None:
    lock(f"namespaces:{user.pk}")
    space = home_make(about=parsed.about, type=kind, name=name, user=user, actor=actor, now=now)
    lock(f"gate:{space.pk}")
    for model in CONTENT:
        if model._default_manager.filter(namespace=space).exists():
            raise Conflict(
                _(
                    "%(name)s holds something already. Bring the archive back under another name, then merge the two."
                )
                % {"name": space},
                code="not_empty",
                field="namespace",
            )
    place = Place(space, user)
    session_homes(place=place, about=parsed.about, rows=parsed.rows["sessions"], actor=actor, now=now)
    linker = Linker(place, parsed)
    linker.refuse_taken_ids()
    known = set(
        AgentSession.objects.visible_to(user)
        .filter(key__in=[row["key"] for row in parsed.rows["sessions"]])
        .values_list("key", flat=True)
    )
    for table in TABLES:
        rows = [row for row in parsed.rows[table.name] if not _stands(table, row, known)]
        kept = [row for row in rows if linker.leads(table, row)]
        left_out = len(parsed.rows[table.name]) - len(kept)
        _copy(table, parsed.columns[table.name], kept, place)
        report.counts[table.name] = len(kept)
        if left_out:
            report.left_out[table.name] = left_out
        linker.after(table)
    _index(space.pk)
    audit.record(
        stream=audit.stream_of(space.pk),
        verb="namespace.restored",
        actor=actor,
        object_type="namespace",
        object_id=space.pk,
        to_state="active",
        data={"memories": report.counts["memories"], "candidates": report.counts["candidates"]},
        now=now,
    )


def _stands(table: Table, row: dict[str, Any], known: set[str]) -> bool:
    """A conversation that is still there stays as it is."""
    if table.name == "sessions":
        return row["key"] in known
    if table.name == "turns":
        return row["session"] in known
    if table.name == "messages":
        return row["session"] in known
    return False


def _copy(table: Table, columns: Sequence[Column], rows: Sequence[dict[str, Any]], place: Place) -> None:
    """By COPY: it keeps what the ORM would set by itself (``auto_now``), and a large archive takes seconds."""
    if not rows:
        return
    own = own_columns(table)
    blocks = "blocks" in table.omit
    names = [*(column.column for column in columns), *own, *(["blocks"] if blocks else [])]
    quoted = ", ".join(connection.ops.quote_name(name) for name in names)
    sql = f"COPY {connection.ops.quote_name(table.model._meta.db_table)} ({quoted}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(sql) as copy:
        for row, telling in zip(rows, _blocks(rows, place) if blocks else rows, strict=True):
            stored = [column.store(row[column.name], place) for column in columns]
            stored += [value(place) for value in own.values()]
            copy.write_row([*stored, telling] if blocks else stored)
    Context.objects.bulk_create(
        [Context(id=pk, metadata=said) for pk, said in place.contexts], batch_size=BATCH
    )
    place.contexts.clear()


def _blocks(rows: Sequence[dict[str, Any]], place: Place) -> Iterator[list[int]]:
    """Rare words by hash, salted with the namespace: made anew, because its id may be another one here."""
    made: dict[tuple[str, str], list[int]] = {}  # a memory mostly has the words of its candidate
    for row in rows:
        key = (row["kind"], row["content"] if "content" in row else row["text"])
        if key not in made:
            made[key] = blocks_of(namespace_id=place.namespace.pk, kind=key[0], content=key[1])
        yield made[key]


def _index(namespace_id: Any) -> None:
    rows = Memory.objects.active().filter(namespace_id=namespace_id).order_by("pk")
    batch: list[Memory] = []
    for memory in rows.iterator(BATCH):
        batch.append(memory)
        if len(batch) == BATCH:
            index_memories(memories=batch)
            batch = []
    if batch:
        index_memories(memories=batch)
