"""Candidate to memory and back, inside the deciding transaction (lessons row 12)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Min
from django.utils.translation import gettext as _

from core import faults
from core.actor import Actor
from core.errors import Conflict, NotFound
from core.services import audit
from core.text import sha256
from memory.models import Candidate, Evidence, Memory, MemoryReport
from memory.services.indexing import index_memory, unindex_memory
from memory.services.transitions import change


def promote(
    *, candidate: Candidate, actor: Actor, replaces: uuid.UUID | None, group: uuid.UUID | None, now: datetime
) -> Memory:
    """Create and index the memory of an approved candidate; supersede what it corrects."""
    evidence_at = Evidence.objects.filter(candidate=candidate).aggregate(first=Min("at"))["first"]
    memory = Memory.objects.create(
        namespace_id=candidate.namespace_id,
        kind=candidate.kind,
        content=candidate.content,
        language=candidate.language,
        normal_hash=candidate.normal_hash,
        blocks=candidate.blocks,
        trust=candidate.trust,
        actor="policy" if actor.type == "policy" else "person",
        valid_from=evidence_at or candidate.first_seen_at,
        approved_at=now,
        changed_at=now,
    )
    Candidate.objects.filter(pk=candidate.pk).update(memory=memory)
    candidate.memory = memory
    index_memory(memory=memory)
    audit.record(
        stream=audit.stream_of(memory.namespace_id),
        verb="memory.created",
        actor=actor,
        object_type="memory",
        object_id=memory.pk,
        to_state="active",
        group=group,
        data={"candidate": str(candidate.pk), "sha256": sha256(memory.content)},
        now=now,
    )
    if replaces is not None:
        supersede(old_id=replaces, new=memory, actor=actor, group=group, now=now)
    return memory


@transaction.atomic
def promotion_failed(
    candidate: Candidate,
    *,
    version: int,
    actor: Actor,
    error: Exception,
    now: datetime,
    group: uuid.UUID | None = None,
) -> None:
    """Keep a candidate that could not become a memory, with what broke, until a person looks. Raises Conflict."""
    change(
        candidate,
        version=version,
        allowed=["pending", "needs_attention"],
        verb="candidate.promotion_failed",
        actor=actor,
        status="needs_attention",
        error=faults.brief(error),
        now=now,
        group=group,
    )


def supersede(
    *, old_id: uuid.UUID, new: Memory, actor: Actor, group: uuid.UUID | None, now: datetime
) -> Memory:
    """Close the old memory: it was true until the new one became so."""
    old = Memory.objects.filter(pk=old_id, namespace_id=new.namespace_id).first()
    if old is None:
        raise NotFound(_("The memory to replace is not in this namespace."), field="replaces")
    change(
        old,
        version=old.version,
        allowed=["active"],
        verb="memory.superseded",
        actor=actor,
        status="superseded",
        superseded_by=new,
        valid_to=max(new.valid_from, old.valid_from),
        changed_at=now,
        now=now,
        group=group,
        data={"by": str(new.pk)},
    )
    unindex_memory(memory_id=old.pk)
    return old


def demote(*, memory: Memory, actor: Actor, group: uuid.UUID | None, now: datetime) -> None:
    """Undo of an approval: the memory is deleted as *undone*, without a tombstone, and what it replaced lives again."""
    if memory.version != 1 or memory.status != "active":
        raise Conflict(
            _("The memory was changed after it was approved; retire or delete it instead."),
            code="changed_since",
            status=memory.status,
            version=memory.version,
        )
    change(
        memory,
        version=1,
        allowed=["active"],
        verb="memory.undone",
        actor=actor,
        status="deleted",
        status_reason="undone",
        content="",
        normal_hash="",
        blocks=[],
        aliases=[],
        valid_to=now,
        changed_at=now,
        now=now,
        group=group,
    )
    erase(memory)
    for old in Memory.objects.filter(superseded_by=memory, status="superseded"):
        revive(old, version=old.version, actor=actor, group=group, now=now)


def revive(memory: Memory, *, version: int, actor: Actor, group: uuid.UUID | None, now: datetime) -> None:
    """Bring a retired or superseded memory back, and into recall at once. Raises Conflict."""
    change(
        memory,
        version=version,
        allowed=["superseded", "retracted"],
        verb="memory.restored",
        actor=actor,
        status="active",
        status_reason="",
        superseded_by=None,
        valid_to=None,
        changed_at=now,
        now=now,
        group=group,
    )
    index_memory(memory=memory)


def erase(memory: Memory) -> None:
    """Remove every copy of the text that the memory itself left: history rows, reports about it, index, vectors."""
    memory.history.all().delete()  # type: ignore[attr-defined]
    MemoryReport.objects.filter(memory=memory).delete()
    unindex_memory(memory_id=memory.pk)
