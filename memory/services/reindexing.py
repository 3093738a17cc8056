"""Build what recall reads anew, in batches behind live search (design section 7, ``reindex``)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from core.models import Namespace
from core.scope import Scope
from memory.models import Memory, MemoryIndex
from memory.services.indexing import index_memories, unindex_memories

BATCH = 500


def words_rebuild(*, scope: Scope) -> Iterator[int]:
    """Write the postings of all active memories of the scope again, and drop rows of memories that are not active.

    Each batch is one transaction: a question sees a memory's former rows or its new ones, never neither. Yields how
    many memories were done so far.
    """
    ids = list(Memory.objects.in_namespaces(scope).active().order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH):
        with transaction.atomic():
            # Held until the batch is written, so that a retirement meanwhile comes after it and is not undone.
            rows = Memory.objects.in_namespaces(scope).active().filter(pk__in=ids[start : start + BATCH])
            index_memories(memories=list(rows.select_for_update(of=("self",), no_key=True).order_by("pk")))
        yield min(start + BATCH, len(ids))
    stale = MemoryIndex.objects.filter(namespace_id__in=scope.ids).exclude(memory__status="active")
    unindex_memories(memory_ids=list(stale.values_list("memory_id", flat=True)))


def every_namespace() -> Scope:
    """All of them, spelled out: an operator's maintenance is the one job that may touch everybody's."""
    return Namespace.objects.all().scope()
