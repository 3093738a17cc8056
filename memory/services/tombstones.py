"""Tombstones: what a rejection or deletion leaves, so that the same is not proposed again (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from core import text
from core.hashing import key_for
from memory import dedupe
from memory.models import Candidate, Memory, Tombstone
from memory.services.blocks import blocks_of


def tombstone_for_candidate(*, candidate: Candidate, reason: str, now: datetime) -> Tombstone:
    """After a rejection: normalised text and vector. As *private*: keyed hashes only."""
    private = reason == "private"
    return Tombstone.objects.create(
        namespace_id=candidate.namespace_id,
        kind=candidate.kind,
        reason="private" if private else "rejected",
        text="" if private else text.normal_form(candidate.content),
        hashes=_hashes(candidate.content),
        blocks=[]
        if private
        else blocks_of(namespace_id=candidate.namespace_id, kind=candidate.kind, content=candidate.content),
        space="" if private else candidate.space,
        vector=None if private else candidate.vector,
        candidate_id=candidate.pk,
        created_at=now,
    )


def tombstone_for_deleted(*, memory: Memory, content: str, now: datetime) -> Tombstone:
    """After a deletion nothing of the text remains readable."""
    return Tombstone.objects.create(
        namespace_id=memory.namespace_id,
        kind=memory.kind,
        reason="deleted",
        hashes=_hashes(content),
        memory_id=memory.pk,
        created_at=now,
    )


def tombstones_lift(*, candidate_id: uuid.UUID, now: datetime) -> int:
    """Undo of a rejection: the text may be proposed again."""
    return Tombstone.objects.filter(candidate_id=candidate_id, lifted_at=None).update(lifted_at=now)


def standing_tombstone(
    *, namespace_id: uuid.UUID, kind: str, content: str, same: Sequence[Tombstone]
) -> Tombstone | None:
    """The tombstone that holds this text back: one found alike, or one whose keyed hashes fit."""
    if same:
        return same[0]
    return Tombstone.objects.filter(
        namespace_id=namespace_id, kind=kind, lifted_at=None, hashes__overlap=_hashes(content)
    ).first()


def _hashes(content: str) -> list[str]:
    return dedupe.keyed_hashes(content, key_for("tombstone"))
