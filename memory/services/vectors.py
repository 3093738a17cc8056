"""Fill in the vectors that indexed memories still wait for (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import structlog
from django.db import models, transaction

from core.locks import only_one
from core.nudge import nudge
from core.scope import Scope
from memory.embedder import current_space, embed
from memory.models import Memory, MemoryIndex, MemoryVector

BATCH = 128  # between two batches the second core waits; a new approval waits for one
_log = structlog.get_logger(__name__)


def fill_due(*, limit: int = 2_000) -> int:
    """Embed up to ``limit`` memories that lack a vector in the current space; returns how many were filled.

    One filler at a time: each approval nudges one, and twenty of them would compute the same vectors. Who finds
    it taken may go, because the filler looks once more after it let go. A text that the model refuses must not
    keep the others waiting: it is passed over until the next call.
    """
    space = current_space()
    filled = 0
    passed_over: set[uuid.UUID] = set()
    while space and filled < limit and _due(space, passed_over).exists():
        with only_one("memory.vectors") as mine:
            if not mine:
                break
            while filled < limit:
                due = list(_due(space, passed_over).select_related("memory")[: min(BATCH, limit - filled)])
                made = _embed_each(due) if due else []
                if made is None:
                    return filled
                stored = _store(space, due, made)
                filled += len(stored)
                passed_over.update(row.memory_id for row in due if row.memory_id not in stored)
                if not due:
                    break
    if filled >= limit:  # a long import goes on in a task of its own, so that none runs for ever
        nudge("memory.index_due", queue="default")
    return filled


def _due(space: str, passed_over: set[uuid.UUID]) -> models.QuerySet[MemoryIndex]:
    return (
        MemoryIndex.objects.exclude(vector_space=space)
        .exclude(memory_id__in=passed_over)
        .order_by("memory_id")
    )


def vectors_forget(*, scope: Scope) -> int:
    """Ask for new vectors of all memories in the scope. The old ones serve until each is replaced."""
    return (
        MemoryIndex.objects.filter(namespace_id__in=scope.ids)
        .exclude(vector_space="")
        .update(vector_space="")
    )


def _embed_each(due: Sequence[MemoryIndex]) -> list[list[float] | None] | None:
    """A vector for each row, None for a text that has none; None altogether when there is no model now.

    The model runs outside transactions: it computes for seconds, or asks the network.
    """
    made = embed([row.memory.content for row in due])
    if made is not None or len(due) < 2:
        return list(made[1]) if made else None
    singles = [embed([row.memory.content]) for row in due[:2]]
    if not any(singles):  # not one text: the model itself is away
        return None
    singles += [embed([row.memory.content]) for row in due[2:]]
    _log.warning("texts_without_vector", count=singles.count(None))
    return [single[1][0] if single else None for single in singles]


@transaction.atomic
def _store(space: str, due: Sequence[MemoryIndex], vectors: Sequence[list[float] | None]) -> set[uuid.UUID]:
    versions = dict(
        Memory.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=[row.memory_id for row in due], status="active")
        .order_by("pk")
        .values_list("pk", "version")
    )
    rows = [
        MemoryVector(
            memory_id=row.memory_id,
            namespace_id=row.namespace_id,
            space=space,
            version=row.memory.version,
            vector=vector,
        )
        for row, vector in zip(due, vectors, strict=True)
        if vector is not None and versions.get(row.memory_id) == row.memory.version
    ]
    ids = {row.memory_id for row in rows}
    # A former model's vectors can answer no question of the current one.
    MemoryVector.objects.filter(memory_id__in=ids).exclude(space=space).delete()
    MemoryVector.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["memory", "space"],
        update_fields=["namespace", "version", "vector"],
    )
    MemoryIndex.objects.filter(memory_id__in=ids).update(vector_space=space)
    return ids
