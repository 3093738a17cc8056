"""What is new since the last night: read from the audit stream, which loses nothing (``models.run``, Watermark)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from core.models import AuditEvent
from core.services import audit
from knowledge.models import ConsolidationRun, Proposal
from memory.models import Memory


def changed_memories(run: ConsolidationRun) -> frozenset[uuid.UUID]:
    """Active memories that are new, changed, part of a proposal decided meanwhile, or carried over."""
    active = Memory.objects.active().filter(namespace=run.namespace_id)
    if not run.since_event:
        return frozenset(active.values_list("pk", flat=True))
    named = set(_named(run))
    return frozenset(active.filter(pk__in=named).values_list("pk", flat=True))


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
    yield from map(uuid.UUID, run.carried)
