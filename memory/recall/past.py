"""What was valid at some moment: the superseded memories that the index no longer holds (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.scope import Scope
from memory.embedder import embed
from memory.models import Memory
from memory.recall.lexical import Posting, Unindexed
from memory.services.indexing import length_of, term_counts

# Vectors of superseded memories are not kept; this many are computed when asked for, the rest go by words alone.
MOST_VECTORS = 64


@dataclass(frozen=True)
class Past:
    """Superseded memories that were valid then, ready to be ranked by their words, and by meaning where known."""

    memories: Sequence[Memory]
    unindexed: Unindexed

    def likeness(
        self, *, space: str, vector: Sequence[float], first: Collection[uuid.UUID]
    ) -> dict[uuid.UUID, float]:
        """Likeness of these memories, computed now: at most ``MOST_VECTORS``, those among ``first`` before others."""
        some = sorted(self.memories, key=lambda memory: (memory.pk not in first, memory.pk))[:MOST_VECTORS]
        made = embed([memory.content for memory in some])
        if made is None or made[0] != space:
            return {}
        return {
            memory.pk: sum(a * b for a, b in zip(vector, own, strict=True))
            for memory, own in zip(some, made[1], strict=True)
        }


def past(*, scope: Scope, as_of: datetime) -> Past:
    """True then, corrected since. Retracted ones were never true, deleted ones are gone: neither comes back."""
    memories = list(
        Memory.objects.in_namespaces(scope).filter(
            status="superseded", valid_from__lte=as_of, valid_to__gt=as_of
        )
    )
    postings: list[Posting] = []
    lengths: dict[uuid.UUID, int] = {}
    for memory in memories:
        counts = term_counts(memory)
        lengths[memory.pk] = length_of(counts)
        postings.extend(Posting(memory.pk, term, count) for term, count in counts.items())
    return Past(memories, Unindexed(postings, lengths))
