"""What is new since the last night: read from the audit stream, which loses nothing (``models.run``, Watermark)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from core.models import AuditEvent
from core.services import audit
from knowledge.models import ConsolidationRun, Proposal
from memory.models import Memory


def changed_memories(run: ConsolidationRun) -> frozenset[uuid.UUID]:
    """Active memories that are new, changed, or part of a proposal that was decided meanwhile."""
    active = Memory.objects.active().filter(namespace=run.namespace_id)
    if not run.since_event:
        return frozenset(active.values_list("pk", flat=True))
    return frozenset(active.filter(pk__in=set(_named(run))).values_list("pk", flat=True))


def carried_memories(run: ConsolidationRun, stage: str) -> frozenset[uuid.UUID]:
    """Those of which this stage itself said, the night before, that it has to look at them again."""
    active = Memory.objects.active().filter(namespace=run.namespace_id)
    return frozenset(active.filter(pk__in=run.carried.get(stage, ())).values_list("pk", flat=True))


def _named(run: ConsolidationRun) -> Iterator[uuid.UUID]:
    events = AuditEvent.objects.filter(stream=audit.stream_of(run.namespace_id), seq__gt=run.since_event)
    for pk in events.filter(object_type="memory").values_list("object_id", flat=True):
        yield uuid.UUID(pk)
    for data in events.filter(verb="memory.loaded").values_list("data", flat=True):
        yield from map(uuid.UUID, data.get("memories", ()))
    # A decision frees the memories that had to wait for it.
    decided = events.filter(object_type="proposal").exclude(verb="proposal.filed")
    ids = [uuid.UUID(pk) for pk in decided.values_list("object_id", flat=True)]
    yield from Proposal.memories.through.objects.filter(proposal_id__in=ids).values_list(
        "memory_id", flat=True
    )
