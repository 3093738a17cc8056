"""Proposals go where their memories went: somebody moved a memory alone, to another namespace."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from core.actor import Actor
from core.errors import Conflict
from core.locks import lock
from knowledge import payloads
from knowledge.models import Proposal
from knowledge.note_payloads import KINDS
from knowledge.services.proposals import proposal_withdraw
from knowledge.services.transitions import change
from memory.models import Memory

BATCH = 500


def proposals_follow(*, now: datetime) -> int:
    """Take open proposals along; withdraw those whose memories are no longer in one place. Returns how many.

    Drafts of notes stay: their sources may live anywhere that their reviewers see. Safe to repeat.
    """
    away = Memory.objects.filter(proposals=OuterRef("pk")).exclude(namespace=OuterRef("namespace"))
    rows = Proposal.objects.filter(Exists(away), state="open").exclude(kind__in=KINDS).order_by("pk")
    followed = 0
    for proposal in rows[:BATCH]:
        try:
            _follow(proposal, now)
        except Conflict:
            continue  # somebody decided meanwhile
        followed += 1
    return followed


@transaction.atomic
def _follow(proposal: Proposal, now: datetime) -> None:
    memories = {row.pk: row for row in proposal.memories.defer("blocks")}
    homes = {row.namespace_id for row in memories.values()}
    home = homes.pop()
    lock(f"proposals:{home}")
    twins = Proposal.objects.filter(namespace=home, fingerprint=proposal.fingerprint)
    if homes or twins.exclude(state="withdrawn").exists():
        proposal_withdraw(proposal=proposal, now=now)
        return
    change(
        proposal,
        version=proposal.version,
        allowed=["open"],
        verb="proposal.moved",
        actor=Actor.system(),
        namespace_id=home,
        payload=_as_moved(proposal, memories),
        now=now,
    )


def _as_moved(proposal: Proposal, memories: dict[uuid.UUID, Memory]) -> dict[str, Any]:
    """The payload with the versions that the memories have since the move, where their words are still the same."""
    stored = payloads.write(payloads.read(proposal.kind, proposal.payload))

    def renewed(value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {"id", "version"}:
            memory = memories.get(uuid.UUID(value["id"]))
            same = memory is not None and _same_words(memory, value["version"])
            return {"id": value["id"], "version": memory.version if memory and same else value["version"]}
        if isinstance(value, list):
            return [renewed(each) for each in value]
        return value

    return {name: renewed(value) for name, value in stored.items()}


def _same_words(memory: Memory, version: int) -> bool:
    former: Any = memory.history  # type: ignore[attr-defined]
    texts = set(former.filter(version__gte=version).values_list("content", flat=True))
    return texts == {memory.content}
