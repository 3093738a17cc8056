"""Duplicates and corrections among the memories: merge and supersede (design section 6)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from itertools import islice

from core.text import sha256
from knowledge.night.clusters import Change, Changes, Pair, changes
from knowledge.night.facts import Fact
from knowledge.night.limits import PAIRS_A_NIGHT
from knowledge.night.neighbours import candidate_pairs
from knowledge.night.pairs import judge
from knowledge.services.night import sentences
from knowledge.services.night.reading import Facts, blocks, cosines
from knowledge.services.night.settled import held, refused
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Draft, Findings, Night, Source
from memory.embedder import current_space

_AT_ONCE = 2_000  # pairs
_SKIPS = {
    "busy": Skip.BUSY,
    "conflict": Skip.CONFLICT_IN_CLUSTER,
    "protected": Skip.PROTECTED,
    "enough": Skip.ENOUGH,
}


class Compare:
    """Only pairs that touch something changed are read: a night with nothing new compares nothing.

    What waits for a person counts to the night's limit: a queue that nobody works through does not grow.
    """

    name = "compare"

    def __call__(self, night: Night) -> Findings:
        found = Findings(looked_at=len(night.changed))
        if not night.changed:
            return found
        pairs = candidate_pairs(blocks(night.namespace, night.changed), night.changed)
        settled, waiting = refused(night.namespace), held(night.namespace)
        apart: set[frozenset[uuid.UUID]] = set()
        result = changes(
            [pair for pair in _judged(night, pairs, apart, found) if not _refused(pair, settled, found)],
            now=night.now,
            limit=max(0, PAIRS_A_NIGHT - waiting.pairing),
            apart=apart,
            leaving=waiting.leaving,
            staying=waiting.staying,
        )
        _report(result, found)
        found.skipped[Skip.CONTRADICTION] = len(apart)
        found.skipped = +found.skipped  # without the zeros
        found.drafts = [_draft(change) for change in result.found]
        return found


def _judged(
    night: Night,
    pairs: Iterator[tuple[uuid.UUID, uuid.UUID]],
    apart: set[frozenset[uuid.UUID]],
    found: Findings,
) -> Iterator[Pair]:
    """Repeats and corrections. Of a conflict the ids are noted in ``apart``; everything else is forgotten at once."""
    facts = Facts(night.namespace)
    has_vectors = bool(current_space())
    while batch := list(islice(pairs, _AT_ONCE)):
        night.keep_alive()
        known = facts.get(pk for pair in batch for pk in pair)
        near = cosines(batch)
        for a, b in batch:
            if a not in known or b not in known:
                continue
            judged = judge(known[a], known[b], cosine=near.get((a, b)))
            if judged.finding in ("merge", "supersede"):
                yield Pair(known[a], known[b], judged)
            elif judged.finding == "conflict":
                apart.add(frozenset((a, b)))
            elif judged.details and has_vectors and (a, b) not in near:
                found.skipped[Skip.NO_VECTOR] += 1  # alike by words; tomorrow the model can be asked
                found.carry.update((a, b))


def _refused(pair: Pair, settled: set[frozenset[str]], found: Findings) -> bool:
    if frozenset((sha256(pair.a.text), sha256(pair.b.text))) not in settled:
        return False
    found.skipped[Skip.REFUSED_BEFORE] += 1
    return True


def _report(result: Changes, found: Findings) -> None:
    for reason, count in result.left.items():
        found.skipped[_SKIPS[reason]] += count
    found.carry |= result.later


def _draft(change: Change) -> Draft:
    leaves = [_ref(fact) for fact in change.leaves]
    if change.kind == "merge":
        payload = {"keep": _ref(change.stays), "drop": leaves, "content": ""}
    else:
        payload = {"old": leaves[0], "new": _ref(change.stays)}
    return Draft(
        kind=change.kind,
        payload=payload,
        reason=sentences.of_change(change),
        confidence=change.confidence,
        sources=sources([change.stays, *change.leaves]),
    )


def sources(facts: Iterable[Fact]) -> tuple[Source, ...]:
    """What a draft was made from, with the texts' digests."""
    return tuple(Source("memory", str(fact.id), fact.version, sha256(fact.text)) for fact in facts)


def _ref(fact: Fact) -> dict[str, object]:
    return {"id": str(fact.id), "version": fact.version}
