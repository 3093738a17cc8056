"""Whether the index holds the very words that today's rules find in each memory (design section 8, ``doctor``)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.db import connection

from core.scope import Scope
from memory.models import Memory, MemoryIndex
from memory.selectors.drift import EXAMPLES, Finding
from memory.services.indexing import term_counts

BATCH = 1_000


def words_differing(*, scope: Scope) -> Finding | None:
    """Memories whose stored words are others than their text and short forms have now, or None when there are none.

    Either rows were lost, or the rules of ``core.text`` changed since they were written. Reads every memory of the
    scope and all its words, a batch at a time.
    """
    found = [str(memory_id) for batch in _batches(scope) for memory_id in _differing(batch)]
    if not found:
        return None
    return Finding(
        code="other_words",
        meaning="memories whose words in the index are not those of their text by today's rules",
        cure="manage.py reindex --words",
        count=len(found),
        examples=tuple(found[:EXAMPLES]),
        urgent=True,
    )


def _batches(scope: Scope) -> Iterator[list[uuid.UUID]]:
    """Ids of entries that are of the present text; what has no entry, or a former one, is another finding."""
    rows = MemoryIndex.objects.filter(namespace_id__in=scope.ids, memory__status="active")
    ids = list(rows.order_by("memory_id").values_list("memory_id", flat=True))
    for start in range(0, len(ids), BATCH):
        yield ids[start : start + BATCH]


def _differing(ids: list[uuid.UUID]) -> Iterator[uuid.UUID]:
    # In one statement, so that a memory that is edited meanwhile is not compared with its former words.
    with connection.cursor() as cursor:
        cursor.execute(_STORED, [ids])
        stored = {
            row[0]: (row[1], row[2], dict(zip(row[3] or [], row[4] or [], strict=True))) for row in cursor
        }
    for memory_id, (content, aliases, words) in stored.items():
        if words != term_counts(Memory(content=content, aliases=aliases)):
            yield memory_id


_STORED = """
SELECT m.id, m.content, m.aliases, array_agg(t.term) FILTER (WHERE t.term IS NOT NULL),
    array_agg(t.count) FILTER (WHERE t.term IS NOT NULL)
FROM memory_memory m JOIN memory_memoryindex i ON i.memory_id = m.id AND i.version = m.version
LEFT JOIN memory_memoryterm t ON t.memory_id = m.id
WHERE m.id = ANY(%s::uuid[]) AND m.status = 'active'
GROUP BY m.id ORDER BY m.id
"""
