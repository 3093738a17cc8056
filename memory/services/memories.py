"""What a person does with an approved memory: edit, retire, restore, delete (design section 4)."""

from __future__ import annotations

import uuid
from datetime import datetime

import pghistory
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor
from core.errors import Invalid
from core.locks import lock
from core.nudge import nudge
from core.redact import redact
from memory.models import Candidate, Memory
from memory.services import candidates
from memory.services.blocks import blocks_of
from memory.services.indexing import index_memory, unindex_memory
from memory.services.promotion import erase, revive
from memory.services.tombstones import tombstone_for_deleted
from memory.services.transitions import change, memory_for_review
from transcripts.services.exposures import exposure_forget
from transcripts.services.pins import turn_unpin

RETIRE = {"wrong": "retracted", "outdated": "superseded"}


@transaction.atomic
def memory_edit(
    *,
    memory_id: uuid.UUID,
    version: int,
    user: User,
    content: str,
    kind: str,
    now: datetime,
    reason: str = "",
    group: uuid.UUID | None = None,
) -> Memory:
    """Change text or kind, secrets cut; the former text stays in the history, search knows the new one at once."""
    content = redact(content).text.strip()
    memory = memory_for_review(memory_id=memory_id, user=user)
    candidates.validate(kind=kind, content=content, confidence=1)
    lock(f"gate:{memory.namespace_id}")
    with pghistory.context(user=user.pk, by=user.get_username(), reason=reason):
        change(
            memory,
            version=version,
            allowed=["active", "superseded", "retracted"],
            verb="memory.edited",
            actor=Actor.person(user),
            content=content,
            kind=kind,
            language=text.language(content),
            normal_hash=text.normal_hash(content),
            blocks=blocks_of(namespace_id=memory.namespace_id, kind=kind, content=content),
            changed_at=now,
            now=now,
            group=group,
            data={"reason": reason[:200]} if reason else None,
        )
    if memory.status == "active":
        index_memory(memory=memory)
    return memory


@transaction.atomic
def memory_retire(
    *,
    memory_id: uuid.UUID,
    version: int,
    user: User,
    reason: str,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Memory:
    """Take it out of recall, undoably: ``wrong`` (it never was true) or ``outdated`` (it was)."""
    if reason not in RETIRE:
        raise Invalid(_("Say whether it was wrong or is outdated."), field="reason", allowed=list(RETIRE))
    memory = memory_for_review(memory_id=memory_id, user=user)
    lock(f"gate:{memory.namespace_id}")
    with pghistory.context(user=user.pk, by=user.get_username(), reason=reason):
        change(
            memory,
            version=version,
            allowed=["active"],
            verb="memory.retired",
            actor=Actor.person(user),
            status=RETIRE[reason],
            status_reason=reason,
            valid_to=now,
            changed_at=now,
            now=now,
            group=group,
            data={"reason": reason},
        )
    unindex_memory(memory_id=memory.pk)
    return memory


@transaction.atomic
def memory_restore(
    *, memory_id: uuid.UUID, version: int, user: User, now: datetime, group: uuid.UUID | None = None
) -> Memory:
    """Bring back a retired or superseded memory."""
    memory = memory_for_review(memory_id=memory_id, user=user)
    lock(f"gate:{memory.namespace_id}")
    with pghistory.context(user=user.pk, by=user.get_username(), reason="restore"):
        revive(memory, version=version, actor=Actor.person(user), group=group, now=now)
    return memory


@transaction.atomic
def memory_delete(*, memory_id: uuid.UUID, version: int, user: User, now: datetime) -> Memory:
    """Erase it for good: text, history, index, vectors, and the candidates that led to it with their quotes.

    What remains: the id, its states and hashes in the audit trail, and a tombstone of keyed hashes.
    The conversation it came from is a record of its own and stays until it is purged.
    """
    memory = memory_for_review(memory_id=memory_id, user=user)
    lock(f"gate:{memory.namespace_id}")
    content = memory.content
    change(
        memory,
        version=version,
        allowed=["active", "superseded", "retracted"],
        verb="memory.deleted",
        actor=Actor.person(user),
        status="deleted",
        status_reason="deleted",
        content="",
        normal_hash="",
        blocks=[],
        aliases=[],
        valid_to=now,
        changed_at=now,
        now=now,
    )
    erase(memory)
    tombstone_for_deleted(memory=memory, content=content, now=now)
    exposure_forget(record_type="memory", record_id=str(memory.pk))
    for candidate in Candidate.objects.filter(memory=memory):
        turn_unpin(holder=f"candidate:{candidate.pk}")
        candidate.delete()
    # By name: the room above erases what its proposals say about it; without a worker its nightly sweep does so.
    nudge("knowledge.proposals_tidy", queue="default")
    return memory
