"""The half of recall that reads meaning, inside the scope and by its size (design section 4, Recall).

An approximate index over everybody's vectors with a namespace filter loses hits (0.39 of 10 were found in a test), and
an exact scan grows with the namespace. So a namespace of up to ``EXACT_UP_TO`` vectors is scanned, and each larger one
has an index of its own (``memory.services.vector_indexes``): the filter stands in the index, never after it. While that
index is missing or being built, the same statement scans. Vectors and questions are compared by inner product: that is
the cosine for a plain question, and what ``spaces.Space.turned`` made of it otherwise.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection, transaction

from core.scope import Scope

CENTROID_SAMPLE = 500  # vectors; the mean of more hardly differs
# Vectors of a namespace. With an index a question costs 3 ms less from 1,000 on and 10 ms less at 5,000, but each index
# costs every question some microseconds, whoever asks: of a million memories there may be hundreds (RESULTS.md).
EXACT_UP_TO = 3_000
KEPT_SECONDS = 300
BREADTH = 200  # neighbours that the index keeps in sight while it searches


def centroid(*, scope: Scope, space: str, vectors: int) -> tuple[Sequence[float], int]:
    """The mean of the scope's vectors in this space and how many were averaged (at most ``CENTROID_SAMPLE``).

    ``vectors``: how many the scope has. Of few it is computed anew each time: their mean tells what they were, and a
    deleted memory must leave nothing behind. Beyond ``EXACT_UP_TO`` it is the mean of the oldest, which hardly moves,
    and this process keeps it for ``KEPT_SECONDS``: reading a sample from all over a large table takes time, and
    whichever rows come first differ from one scan to the next, and with them the answers to equal questions.
    """
    if vectors > EXACT_UP_TO:
        return _kept_centroid(tuple(scope), space, int(time.monotonic() // KEPT_SECONDS))
    return _mean(_CENTROID, list(scope), space, CENTROID_SAMPLE)


@lru_cache(maxsize=64)
def _kept_centroid(
    namespaces: tuple[uuid.UUID, ...], space: str, _moment: int
) -> tuple[tuple[float, ...], int]:
    mean, count = _mean(_OLDEST_CENTROID, space, list(namespaces), space, CENTROID_SAMPLE)
    return tuple(mean), count


def _mean(statement: str, *parameters: Any) -> tuple[list[float], int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(parameters))
        mean, count = cursor.fetchone()
    return (json.loads(mean) if mean else []), count


def spread(*, scope: Scope, space: str, vector: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation of the likeness of the same sample: what a space that nobody has measured is judged by."""
    with connection.cursor() as cursor:
        cursor.execute(_SPREAD, [_literal(vector), list(scope), space, CENTROID_SAMPLE])
        mean, deviation = cursor.fetchone()
    return mean or 0.0, deviation or 0.0


def semantic(
    *, sizes: Mapping[uuid.UUID, int], space: str, vector: Sequence[float], limit: int
) -> dict[uuid.UUID, float]:
    """Likeness of the ``limit`` nearest memories. ``sizes``: vectors in this space, by namespace of the scope."""
    small = [key for key, count in sizes.items() if count <= EXACT_UP_TO]
    found = _scanned(small, space, vector, limit) if small else []
    for key in sizes.keys() - set(small):
        found += _indexed(key, space, vector, limit)
    found.sort(key=lambda row: (-row[1], row[0]))
    return dict(found[:limit])


def likeness_of(
    *, scope: Scope, space: str, vector: Sequence[float], memory_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, float]:
    """The likeness of these memories, as far as they lie in the scope and have a vector."""
    if not memory_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_THESE, [_literal(vector), list(memory_ids), list(scope), space])
        return dict(cursor.fetchall())


def _scanned(
    namespaces: Sequence[uuid.UUID], space: str, vector: Sequence[float], limit: int
) -> list[tuple[uuid.UUID, float]]:
    with connection.cursor() as cursor:
        cursor.execute(_SCAN, [_literal(vector), list(namespaces), space, limit])
        return list(cursor.fetchall())


def _indexed(
    namespace: uuid.UUID, space: str, vector: Sequence[float], limit: int
) -> list[tuple[uuid.UUID, float]]:
    literal = _literal(vector)
    statement = _INDEXED.format(dims=len(vector))
    # In the question's own transaction where there is one: an error ends both halves anyway, and a savepoint costs two
    # more trips to the server.
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        # For this transaction alone. Iterative: rows deleted a moment ago must not use up the places.
        cursor.execute(_BREADTH, [str(max(BREADTH, 2 * limit))])
        cursor.execute(statement, [literal, namespace, space, literal, limit])
        return list(cursor.fetchall())


def _literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(map(repr, vector)) + "]"


_CENTROID = """
SELECT avg(vector)::text, count(*) FROM (
    SELECT vector FROM memory_memoryvector WHERE namespace_id = ANY(%s::uuid[]) AND space = %s LIMIT %s
) AS sample
"""
# Identifiers grow with time; entries are narrow enough to be put in order.
_OLDEST_CENTROID = """
SELECT avg(vector)::text, count(*) FROM memory_memoryvector WHERE space = %s AND memory_id IN (
    SELECT memory_id FROM memory_memoryindex WHERE namespace_id = ANY(%s::uuid[]) AND vector_space = %s
    ORDER BY memory_id LIMIT %s
)
"""
_SPREAD = """
SELECT avg(likeness), stddev_pop(likeness) FROM (
    SELECT -(vector <#> %s::vector) AS likeness FROM memory_memoryvector
    WHERE namespace_id = ANY(%s::uuid[]) AND space = %s LIMIT %s
) AS sample
"""
_SCAN = """
SELECT memory_id, -(vector <#> %s::vector) AS likeness FROM memory_memoryvector
WHERE namespace_id = ANY(%s::uuid[]) AND space = %s ORDER BY likeness DESC, memory_id LIMIT %s
"""
_BREADTH = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)
# The index holds half the precision (half the memory); what it names is measured in full.
_INDEXED = """
SELECT memory_id, -(vector <#> %s::vector) FROM (
    SELECT memory_id, vector FROM memory_memoryvector WHERE namespace_id = %s AND space = %s
    ORDER BY (vector::halfvec({dims})) <#> %s::halfvec({dims}) LIMIT %s
) AS near
"""
_THESE = """
SELECT memory_id, -(vector <#> %s::vector) FROM memory_memoryvector
WHERE memory_id = ANY(%s::uuid[]) AND namespace_id = ANY(%s::uuid[]) AND space = %s
"""
