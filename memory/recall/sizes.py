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
    """Counted anew each time, from one index alone (50,000 entries take a few milliseconds): kept numbers drift."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES, [list(scope), space])
        rows = cursor.fetchall()
    entries = sum(row[1] for row in rows)
    length = sum(row[2] for row in rows)
    return Sizes(
        entries=entries,
        mean_length=max(length / entries, 1.0) if entries else 1.0,
        with_vector={row[0]: row[3] for row in rows if row[3]},
    )


# For each namespace by itself: together they would look like most of the table, and be read from it.
_SIZES = """
SELECT home, n, length, seen FROM unnest(%s::uuid[]) AS home, LATERAL (
    SELECT count(*) AS n, sum(length)::float8 AS length, count(*) FILTER (WHERE vector_space = %s) AS seen
    FROM memory_memoryindex WHERE namespace_id = home
) AS counted WHERE n > 0
"""
