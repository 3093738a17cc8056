"""Erase everything that a namespace remembers (deleting an account; design section 8: complete and final)."""

from __future__ import annotations

from dataclasses import dataclass

from core.models import Namespace
from memory.models import Candidate, Memory, MemoryTerm, MemoryVector
from transcripts.services.erasing import traces_erase


@dataclass(frozen=True)
class Erased:
    candidates: int
    memories: int


def namespace_erase(*, namespace: Namespace) -> Erased:
    """Memories with history, index and vectors, candidates with evidence; the rest goes with the namespace's row.

    Inside the caller's transaction and under its lock of the gate.
    """
    memories = list(Memory.objects.filter(namespace=namespace).values_list("pk", flat=True))
    candidates = list(Candidate.objects.filter(namespace=namespace).values_list("pk", flat=True))
    traces_erase(memory_ids=memories, candidate_ids=candidates)
    # Postings first, in one statement: a hundred for each memory would be loaded one by one otherwise.
    MemoryTerm.objects.filter(memory_id__in=memories).delete()
    MemoryVector.objects.filter(memory_id__in=memories).delete()
    Candidate.objects.filter(namespace=namespace).delete()
    Memory.objects.filter(namespace=namespace).delete()
    return Erased(len(candidates), len(memories))
