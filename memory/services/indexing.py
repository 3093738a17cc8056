"""Keep what recall reads in step with the memories, in the deciding transaction (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence

from core import text
from core.nudge import nudge
from memory.models import Memory, MemoryIndex, MemoryTerm, MemoryVector

MAX_TERM = 100
MAX_COUNT = 32_767


def index_memory(*, memory: Memory) -> None:
    """Write the words of an active memory now, and ask for its vector right after the commit."""
    index_memories(memories=[memory])
    # By name: the worker computes the vector outside this transaction; until then words alone find it.
    nudge("memory.index_due", queue="default")


def index_memories(*, memories: Sequence[Memory]) -> None:
    """The same for many, in three statements."""
    ids = [memory.pk for memory in memories]
    _clear(ids)
    rows: list[MemoryIndex] = []
    postings: list[MemoryTerm] = []
    for memory in memories:
        counts = Counter(searchable_terms(memory))
        rows.append(
            MemoryIndex(
                memory=memory,
                namespace_id=memory.namespace_id,
                length=sum(counts.values()),
                version=memory.version,
            )
        )
        postings.extend(
            MemoryTerm(
                namespace_id=memory.namespace_id,
                memory_id=memory.pk,
                term=term[:MAX_TERM],
                count=min(count, MAX_COUNT),
            )
            for term, count in counts.items()
        )
    MemoryIndex.objects.bulk_create(rows)
    MemoryTerm.objects.bulk_create(postings, batch_size=5000)


def unindex_memory(*, memory_id: uuid.UUID) -> None:
    """Recall cannot return it any more, from this transaction on."""
    _clear([memory_id])
    MemoryVector.objects.filter(memory_id=memory_id).delete()


def searchable_terms(memory: Memory) -> list[str]:
    """Terms of the text and of the short forms a reviewer added."""
    return [term for part in (memory.content, *memory.aliases) for term in text.terms(part)]


def _clear(ids: Sequence[uuid.UUID]) -> None:
    MemoryTerm.objects.filter(memory_id__in=ids).delete()
    MemoryIndex.objects.filter(memory_id__in=ids).delete()
