"""What came from certain sessions moves to another namespace: memory's part of a split (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from core.models import Namespace
from memory.models import Candidate, Memory, Request, Sighting, Tombstone
from memory.services.rehousing import candidates_move, conflicts_clear, memories_move, tombstones_move


@dataclass(frozen=True)
class Branched:
    candidates: int
    memories: int


@dataclass(frozen=True)
class Leaving:
    """Ids of what a split takes along."""

    candidates: set[uuid.UUID]
    memories: set[uuid.UUID]


def namespace_branch_off(
    *, source: Namespace, target: Namespace, session_ids: Collection[uuid.UUID]
) -> Branched:
    """Move candidates that these sessions alone have seen, the memories they became, their tombstones and requests.

    What other sessions have seen too stays: it belongs to both places, and the source had it first. What hangs
    together (a memory and what it superseded, a duplicate and its target) goes together or not at all. Runs under the
    caller's locks of both gates, in its transaction.
    """
    chosen = set(session_ids)
    going = leaving(source=source, session_ids=chosen)
    candidates, memories = going.candidates, going.memories
    tombstones_move(
        Tombstone.objects.filter(namespace=source, candidate_id__in=candidates)
        | Tombstone.objects.filter(namespace=source, memory_id__in=memories),
        target,
    )
    moved_memories = memories_move(Memory.objects.filter(pk__in=memories), target)
    moved = candidates_move(Candidate.objects.filter(pk__in=candidates), target)
    Request.objects.filter(namespace=source, session_id__in=chosen).update(namespace=target)
    conflicts_clear(namespaces=[source, target])
    return Branched(moved, moved_memories)


def leaving(*, source: Namespace, session_ids: Collection[uuid.UUID]) -> Leaving:
    """Candidates and memories that may leave: the largest set in which nothing clings to what stays. Reads only."""
    chosen = set(session_ids)
    rows = {row.pk: row for row in Candidate.objects.filter(namespace=source).defer("vector", "blocks")}
    elsewhere = set(
        Sighting.objects.filter(candidate__in=rows)
        .exclude(session__in=chosen)
        .values_list("candidate_id", flat=True)
    )
    going = {pk for pk, row in rows.items() if row.session_id in chosen and pk not in elsewhere}
    memories = {row.pk: row for row in Memory.objects.filter(namespace=source).only("pk", "superseded_by_id")}
    away = {row.memory_id for pk, row in rows.items() if pk in going and row.memory_id in memories}
    links = [(row.pk, row.superseded_by_id) for row in memories.values() if row.superseded_by_id in memories]
    while True:
        size = len(going) + len(away)
        stay = {row.memory_id for pk, row in rows.items() if pk not in going}
        away = {pk for pk in away if pk not in stay}
        away -= {end for old, new in links if (old in away) != (new in away) for end in (old, new)}
        going -= {pk for pk in going if rows[pk].memory_id in memories and rows[pk].memory_id not in away}
        merged = [(pk, row.merged_into_id) for pk, row in rows.items() if row.merged_into_id in rows]
        going -= {end for one, into in merged if (one in going) != (into in going) for end in (one, into)}
        if len(going) + len(away) == size:
            return Leaving(going, {pk for pk in away if pk is not None})
