"""How much a scope holds: what BM25 weighs by, what the floor rises with, and which way of search fits."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import connection

from core.scope import Scope


@dataclass(frozen=True)
class Sizes:
    """Indexed memories of a scope: how many, their mean length in terms, and how many have a vector, by namespace."""

    entries: int = 0
    mean_length: float = 1.0
    with_vector: Mapping[uuid.UUID, int] = field(default_factory=dict)

    @property
    def vectors(self) -> int:
        return sum(self.with_vector.values())


def sizes_of(*, scope: Scope, space: str) -> Sizes:
    """Counted anew each time, from one index alone; of a large namespace as it was counted last.

    50,000 entries would take several milliseconds of each question, and what the numbers weigh does not feel the few
    percent by which they may have drifted (``memory.services.common_terms``). Entries that still wait for their vector
    are always counted: whether any does is what an answer says of itself.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SIZES, {"homes": list(scope), "space": space})
        rows = cursor.fetchall()
    entries = sum(row[1] for row in rows)
    length = sum(row[2] for row in rows)
    return Sizes(
        entries=entries,
        mean_length=max(length / entries, 1.0) if entries else 1.0,
        with_vector={row[0]: row[3] for row in rows if row[3]},
    )


# For each namespace by itself: together they would look like most of the table, and be read from it. Those in another
# space by two ranges, which the index holds side by side; an inequality would read past all the others.
_SIZES = """
SELECT home, coalesce(known.count, n), coalesce(known.length, counted.length)::float8,
    CASE WHEN known.id IS NULL THEN seen ELSE greatest(known.count - below - above, 0) END
FROM unnest(%(homes)s::uuid[]) AS home
LEFT JOIN memory_commonterm known ON known.namespace_id = home AND known.term = '', LATERAL (
    SELECT count(*) AS n, sum(length) AS length, count(*) FILTER (WHERE vector_space = %(space)s) AS seen
    FROM memory_memoryindex WHERE namespace_id = home AND known.id IS NULL
) AS counted, LATERAL (
    SELECT count(*) AS below FROM memory_memoryindex
    WHERE namespace_id = home AND vector_space < %(space)s AND known.id IS NOT NULL
) AS before, LATERAL (
    SELECT count(*) AS above FROM memory_memoryindex
    WHERE namespace_id = home AND vector_space > %(space)s AND known.id IS NOT NULL
) AS after
WHERE coalesce(known.count, n) > 0
"""
