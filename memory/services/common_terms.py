"""Count large namespaces and their common terms beforehand: every question weighs by them (design section 8)."""

from __future__ import annotations

import uuid

from django.db import connection, transaction
from django.db.models import Count

from memory.models import CommonTerm, MemoryIndex
from memory.recall import semantic

COMMON = 500  # memories that hold a term; counting fewer takes a tenth of a millisecond
STALE = 0.05  # counted again when a namespace grew or shrank by this share


def common_terms_tend() -> int:
    """Bring the counts up to date; returns how many namespaces were counted. Those that shrank are forgotten."""
    sizes = dict(
        MemoryIndex.objects.values_list("namespace_id")
        .annotate(count=Count("pk"))
        .filter(count__gt=semantic.EXACT_UP_TO)
        .values_list("namespace_id", "count")
    )
    CommonTerm.objects.exclude(namespace_id__in=sizes).delete()
    counted = dict(CommonTerm.objects.filter(term="").values_list("namespace_id", "count"))
    stale = [
        key for key, count in sizes.items() if key not in counted or abs(count - counted[key]) > STALE * count
    ]
    for namespace_id in stale:
        _count(namespace_id)
    return len(stale)


@transaction.atomic
def _count(namespace_id: uuid.UUID) -> None:
    CommonTerm.objects.filter(namespace_id=namespace_id).delete()
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [namespace_id, namespace_id, COMMON, namespace_id, namespace_id])


_COUNT = """
INSERT INTO memory_commonterm (namespace_id, term, count, length)
SELECT %s::uuid, term, count(*), 0 FROM memory_memoryterm
WHERE namespace_id = %s GROUP BY term HAVING count(*) >= %s
UNION ALL SELECT %s::uuid, '', count(*), coalesce(sum(length), 0) FROM memory_memoryindex WHERE namespace_id = %s
"""
