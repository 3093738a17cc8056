"""Both halves of recall, each asked about what the other found (design section 4, Recall)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import structlog
from django.db import DatabaseError, connection, transaction

from memory.embedder import embed
from memory.recall.fusion import WORDS, Floor, Sign, floor_of, floor_of_words
from memory.recall.lexical import Lexical, Words, lexical, wanted_terms
from memory.recall.past import Past
from memory.recall.query import RecallQuery
from memory.recall.semantic import centroid, likeness_of, semantic, spread
from memory.recall.sizes import Sizes, sizes_of
from memory.recall.spaces import space_of

POOL = 50  # candidates of each half, at least
# How long the vectors may be locked (an update that rewrites their table, VACUUM FULL) before words alone answer.
PATIENCE = "500ms"
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Found:
    """What the two halves say, by memory, and what they have to show. ``standing`` lacks those without a vector."""

    terms: Sequence[str]
    words: dict[uuid.UUID, Words]
    standing: dict[uuid.UUID, float] = field(default_factory=dict)
    degraded: bool = False
    floor: Floor = field(default_factory=Floor)
    weight: float = WORDS

    @property
    def ids(self) -> set[uuid.UUID]:
        return self.words.keys() | self.standing.keys()

    def sign(self, memory_id: uuid.UUID, kind: str, *, named: bool, across: bool) -> Sign:
        words = self.words.get(memory_id)
        return Sign(
            id=memory_id,
            kind=kind,
            bm25=words.score if words else 0.0,
            coverage=words.coverage if words else 0.0,
            standing=self.standing.get(memory_id),
            named=named,
            weight=self.weight,
            across=across,
        )


def search(query: RecallQuery, before: Past | None) -> Found:
    """Both halves name their best. Without a model, or when the vectors cannot be read, words alone do."""
    made = embed([query.text], query=True)
    if made is not None:
        try:
            return _both(query, before, made[0], made[1][0])
        except DatabaseError as error:
            # A broken index, or vectors being rewritten, must cost the agent the better order, not the answer.
            _log.warning("vectors_unreadable", error=str(error).partition("\n")[0][:200])
    terms = wanted_terms(query.text)
    words = _words(query, sizes_of(scope=query.scope, space=""), terms, before, also=())
    return Found(terms, words.words, degraded=True, floor=Floor(words=floor_of_words(words.entries)))


def _both(query: RecallQuery, before: Past | None, name: str, question: Sequence[float]) -> Found:
    terms = wanted_terms(query.text)
    space = space_of(name)
    with transaction.atomic():  # so that an error of the database leaves the connection usable
        _be_impatient()
        sizes = sizes_of(scope=query.scope, space=name)
        average, count = centroid(scope=query.scope, space=name, vectors=sizes.vectors)
        turned = space.turned(question, centroid=average, count=count)
        likeness = semantic(sizes=sizes.with_vector, space=name, vector=turned, limit=_pool(query))
        words = _words(query, sizes, terms, before, also=likeness.keys())
        also = words.words.keys() - likeness.keys()
        likeness |= likeness_of(scope=query.scope, space=name, vector=turned, memory_ids=also)
        mean, deviation = (
            (0.0, 0.0) if space.is_measured else spread(scope=query.scope, space=name, vector=turned)
        )
    if before:  # computes vectors: outside the transaction
        likeness |= before.likeness(space=name, vector=turned, first=words.words.keys())
    standing = {
        key: space.standing(value, mean=mean, deviation=deviation, count=count)
        for key, value in likeness.items()
    }
    unseen = words.words.keys() - standing.keys() or (not before and sizes.vectors < sizes.entries)
    typical = space.typical(
        likeness=sum(a * b for a, b in zip(turned, average, strict=False)),  # an empty scope has no mean
        mean=mean,
        deviation=deviation,
        count=count,
    )
    own_work = space.own_work(question)
    floor = Floor(
        relevance=floor_of(base=space.floor, count=sizes.vectors, own_work=own_work, typical=typical),
        words=floor_of_words(words.entries),
        typical=typical,
    )
    return Found(terms, words.words, standing, degraded=bool(unseen), floor=floor, weight=space.words)


def _be_impatient() -> None:
    """For this transaction alone."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [PATIENCE])


def _pool(query: RecallQuery) -> int:
    """Asked about another time, the index also names what was not valid yet: look deeper, it is filtered after."""
    return max(POOL, 2 * query.k) * (1 if query.as_of is None else 10)


def _words(
    query: RecallQuery,
    sizes: Sizes,
    terms: Sequence[str],
    before: Past | None,
    also: Collection[uuid.UUID],
) -> Lexical:
    return lexical(
        scope=query.scope,
        sizes=sizes,
        terms=terms,
        limit=_pool(query),
        also=also,
        as_of=query.as_of,
        unindexed=before.unindexed if before else None,
    )
