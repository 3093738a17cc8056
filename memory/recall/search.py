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
from memory.models import Memory
from memory.recall.collapse import Collapser
from memory.recall.fusion import KIND, Floor, Sign, above_floor
from memory.recall.halves import search
from memory.recall.lexical import Words
from memory.recall.past import past
from memory.recall.query import Hit, RecallQuery, RecallResult, Why
from memory.recall.words import names, readable

LANGUAGES = {"en", "ja"}  # as ``core.text.language`` names them; of others nothing is known


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
    floor: Floor = field(default_factory=Floor)


def rank(query: RecallQuery) -> Ranked:
    """Both halves and their fusion. An empty scope or question ranks nothing."""
    if not query.scope or not query.text.strip():
        return Ranked()
    before = past(scope=query.scope, as_of=query.as_of) if query.as_of else None
    found = search(query, before)
    asked = text.fold(query.text)
    later: dict[uuid.UUID, tuple[float, str]] = {}
    signs: list[Sign] = []
    spoken = text.language(query.text)
    for memory_id, kind, language, valid_from, aliases, text_hash in _readable(query, found.ids):
        later[memory_id] = (-valid_from.timestamp(), text_hash)
        across = {spoken, language} == LANGUAGES
        signs.append(found.sign(memory_id, kind, named=names(asked, aliases), across=across))
    # What nothing tells apart, its text does: ids are random within a millisecond, and the same memories answer alike
    # in every installation.
    signs.sort(key=lambda sign: (-round(sign.score, 6), *later[sign.id], sign.id))
    return Ranked(signs, found.terms, found.words, found.degraded, found.floor)


def _readable(
    query: RecallQuery, ids: Collection[uuid.UUID]
) -> Iterable[tuple[uuid.UUID, str, str, datetime, list[str], str]]:
    """(id, kind, language, valid from, short forms, hash of the text) of what was found and is active, or was then.

    Read under the scope once more.
    """
    rows = Memory.objects.in_namespaces(query.scope).filter(pk__in=ids)
    if query.as_of is None:
        rows = rows.active()
    else:
        valid = Q(valid_to=None) | Q(valid_to__gt=query.as_of)
        rows = rows.filter(valid, status__in=["active", "superseded"], valid_from__lte=query.as_of)
    return rows.values_list("pk", "kind", "language", "valid_from", "aliases", "normal_hash")


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
                yield _hit(sign, memory, found, query.text)


def _hit(sign: Sign, memory: Memory, found: Ranked, question: str) -> Hit:
    words = found.words.get(memory.pk)
    why = Why(
        terms=readable(found.terms, words.terms, question) if words else (),
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
