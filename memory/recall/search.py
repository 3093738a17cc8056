"""Recall: two halves, one order, a floor, and no more text than the agent can afford (design section 4)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.redact import redact
from core.text import tokens
from memory.embedder import embed
from memory.models import Memory
from memory.recall.collapse import Collapser
from memory.recall.fusion import KIND, Sign, above_floor
from memory.recall.lexical import Words, lexical, wanted_terms
from memory.recall.past import Past, past
from memory.recall.query import Hit, RecallQuery, RecallResult, Why
from memory.recall.semantic import Meaning, centroid, likeness_of, semantic
from memory.recall.spaces import space_of
from memory.recall.words import readable

POOL = 50  # candidates of each half, at least


def recall(*, query: RecallQuery) -> RecallResult:
    """The memories of the scope that answer the question, the best first; an empty scope answers nothing.

    Calls the embedding model: keep it outside transactions. Two equal questions get equal answers: equal scores are
    ordered by recency, then by id.
    """
    if not query.scope or not query.text.strip():
        return RecallResult(())
    before = past(scope=query.scope, as_of=query.as_of) if query.as_of else None
    found = _search(query, before)
    signs = [found.sign(memory) for memory in _memories(query, found, before)]
    chosen = above_floor([sign for sign, _ in signs]) if query.floor else [sign for sign, _ in signs]
    kept = {sign.id for sign in chosen}
    ranked = sorted(
        ((sign, memory) for sign, memory in signs if sign.id in kept),
        key=lambda pair: (-round(pair[0].score, 6), -pair[1].valid_from.timestamp(), pair[1].pk),
    )
    hits = _distinct(ranked, found, query.k)
    served, omitted = _afford(hits, query.budget)
    return RecallResult(tuple(served), degraded=found.degraded, omitted=omitted)


@dataclass(frozen=True)
class _Found:
    """What the two halves say, by memory. ``standing`` lacks those without a vector."""

    terms: Sequence[str]
    words: dict[uuid.UUID, Words]
    standing: dict[uuid.UUID, float] = field(default_factory=dict)
    degraded: bool = False

    def sign(self, memory: Memory) -> tuple[Sign, Memory]:
        words = self.words.get(memory.pk)
        sign = Sign(
            id=memory.pk,
            kind=memory.kind,
            bm25=words.score if words else 0.0,
            coverage=words.coverage if words else 0.0,
            standing=self.standing.get(memory.pk),
        )
        return sign, memory


def _search(query: RecallQuery, before: Past | None) -> _Found:
    """Both halves name their best; then each is asked about the other's."""
    pool = max(POOL, 2 * query.k)
    terms = wanted_terms(query.text)
    unindexed = before.unindexed if before else None
    first = lexical(scope=query.scope, terms=terms, limit=pool, as_of=query.as_of, unindexed=unindexed)
    words = first.words
    made = embed([query.text], query=True)
    if made is None:
        return _Found(terms, words, degraded=True)
    name, question = made[0], made[1][0]
    space = space_of(name)
    mean, count = centroid(scope=query.scope, space=name)
    turned = space.turned(question, centroid=mean, count=count)
    near = semantic(scope=query.scope, space=name, vector=turned, limit=pool)
    likeness = near.likeness | likeness_of(
        scope=query.scope, space=name, vector=turned, memory_ids=words.keys() - near.likeness.keys()
    )
    if before:
        likeness |= before.likeness(space=name, vector=turned, first=words.keys())
    missing = likeness.keys() - words.keys()
    if missing:
        words = (
            words
            | lexical(
                scope=query.scope, terms=terms, limit=0, also=missing, as_of=query.as_of, unindexed=unindexed
            ).words
        )
    standing = {key: _standing(name, value, near) for key, value in likeness.items()}
    unseen = words.keys() - standing.keys() or (query.as_of is None and near.count < first.entries)
    return _Found(terms, words, standing, degraded=bool(unseen))


def _standing(space: str, likeness: float, near: Meaning) -> float:
    return space_of(space).standing(likeness, mean=near.mean, deviation=near.deviation, count=near.count)


def _memories(query: RecallQuery, found: _Found, before: Past | None) -> list[Memory]:
    """The rows behind what was found, read under the scope once more: active ones, or those valid then."""
    ids = found.words.keys() | found.standing.keys()
    rows = Memory.objects.in_namespaces(query.scope).filter(pk__in=ids).select_related("namespace__owner")
    if query.as_of is None:
        return list(rows.active())
    at = query.as_of
    former = [memory.pk for memory in before.memories] if before else []
    return [
        memory
        for memory in rows.filter(status__in=["active", "superseded"], valid_from__lte=at)
        if (memory.valid_to is None or memory.valid_to > at)
        and (memory.status == "active" or memory.pk in former)
    ]


def _distinct(ranked: Sequence[tuple[Sign, Memory]], found: _Found, k: int) -> list[Hit]:
    collapser = Collapser()
    hits: list[Hit] = []
    for sign, memory in ranked:
        if len(hits) == k:
            break
        if collapser.repeats(memory.content):
            continue
        words = found.words.get(memory.pk)
        why = Why(
            terms=readable(found.terms, words.terms) if words else (),
            lexical=round(sign.bm25, 3),
            meaning=None if sign.standing is None else round(sign.standing, 3),
            kind=KIND.get(sign.kind, 0.0),
        )
        hits.append(Hit(memory, redact(memory.content).text, round(sign.score, 3), why))
    return hits


def _afford(hits: Sequence[Hit], budget: int | None) -> tuple[list[Hit], int]:
    """Hits in order as long as each still fits; a long one does not keep a shorter one out."""
    if budget is None:
        return list(hits), 0
    served: list[Hit] = []
    for hit in hits:
        cost = tokens(hit.content)
        if cost <= budget:
            budget -= cost
            served.append(hit)
    return served, len(hits) - len(served)
