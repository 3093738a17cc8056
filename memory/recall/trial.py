"""How an answer came about, for the person who tries recall on the Memories page (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.redact import redact
from memory.models import Memory
from memory.recall.collapse import Collapser
from memory.recall.fusion import Sign, above_floor
from memory.recall.query import RecallQuery
from memory.recall.search import rank
from memory.recall.words import readable

SHOWN = 20
Verdict = Literal["served", "repeat", "beyond", "behind", "below"]
Value = Callable[[Sign], float | None]


@dataclass(frozen=True)
class Tried:
    """One memory in the fused order. Places count from 1 in each half's own ranking; None where a half is silent.

    ``verdict``: an agent would get it; or it repeats one above it; or others took the ``k`` places; or it lies too far
    behind the best one; or below the floor. ``across``: it is written in the other language than the question.
    """

    memory: Memory
    content: str
    verdict: Verdict
    by_words: int | None
    by_meaning: int | None
    terms: tuple[str, ...]
    bm25: float
    standing: float | None
    score: float
    relevance: float
    named: bool
    across: bool


@dataclass(frozen=True)
class Trial:
    """``floor``: the relevance that an answer needed; ``served``: how many an agent would get."""

    rows: tuple[Tried, ...]
    floor: float
    degraded: bool

    @property
    def served(self) -> list[Tried]:
        return [row for row in self.rows if row.verdict == "served"]

    @property
    def kept_out(self) -> list[Tried]:
        return [row for row in self.rows if row.verdict != "served"]


def trial(query: RecallQuery) -> Trial:
    """The first ``SHOWN`` of what both halves named, each with its places and its verdict. Nothing is recorded."""
    ranked = rank(query)
    kept = {sign.id for sign in above_floor(ranked.signs, ranked.floor)}
    words = _places(ranked.signs, lambda sign: sign.bm25 or None)
    meaning = _places(ranked.signs, lambda sign: sign.standing)
    # What passes the floor first: a hit in twenty-first place by score must not be missing from the table.
    shown = sorted(ranked.signs, key=lambda sign: sign.id not in kept)[:SHOWN]
    rows = Memory.objects.in_namespaces(query.scope).defer("blocks").select_related("namespace__owner")
    memories = rows.in_bulk([sign.id for sign in shown])
    collapser = Collapser()
    tried: list[Tried] = []
    served = 0
    for sign in shown:
        memory = memories.get(sign.id)
        if memory is None or not memory.content:  # deleted since the search a moment ago
            continue
        seen = sign.standing is not None
        verdict: Verdict = "behind" if seen and sign.relevance >= ranked.floor.relevance else "below"
        if sign.id in kept:
            repeats = collapser.repeats(memory.content)
            verdict = "repeat" if repeats else "served" if served < query.k else "beyond"
            served += verdict == "served"
        found = ranked.words.get(sign.id)
        tried.append(
            Tried(
                memory=memory,
                content=redact(memory.content).text,
                verdict=verdict,
                by_words=words.get(sign.id),
                by_meaning=meaning.get(sign.id),
                terms=readable(ranked.terms, found.terms, query.text) if found else (),
                bm25=sign.bm25,
                standing=sign.standing,
                score=sign.score,
                relevance=sign.relevance,
                named=sign.named,
                across=sign.across,
            )
        )
    return Trial(tuple(tried), ranked.floor.relevance, ranked.degraded)


def _places(signs: Sequence[Sign], value: Value) -> dict[uuid.UUID, int]:
    told = [(sign, held) for sign in signs if (held := value(sign)) is not None]
    told.sort(key=lambda pair: (-pair[1], pair[0].id))
    return {sign.id: place for place, (sign, _held) in enumerate(told, start=1)}
