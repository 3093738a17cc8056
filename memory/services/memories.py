"""What a person does with an approved memory: edit, retire, restore, delete (design section 4)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor, Decider, account_of
from core.errors import Invalid
from core.locks import lock
from core.nudge import nudge
from core.redact import redact
from memory import shortforms
from memory.models import Candidate, Memory
from memory.services import candidates
from memory.services.blocks import blocks_of
from memory.services.indexing import index_memory, unindex_memory
from memory.services.moving import home_for, memory_followed, refuse_parting
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
    user: Decider,
    content: str,
    kind: str,
    now: datetime,
    reason: str = "",
    group: uuid.UUID | None = None,
    namespace_id: uuid.UUID | None = None,
    aliases: Sequence[str] | None = None,
) -> Memory:
    """Change text, kind or short forms, secrets cut; the former ones stay in the history, search knows the new at once.

    ``aliases``: short forms that people ask by; None leaves them as they are. Invalid names the field.
    With ``namespace_id`` it also moves, and the candidates that led to it go along. Raises Conflict (``linked``: it
    replaced another memory or was replaced, and they stay together; ``taken``: its external id names another there).
    """
    content = redact(content).text.strip()
    memory = memory_for_review(memory_id=memory_id, user=user)
    candidates.validate(kind=kind, content=content, confidence=1)
    short = memory.aliases if aliases is None else _short_forms(aliases)
    home = home_for(memory=memory, namespace_id=namespace_id, user=user) if namespace_id else memory.namespace
    was_in = memory.namespace
    lock(f"gate:{was_in.pk}", f"gate:{home.pk}")
    moved = {"from": str(was_in.pk), "to": str(home.pk)} if home.pk != was_in.pk else {}
    if moved:
        refuse_parting(memory=memory, home=home)
    with _in_history(user, reason):
        change(
            memory,
            version=version,
            allowed=["active", "superseded", "retracted"],
            verb="memory.edited",
            actor=Actor.of(user),
            content=content,
            kind=kind,
            aliases=short,
            namespace=home,
            language=text.language(content),
            normal_hash=text.normal_hash(content),
            blocks=blocks_of(namespace_id=home.pk, kind=kind, content=content),
            changed_at=now,
            now=now,
            group=group,
            data={**moved, **({"reason": reason[:200]} if reason else {})},
        )
    if moved:
        memory_followed(memory=memory, was_in=was_in)
        nudge(
            "knowledge.proposals_tidy", queue="default"
        )  # what the room above proposes about it comes along
    if memory.status == "active":
        index_memory(memory=memory)
    return memory


@transaction.atomic
def memory_retire(
    *,
    memory_id: uuid.UUID,
    version: int,
    user: Decider,
    reason: str,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Memory:
    """Take it out of recall, undoably: ``wrong`` (it never was true) or ``outdated`` (it was)."""
    if reason not in RETIRE:
        raise Invalid(_("Say whether it was wrong or is outdated."), field="reason", allowed=list(RETIRE))
    memory = memory_for_review(memory_id=memory_id, user=user)
    lock(f"gate:{memory.namespace_id}")
    with _in_history(user, reason):
        change(
            memory,
            version=version,
            allowed=["active"],
            verb="memory.retired",
            actor=Actor.of(user),
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
    *, memory_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Memory:
    """Bring back a retired or superseded memory."""
    memory = memory_for_review(memory_id=memory_id, user=user)
    lock(f"gate:{memory.namespace_id}")
    with _in_history(user, "restore"):
        revive(memory, version=version, actor=Actor.of(user), group=group, now=now)
    return memory


@transaction.atomic
def memory_delete(*, memory_id: uuid.UUID, version: int, user: Decider, now: datetime) -> Memory:
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
        actor=Actor.of(user),
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


def _short_forms(given: Sequence[str]) -> list[str]:
    try:
        return shortforms.checked(given)
    except ValueError as error:
        raise Invalid(
            _("Give at most %(most)d short forms of at most %(chars)d characters.")
            % {"most": shortforms.MOST, "chars": shortforms.MAX_CHARS},
            field="aliases",
        ) from error


def _in_history(user: Decider, reason: str) -> Any:
    """Who and why, for the history rows that the triggers write."""
    actor, account = Actor.of(user), account_of(user)
    return pghistory.context(user=account.pk, by=account.get_username(), reason=actor.reason or reason)
