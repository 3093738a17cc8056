"""Recall: two halves, one order, a floor, and no more text than the agent can afford (design section 4)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from django.db.models import Q

from core import text
from core.redact import redact
from memory.embedder import embed
from memory.models import Memory
from memory.recall.collapse import Collapser
from memory.recall.fusion import KIND, Sign, above_floor, floor_of
from memory.recall.lexical import Lexical, Words, lexical, wanted_terms
from memory.recall.past import Past, past
from memory.recall.query import Hit, RecallQuery, RecallResult, Why
from memory.recall.semantic import centroid, likeness_of, semantic, spread
from memory.recall.sizes import Sizes, sizes_of
from memory.recall.spaces import space_of
from memory.recall.words import names, readable

POOL = 50  # candidates of each half, at least


def recall(*, query: RecallQuery) -> RecallResult:
    """The memories of the scope that answer the question, the best first; an empty scope answers nothing.

    Calls the embedding model: keep it outside transactions. Two equal questions get equal answers: equal scores are
    ordered by recency, then by id.
    """
    ranked = rank(query)
    kept = above_floor(ranked.signs, ranked.floor) if query.floor else ranked.signs
    hits = list(islice(_distinct(query, kept, ranked), query.k))
    served, omitted = _afford(hits, query.budget)
    return RecallResult(tuple(served), degraded=ranked.degraded, omitted=omitted)


@dataclass(frozen=True)
class Ranked:
    """Everything that either half named, in the order of the fused score, before the floor and without texts."""

    signs: Sequence[Sign] = ()
    terms: Sequence[str] = ()
    words: Mapping[uuid.UUID, Words] = field(default_factory=dict)
    degraded: bool = False
    floor: float = 0.0


def rank(query: RecallQuery) -> Ranked:
    """Both halves and their fusion. An empty scope or question ranks nothing."""
    if not query.scope or not query.text.strip():
        return Ranked()
    before = past(scope=query.scope, as_of=query.as_of) if query.as_of else None
    found = _search(query, before)
    asked = text.fold(query.text)
    ages: dict[uuid.UUID, datetime] = {}
    signs: list[Sign] = []
    for memory_id, kind, valid_from, aliases in _readable(query, found.ids):
        ages[memory_id] = valid_from
        signs.append(found.sign(memory_id, kind, named=names(asked, aliases)))
    signs.sort(key=lambda sign: (-round(sign.score, 6), -ages[sign.id].timestamp(), sign.id))
    return Ranked(signs, found.terms, found.words, found.degraded, found.floor)


@dataclass(frozen=True)
class _Found:
    """What the two halves say, by memory. ``standing`` lacks those without a vector; ``floor`` is for the others."""

    terms: Sequence[str]
    words: dict[uuid.UUID, Words]
    standing: dict[uuid.UUID, float] = field(default_factory=dict)
    degraded: bool = False
    floor: float = 0.0

    @property
    def ids(self) -> set[uuid.UUID]:
        return self.words.keys() | self.standing.keys()

    def sign(self, memory_id: uuid.UUID, kind: str, *, named: bool) -> Sign:
        words = self.words.get(memory_id)
        return Sign(
            id=memory_id,
            kind=kind,
            bm25=words.score if words else 0.0,
            coverage=words.coverage if words else 0.0,
            standing=self.standing.get(memory_id),
            named=named,
        )


def _search(query: RecallQuery, before: Past | None) -> _Found:
    """Both halves name their best, and each is asked about the other's."""
    # Asked about another time, the index also names what was not valid yet: look deeper, it is filtered after.
    pool = max(POOL, 2 * query.k) * (1 if before is None else 10)
    terms = wanted_terms(query.text)
    made = embed([query.text], query=True)
    name = made[0] if made else ""
    sizes = sizes_of(scope=query.scope, space=name)
    if made is None:
        words = _words(query, sizes, terms, pool, before, also=())
        return _Found(terms, words.words, degraded=True)
    question = made[1][0]
    space = space_of(name)
    average, count = centroid(scope=query.scope, space=name)
    turned = space.turned(question, centroid=average, count=count)
    likeness = semantic(sizes=sizes.with_vector, space=name, vector=turned, limit=pool)
    words = _words(query, sizes, terms, pool, before, also=likeness.keys())
    likeness |= likeness_of(
        scope=query.scope, space=name, vector=turned, memory_ids=words.words.keys() - likeness.keys()
    )
    if before:
        likeness |= before.likeness(space=name, vector=turned, first=words.words.keys())
    mean, deviation = (
        (0.0, 0.0) if space.is_measured else spread(scope=query.scope, space=name, vector=turned)
    )
    standing = {
        key: space.standing(value, mean=mean, deviation=deviation, count=count)
        for key, value in likeness.items()
    }
    unseen = words.words.keys() - standing.keys() or (not before and sizes.vectors < sizes.entries)
    floor = floor_of(base=space.floor, count=sizes.vectors, own_work=space.own_work(question))
    return _Found(terms, words.words, standing, degraded=bool(unseen), floor=floor)


def _words(
    query: RecallQuery,
    sizes: Sizes,
    terms: Sequence[str],
    pool: int,
    before: Past | None,
    also: Collection[uuid.UUID],
) -> Lexical:
    return lexical(
        scope=query.scope,
        sizes=sizes,
        terms=terms,
        limit=pool,
        also=also,
        as_of=query.as_of,
        unindexed=before.unindexed if before else None,
    )


def _readable(
    query: RecallQuery, ids: Collection[uuid.UUID]
) -> Iterable[tuple[uuid.UUID, str, datetime, list[str]]]:
    """(id, kind, valid from, short forms) of what was found, read under the scope once more: active, or valid then."""
    rows = Memory.objects.in_namespaces(query.scope).filter(pk__in=ids)
    if query.as_of is None:
        rows = rows.active()
    else:
        valid = Q(valid_to=None) | Q(valid_to__gt=query.as_of)
        rows = rows.filter(valid, status__in=["active", "superseded"], valid_from__lte=query.as_of)
    return rows.values_list("pk", "kind", "valid_from", "aliases")


def _distinct(query: RecallQuery, signs: Sequence[Sign], found: Ranked) -> Iterator[Hit]:
    """Hits in order without near-duplicates; texts are read a few at a time, since few are wanted."""
    collapser = Collapser()
    step = query.k + 5
    for start in range(0, len(signs), step):
        some = signs[start : start + step]
        rows = Memory.objects.in_namespaces(query.scope).defer("blocks").select_related("namespace__owner")
        memories = rows.in_bulk([sign.id for sign in some])
        for sign in some:
            memory = memories.get(sign.id)  # None: deleted since the search a moment ago
            if memory is not None and memory.content and not collapser.repeats(memory.content):
                yield _hit(sign, memory, found)


def _hit(sign: Sign, memory: Memory, found: Ranked) -> Hit:
    words = found.words.get(memory.pk)
    why = Why(
        terms=readable(found.terms, words.terms) if words else (),
        lexical=round(sign.bm25, 3),
        meaning=None if sign.standing is None else round(sign.standing, 3),
        kind=KIND.get(sign.kind, 0.0),
        named=sign.named,
    )
    return Hit(memory, redact(memory.content).text, round(sign.score, 3), why)


def _afford(hits: Sequence[Hit], budget: int | None) -> tuple[list[Hit], int]:
    """Hits in order as long as each still fits; a long one does not keep a shorter one out."""
    if budget is None:
        return list(hits), 0
    served: list[Hit] = []
    for hit in hits:
        cost = text.tokens(hit.content)
        if cost <= budget:
            budget -= cost
            served.append(hit)
    return served, len(hits) - len(served)
