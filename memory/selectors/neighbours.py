"""Which stored texts a new one may repeat: those that share its words or lie near in meaning, in one statement.

Asked under the namespace's lock by every scan that proposes something. Six queries through the ORM, each with its
vector written out, cost three times as much.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import connection

from memory.inputs import Vector

# Each is compared under the lock at half a millisecond; a repeat is among the very first.
BY_WORDS = 8
BY_MEANING = 4

# The last column of each part is the distance in meaning, null where there is no vector of this space.
# By meaning a rejected candidate speaks through the tombstone that it left.
_NEIGHBOURS = """
WITH asked AS MATERIALIZED (SELECT %(vector)s::vector AS vector), candidates AS NOT MATERIALIZED (
    SELECT id, blocks, status, CASE WHEN space = %(space)s THEN x.vector END AS vector
    FROM memory_candidate x
    WHERE namespace_id = %(namespace)s AND kind = ANY(%(kinds)s) AND id IS DISTINCT FROM %(exclude)s
), memories AS NOT MATERIALIZED (
    SELECT id, blocks FROM memory_memory
    WHERE namespace_id = %(namespace)s AND kind = ANY(%(kinds)s) AND status <> 'deleted'
), stones AS NOT MATERIALIZED (
    SELECT id, blocks, CASE WHEN space = %(space)s THEN x.vector END AS vector
    FROM memory_tombstone x
    WHERE namespace_id = %(namespace)s AND kind = ANY(%(kinds)s) AND lifted_at IS NULL AND reason = 'rejected'
)
(SELECT 'candidate', id, x.vector <=> asked.vector FROM candidates x, asked WHERE blocks && %(blocks)s
    ORDER BY (SELECT count(*) FROM unnest(blocks) AS own (block) WHERE block = ANY(%(blocks)s)) DESC, id
    LIMIT %(by_words)s)
UNION ALL
(SELECT 'memory', id, (
        SELECT v.vector <=> asked.vector FROM memory_memoryvector v WHERE v.memory_id = x.id AND v.space = %(space)s
    ) FROM memories x, asked WHERE blocks && %(blocks)s
    ORDER BY (SELECT count(*) FROM unnest(blocks) AS own (block) WHERE block = ANY(%(blocks)s)) DESC, id
    LIMIT %(by_words)s)
UNION ALL
(SELECT 'tombstone', id, x.vector <=> asked.vector FROM stones x, asked WHERE blocks && %(blocks)s
    ORDER BY (SELECT count(*) FROM unnest(blocks) AS own (block) WHERE block = ANY(%(blocks)s)) DESC, id
    LIMIT %(by_words)s)
UNION ALL
(SELECT 'candidate', id, x.vector <=> asked.vector AS far FROM candidates x, asked
    WHERE status <> 'rejected' AND x.vector IS NOT NULL AND %(space)s <> '' ORDER BY far LIMIT %(by_meaning)s)
UNION ALL
(SELECT 'memory', m.id, v.vector <=> asked.vector AS far FROM memory_memoryvector v
    JOIN memories m ON m.id = v.memory_id, asked
    WHERE v.namespace_id = %(namespace)s AND v.space = %(space)s ORDER BY far LIMIT %(by_meaning)s)
UNION ALL
(SELECT 'tombstone', id, x.vector <=> asked.vector AS far FROM stones x, asked
    WHERE x.vector IS NOT NULL AND %(space)s <> '' ORDER BY far LIMIT %(by_meaning)s)
"""


def neighbours(
    *,
    namespace_id: uuid.UUID,
    kinds: Sequence[str],
    blocks: Sequence[int],
    vector: Vector | None,
    exclude: uuid.UUID | None = None,
) -> dict[str, dict[uuid.UUID, float | None]]:
    """Cosine by id for each of ``candidate``, ``memory`` and ``tombstone``; None where nothing tells it.

    At most ``BY_WORDS`` of each share one of ``blocks``, and ``BY_MEANING`` more lie nearest to ``vector``. The caller
    has checked that its actor reaches the namespace.
    """
    values: dict[str, Any] = {
        "namespace": namespace_id,
        "kinds": list(kinds),
        "blocks": list(blocks),
        "exclude": exclude,
        "space": vector.space if vector else "",
        "vector": str(vector.values) if vector else None,
        "by_words": BY_WORDS,
        "by_meaning": BY_MEANING if vector else 0,
    }
    found: dict[str, dict[uuid.UUID, float | None]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_NEIGHBOURS, values)
        for table, pk, far in cursor.fetchall():
            found[table][pk] = None if far is None else 1.0 - far
    return found
