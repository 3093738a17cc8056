"""An approximate index for each namespace that has grown too large to scan (design section 8, sizes).

One index a namespace, because a filter behind a shared one loses hits. They are made and dropped while the product
runs, so they are no migration's: ``memory.recall.semantic`` is right without them, only slower.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import structlog
from django.db import connection
from django.db.models import Count

from core.locks import only_one
from memory.models import MemoryIndex, MemoryVector
from memory.recall import semantic

PREFIX = "memory_vector_near_"
MOST_DIMS = 4_000  # what pgvector can index in half precision; longer vectors are scanned
# How thoroughly a graph is linked. With 64, which pgvector takes, one over 4,700 real texts named .98 of what a scan
# names (e5, whose vectors lie close together), with this .999 at the same cost of a question.
THOROUGH = 200
BUILD_MEMORY = "256MB"  # the graph of 100,000 vectors; a build that spills is many times slower
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Wanted:
    """A namespace and embedding space whose vectors want an index."""

    namespace_id: uuid.UUID
    space: str
    count: int

    @property
    def name(self) -> str:
        # Built otherwise it has another name: this one is built, then the former dropped.
        key = f"{self.namespace_id} {self.space} {THOROUGH}"
        return PREFIX + hashlib.sha256(key.encode()).hexdigest()[:20]


def vector_indexes_tend() -> list[str]:
    """Build what is missing, drop what is no longer of use; returns the names of those built.

    Call it outside transactions: it builds without keeping anybody from writing, which no transaction allows. One
    process at a time; who finds it taken goes. A build that died half-way is dropped and made anew.
    """
    with only_one("memory.vector_indexes") as mine:
        if not mine:
            return []
        wanted = {each.name: each for each in _crowded(semantic.EXACT_UP_TO)}
        # Half the size before one is dropped again: a namespace at the border must not have it built every day.
        useful = {each.name for each in _crowded(semantic.EXACT_UP_TO // 2)}
        standing = _standing()
        _drop(name for name, valid in standing.items() if not valid)
        missing = [each for name, each in wanted.items() if not standing.get(name)]
        built = [each.name for each in missing if _build(each)]
        # Last: one that was built otherwise serves until its successor stands.
        _drop(name for name, valid in standing.items() if valid and name not in useful)
        if built:
            _log.info("vector_indexes_built", count=len(built))
        return built


def vector_indexes_missing() -> list[Wanted]:
    """Namespaces that are scanned though they are large, for ``doctor``."""
    standing = _standing()
    return [each for each in _crowded(semantic.EXACT_UP_TO) if not standing.get(each.name)]


def _crowded(border: int) -> Iterator[Wanted]:
    rows = (
        MemoryIndex.objects.exclude(vector_space="")
        .values("namespace_id", "vector_space")
        .annotate(count=Count("pk"))
        .filter(count__gt=border)
        .order_by("-count")
    )
    for row in rows:
        yield Wanted(row["namespace_id"], row["vector_space"], row["count"])


def _standing() -> dict[str, bool]:
    """Names of our indexes, and whether each is whole."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE i.indrelid = 'memory_memoryvector'::regclass AND starts_with(c.relname, %s)",
            [PREFIX],
        )
        return dict(cursor.fetchall())


def _build(wanted: Wanted) -> bool:
    dims = _dims(wanted)
    if not 0 < dims <= MOST_DIMS:
        return False
    with connection.cursor() as cursor:
        cursor.execute("SHOW maintenance_work_mem")
        before = cursor.fetchone()[0]
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
    try:
        _run(
            f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{wanted.name}" ON memory_memoryvector '
            f"USING hnsw ((vector::halfvec({dims})) halfvec_ip_ops) WITH (ef_construction = {THOROUGH}) "
            "WHERE namespace_id = %s AND space = %s",
            wanted.namespace_id,
            wanted.space,
        )
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [before])
    return True


def _dims(wanted: Wanted) -> int:
    rows = MemoryVector.objects.filter(namespace_id=wanted.namespace_id, space=wanted.space)
    first = rows.values_list("vector", flat=True).first()
    return 0 if first is None else len(first)


def _drop(names: Iterable[str]) -> None:
    for name in names:
        _run(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')


def _run(statement: str, *parameters: str | uuid.UUID) -> None:
    with connection.cursor() as cursor:
        # Parameters are quoted by the driver on this side: an index's condition takes no placeholders.
        cursor.execute(statement, parameters)
