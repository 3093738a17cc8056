"""Fill in the vectors that indexed memories still wait for (design section 4, Recall)."""

from __future__ import annotations

from django.db import transaction

from memory.embedder import current_space, embed
from memory.models import Memory, MemoryIndex, MemoryVector

BATCH = 64


def fill_due(*, limit: int = 2_000) -> int:
    """Embed up to ``limit`` memories that lack a vector in the current space; returns how many were filled.

    The model runs outside the transaction; a memory that changed meanwhile is left for the next run.
    """
    space = current_space()
    filled = 0
    while space and filled < limit:
        due = list(
            MemoryIndex.objects.exclude(vector_space=space)
            .select_related("memory")
            .order_by("memory_id")[:BATCH]
        )
        made = embed([row.memory.content for row in due]) if due else None
        if made is None:
            break
        filled += _store(space, due, made[1])
        if len(due) < BATCH:
            break
    return filled


@transaction.atomic
def _store(space: str, due: list[MemoryIndex], vectors: list[list[float]]) -> int:
    versions = dict(
        Memory.objects.select_for_update(of=("self",))
        .filter(pk__in=[row.memory_id for row in due], status="active")
        .values_list("pk", "version")
    )
    stored = 0
    for row, vector in zip(due, vectors, strict=True):
        if versions.get(row.memory_id) != row.memory.version:
            continue
        MemoryVector.objects.update_or_create(
            memory_id=row.memory_id,
            space=space,
            defaults={"namespace_id": row.namespace_id, "version": row.memory.version, "vector": vector},
        )
        stored += MemoryIndex.objects.filter(memory_id=row.memory_id).update(vector_space=space)
    return stored
