"""Keep what recall reads in step with the memories, in the deciding transaction (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import connection

from core import text
from core.nudge import nudge
from memory.models import Memory, MemoryIndex, MemoryTerm, MemoryVector

MAX_TERM = 100
MAX_COUNT = 32_767
_COPY = "COPY memory_memoryterm (namespace_id, memory_id, term, count, length) FROM STDIN"


def index_memory(*, memory: Memory) -> None:
    """Write the words of an active memory now, and ask for its vector right after the commit."""
    index_memories(memories=[memory])
    # By name: the worker computes the vector outside this transaction; until then words alone find it.
    nudge("memory.index_due", queue="default")


def index_memories(*, memories: Sequence[Memory]) -> None:
    """The same for many, in a handful of statements. A vector of the very same version stays."""
    ids = [memory.pk for memory in memories]
    spaces = _spaces_kept(memories)
    _clear(ids)
    rows: list[MemoryIndex] = []
    postings: list[tuple[uuid.UUID, uuid.UUID, str, int, int]] = []
    for memory in memories:
        counts = term_counts(memory)
        length = length_of(counts)
        rows.append(
            MemoryIndex(
                memory=memory,
                namespace_id=memory.namespace_id,
                length=length,
                version=memory.version,
                vector_space=spaces.get(memory.pk, ""),
            )
        )
        postings.extend(
            (memory.namespace_id, memory.pk, term, count, length) for term, count in counts.items()
        )
    MemoryIndex.objects.bulk_create(rows)
    _store(postings)


def unindex_memory(*, memory_id: uuid.UUID) -> None:
    """Recall cannot return it any more, from this transaction on."""
    unindex_memories(memory_ids=[memory_id])


def unindex_memories(*, memory_ids: Sequence[uuid.UUID]) -> None:
    _clear(memory_ids)
    MemoryVector.objects.filter(memory_id__in=memory_ids).delete()


def searchable_terms(memory: Memory) -> list[str]:
    """Terms of the text and of the short forms a reviewer added."""
    return [term for part in (memory.content, *memory.aliases) for term in text.terms(part)]


def term_counts(memory: Memory) -> dict[str, int]:
    """How often each term stands in the memory, within the limits of the table."""
    counts = Counter(term[:MAX_TERM] for term in searchable_terms(memory))
    return {term: min(count, MAX_COUNT) for term, count in counts.items()}


def length_of(counts: Mapping[str, int]) -> int:
    """The memory's length for BM25. Words that may find nothing alone do not make it longer either (measured)."""
    return sum(count for term, count in counts.items() if not text.is_weak_term(term))


def _store(postings: Sequence[tuple[uuid.UUID, uuid.UUID, str, int, int]]) -> None:
    """By COPY: a memory has dozens of postings, and as model instances they take most of an import's time."""
    # The driver's own COPY raises its own errors; the gate knows Django's.
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(_COPY) as copy:
        for posting in postings:
            copy.write_row(posting)


def _spaces_kept(memories: Sequence[Memory]) -> dict[uuid.UUID, str]:
    """The space in which each memory has a vector of its present text; vectors of former texts are removed.

    An edited memory must not be found by what it no longer says, not even until the job has run.
    """
    versions = {memory.pk: memory.version for memory in memories}
    stale: list[int] = []
    kept: dict[uuid.UUID, str] = {}
    found = MemoryVector.objects.filter(memory_id__in=versions).values_list(
        "pk", "memory_id", "version", "space"
    )
    for pk, memory_id, version, space in found:
        if version == versions[memory_id]:
            kept[memory_id] = space
        else:
            stale.append(pk)
    if stale:
        MemoryVector.objects.filter(pk__in=stale).delete()
    return kept


def _clear(ids: Sequence[uuid.UUID]) -> None:
    MemoryTerm.objects.filter(memory_id__in=ids).delete()
    MemoryIndex.objects.filter(memory_id__in=ids).delete()
