"""Everything of one namespace becomes another's: memory's part of a merge (design section 2)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F, QuerySet

from core.actor import Actor
from core.models import Namespace
from memory.models import (
    Candidate,
    Memory,
    MemoryIndex,
    MemoryTerm,
    MemoryVector,
    PromptChange,
    PromptOverride,
    Request,
    ReviewPolicy,
    TokenMeter,
    Tombstone,
)
from memory.services.blocks import blocks_of
from memory.services.indexing import unindex_memory
from memory.services.merging import absorb
from memory.services.transitions import change

BATCH = 500


@dataclass(frozen=True)
class Rehoused:
    """What moved, and what turned out to be there already: ``doubles`` candidates and ``superseded`` memories."""

    candidates: int
    memories: int
    doubles: int
    superseded: int


def namespace_rehouse(
    *, source: Namespace, target: Namespace, user: User, group: uuid.UUID, now: datetime
) -> Rehoused:
    """Move all of the source's rows, under the caller's locks of both gates and in its transaction.

    Said in both: an open candidate with the words of another, or of an active memory, becomes its duplicate; of two
    active memories with the same words the target's stays and supersedes the other. Prompts and policy of the target
    win; a policy that comes along alone is switched off, because nobody typed the target's name for it.
    """
    ours = set(Memory.objects.active().filter(namespace=target).values_list("pk", flat=True))
    doubles = _absorb_open(source, target, user, group, now)
    memories = Memory.objects.filter(namespace=source)
    _free_external_ids(source, target)
    moved_memories = memories_move(memories, target)
    superseded = _supersede_equal(target, ours, user, group, now)
    moved = candidates_move(Candidate.objects.filter(namespace=source), target)
    doubles += _absorb_known(target, user, group, now)
    tombstones_move(Tombstone.objects.filter(namespace=source), target)
    Request.objects.filter(namespace=source).update(namespace=target)
    _settings(source, target, now)
    conflicts_clear(namespaces=[target])
    return Rehoused(moved, moved_memories, doubles, superseded)


def candidates_move(rows: QuerySet[Candidate], target: Namespace) -> int:
    """Namespace and blocks, which are salted with it; texts, states and clocks stay. Returns how many."""
    return _move(rows.only("pk", "kind", "content"), target)


def memories_move(rows: QuerySet[Memory], target: Namespace) -> int:
    """With their index rows and history. A vector does not depend on where its memory lives. Returns how many."""
    ids = list(rows.values_list("pk", flat=True))
    moved = _move(rows.only("pk", "kind", "content"), target)
    for model in (MemoryIndex, MemoryTerm, MemoryVector):
        model.objects.filter(memory_id__in=ids).update(namespace=target)
    history: Any = Memory._meta.get_field("history").related_model
    history.objects.filter(pgh_obj_id__in=ids).update(namespace_id=target.pk)
    return moved


def tombstones_move(rows: QuerySet[Tombstone], target: Namespace) -> None:
    """Keyed hashes hold anywhere; blocks are made again from the rejected candidate, else from the normal form."""
    stones = list(rows.filter(reason="rejected"))
    texts = dict(
        Candidate.objects.filter(pk__in=[s.candidate_id for s in stones]).values_list("pk", "content")
    )
    for stone in stones:
        content = texts.get(stone.candidate_id or uuid.UUID(int=0)) or stone.text
        stone.blocks = blocks_of(namespace_id=target.pk, kind=stone.kind, content=content)
    Tombstone.objects.bulk_update(stones, ["blocks"], batch_size=BATCH)
    rows.update(namespace=target)


def conflicts_clear(*, namespaces: Iterable[Namespace]) -> None:
    """A candidate disagrees with memories of its own namespace alone: others its reviewers may not read."""
    rows = Candidate.objects.filter(namespace__in=list(namespaces), conflicts_with__isnull=False)
    for row in rows.exclude(conflicts_with__namespace=F("namespace")):
        Candidate.objects.filter(pk=row.pk).update(
            conflicts_with=None, flags=sorted(set(row.flags) - {"conflicts"})
        )


def _move(rows: QuerySet[Any], target: Namespace) -> int:
    moved = 0
    batch: list[Any] = []
    for row in list(rows):
        row.namespace = target
        row.blocks = (
            blocks_of(namespace_id=target.pk, kind=row.kind, content=row.content) if row.content else []
        )
        batch.append(row)
        if len(batch) == BATCH:
            moved += _store(batch)
            batch = []
    return moved + _store(batch)


def _store(batch: list[Any]) -> int:
    if not batch:
        return 0
    return int(type(batch[0]).objects.bulk_update(batch, ["namespace", "blocks"]))


def _open(namespace: Namespace) -> QuerySet[Candidate]:
    return Candidate.objects.open().filter(namespace=namespace).exclude(source="manual")


def _absorb_open(source: Namespace, target: Namespace, user: User, group: uuid.UUID, now: datetime) -> int:
    """The same words wait once in a namespace (a constraint): the source's go into the target's."""
    waiting = {(row.kind, row.normal_hash): row for row in _open(target)}
    doubles = 0
    for row in _open(source):
        twin = waiting.get((row.kind, row.normal_hash))
        if twin is not None:
            absorb(
                candidate=row, version=row.version, target=twin, memory=None, user=user, group=group, now=now
            )
            doubles += 1
    return doubles


def _absorb_known(target: Namespace, user: User, group: uuid.UUID, now: datetime) -> int:
    """What waited on one side and is a memory of the other has been decided already."""
    known = {(row.kind, row.normal_hash): row for row in Memory.objects.active().filter(namespace=target)}
    doubles = 0
    for row in _open(target):
        memory = known.get((row.kind, row.normal_hash))
        if memory is None:
            continue
        led = memory.candidates.filter(status="approved").order_by("decided_at").first()
        absorb(candidate=row, version=row.version, target=led, memory=memory, user=user, group=group, now=now)
        doubles += 1
    return doubles


def _supersede_equal(
    target: Namespace, ours: set[uuid.UUID], user: User, group: uuid.UUID, now: datetime
) -> int:
    rows = list(Memory.objects.active().filter(namespace=target).order_by("valid_from", "pk"))
    keep = {(row.kind, row.normal_hash): row for row in rows if row.pk in ours}
    superseded = 0
    for row in rows:
        kept = keep.get((row.kind, row.normal_hash))
        if row.pk in ours or kept is None:
            continue
        change(
            row,
            version=row.version,
            allowed=["active"],
            verb="memory.superseded",
            actor=Actor.person(user),
            status="superseded",
            status_reason="merged",
            superseded_by=kept,
            valid_to=max(kept.valid_from, row.valid_from),
            changed_at=now,
            now=now,
            group=group,
            data={"by": str(kept.pk)},
        )
        unindex_memory(memory_id=row.pk)
        superseded += 1
    return superseded


def _free_external_ids(source: Namespace, target: Namespace) -> None:
    """An operator's id names one memory in a namespace: the source's get its name in front where both have one."""
    taken = Memory.objects.filter(namespace=target).exclude(external_id="").values("external_id")
    for row in Memory.objects.filter(namespace=source, external_id__in=taken).only("pk", "external_id"):
        fresh = f"{source.name[:60]}:{str(row.pk)[-12:]}:{row.external_id}"[:200]
        Memory.objects.filter(pk=row.pk).update(external_id=fresh)


def _settings(source: Namespace, target: Namespace, now: datetime) -> None:
    for meter in TokenMeter.objects.filter(namespace=source):
        into, _created = TokenMeter.objects.get_or_create(namespace=target, day=meter.day)
        TokenMeter.objects.filter(pk=into.pk).update(
            tokens=F("tokens") + meter.tokens,
            calls=F("calls") + meter.calls,
            refused=F("refused") + meter.refused,
        )
    own = set(PromptOverride.objects.filter(namespace=target).values_list("prompt", flat=True))
    for model in (PromptOverride, PromptChange):
        model.objects.filter(namespace=source).exclude(prompt__in=own).update(namespace=target)
    policy = ReviewPolicy.objects.filter(namespace=source).first()
    if policy is None or ReviewPolicy.objects.filter(namespace=target).exists():
        return
    policy.namespace = target
    if policy.enabled:
        policy.enabled, policy.disabled_at, policy.disabled_reason = False, now, "merged"
    policy.save()
