"""From judged pairs to changes: who replaces whom, each memory leaving in one change at most."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from knowledge.night.facts import Fact
from knowledge.night.pairs import Judged
from knowledge.night.protection import may_rewrite

Kept = Literal["busy", "conflict", "protected", "enough"]


@dataclass(frozen=True)
class Pair:
    """Two memories and what was found about them."""

    a: Fact
    b: Fact
    judged: Judged


@dataclass(frozen=True)
class Change:
    """``stays`` replaces every one of ``leaves``: duplicates in a merge, what was true before in a supersede."""

    kind: Literal["merge", "supersede"]
    stays: Fact
    leaves: tuple[Fact, ...]
    confidence: float
    why: str
    details: tuple[str, ...] = ()


@dataclass
class Changes:
    """What to propose, and what was left alone, by reason; ``later`` are those to look at again."""

    found: list[Change] = field(default_factory=list)
    left: Counter[Kept] = field(default_factory=Counter)
    later: set[uuid.UUID] = field(default_factory=set)


class _Places:
    """Who leaves and who stays. What leaves in one open change can be in no other, or one would tear the other."""

    def __init__(self, leaving: Collection[uuid.UUID], staying: Collection[uuid.UUID]) -> None:
        self.leaving, self.staying = set(leaving), set(staying)

    def free(self, *, stays: Fact, leaves: Fact) -> bool:
        return (
            stays.id not in self.leaving and leaves.id not in self.leaving and leaves.id not in self.staying
        )

    def take(self, *, stays: Fact, leaves: Iterable[Fact]) -> None:
        self.staying.add(stays.id)
        self.leaving.update(fact.id for fact in leaves)


def changes(
    pairs: Iterable[Pair],
    *,
    now: datetime,
    limit: int,
    apart: Collection[frozenset[uuid.UUID]] = frozenset(),
    leaving: Collection[uuid.UUID] = (),
    staying: Collection[uuid.UUID] = (),
) -> Changes:
    """Corrections first, then duplicates among what they leave; the surest first, at most ``limit`` changes.

    ``apart``: two memories that conflict. ``leaving`` and ``staying``: those of proposals that are open already.
    Duplicates form stars, not chains: each one that leaves is the same as the one that stays, and conflicts with none
    of the others.
    """
    pairs = list(pairs)
    places = _Places(leaving, staying)
    result = Changes()
    _corrections(pairs, places, result, now, limit)
    _duplicates(pairs, set(apart), places, result, now, limit)
    return result


def _corrections(
    pairs: Collection[Pair], places: _Places, result: Changes, now: datetime, limit: int
) -> None:
    found = [p.judged for p in pairs if p.judged.finding == "supersede"]
    # Of several later words the latest is the one that is true now.
    found.sort(key=lambda j: (-(j.newer.said_at.timestamp() if j.newer else 0), -j.confidence, _name(j)))
    gone: set[uuid.UUID] = set()
    for judged in found:
        old, new = judged.old, judged.newer
        if old is None or new is None or old.id in gone:
            continue
        if not places.free(stays=new, leaves=old):
            _leave(result, "busy", old, new)
        elif not may_rewrite(old=old.text, new=new.text, used_at=old.used_at, now=now):
            result.left["protected"] += 1
        elif len(result.found) >= limit:
            _leave(result, "enough", old, new)
        else:
            places.take(stays=new, leaves=[old])
            gone.add(old.id)
            result.found.append(
                Change("supersede", new, (old,), judged.confidence, judged.why, judged.details)
            )


def _duplicates(
    pairs: Collection[Pair],
    apart: set[frozenset[uuid.UUID]],
    places: _Places,
    result: Changes,
    now: datetime,
    limit: int,
) -> None:
    near: dict[uuid.UUID, dict[uuid.UUID, Judged]] = defaultdict(dict)
    facts: dict[uuid.UUID, Fact] = {}
    for pair in pairs:
        if pair.judged.finding == "merge":
            facts.update({pair.a.id: pair.a, pair.b.id: pair.b})
            near[pair.a.id][pair.b.id] = near[pair.b.id][pair.a.id] = pair.judged
        else:
            apart.add(frozenset((pair.a.id, pair.b.id)))
    done: set[uuid.UUID] = set()
    for stays in sorted(facts.values(), key=lambda f: (len(near[f.id]), f.weight), reverse=True):
        if stays.id in done:
            continue
        star = _star(stays, near[stays.id], facts, apart, done, places, result, now)
        if not star:
            continue
        done.update({stays.id, *(fact.id for fact in star)})
        if len(result.found) >= limit:
            _leave(result, "enough", stays, *star)
            continue
        places.take(stays=stays, leaves=star)
        surest = [near[stays.id][fact.id] for fact in star]
        least = min(surest, key=lambda judged: judged.confidence)
        result.found.append(Change("merge", stays, tuple(star), least.confidence, least.why, least.details))


def _star(
    stays: Fact,
    near: Mapping[uuid.UUID, Judged],
    facts: Mapping[uuid.UUID, Fact],
    apart: Collection[frozenset[uuid.UUID]],
    done: Collection[uuid.UUID],
    places: _Places,
    result: Changes,
    now: datetime,
) -> list[Fact]:
    star: list[Fact] = []
    for pk in sorted(near, key=lambda pk: (-near[pk].confidence, str(pk))):
        other = facts[pk]
        if pk in done:
            continue
        if not places.free(stays=stays, leaves=other):
            _leave(result, "busy", stays, other)
        elif any(frozenset((pk, member.id)) in apart for member in star):
            result.left["conflict"] += 1
        elif not may_rewrite(old=other.text, new=stays.text, used_at=other.used_at, now=now):
            result.left["protected"] += 1
        else:
            star.append(other)
    return star


def _leave(result: Changes, reason: Kept, *facts: Fact) -> None:
    result.left[reason] += 1
    if reason == "enough":  # a busy one comes back by itself when its proposal is decided
        result.later.update(fact.id for fact in facts)


def _name(judged: Judged) -> tuple[str, str]:
    return str(judged.old and judged.old.id), str(judged.newer and judged.newer.id)
