"""The half of recall that reads words: BM25 over the postings, in one statement (design section 4, Recall).

The scope stands inside the statement (``statements``), so rarity and length are those of the namespaces asked about,
and k hits come back if k exist there. Nothing of the question is parsed by the database: terms travel as an array.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from core import text
from core.scope import Scope
from memory.recall.sizes import Sizes
from memory.recall.statements import NOW, PAST

# Saturation and length norm (Robertson and Zaragoza 2009). Memories are one or two sentences: a word is rarely repeated
# on purpose, and a long one is not diluted the way a long document is, so both count less than the usual 1.2 and 0.75
# (between 0.2 and 0.5 K1 hardly matters, in none of five conversations nor in Japanese).
K1 = 0.4
B = 0.3
MAX_TERMS = 100
# A pasted prompt holds dozens of words that no memory has, code above all; beyond six such they say nothing more about
# whether a memory answers. Questions of a dozen words are as before (benchmarks/RESULTS.md).
MOST_RARITY = 6
MOST_OPENED = 6_000  # postings read to find candidates; the rarest term is read whatever it takes
WIDER = 4  # of these candidates, this many times the limit are scored by all terms


@dataclass(frozen=True)
class Posting:
    """A term of a memory that the index does not hold (one that was true at the time asked about)."""

    memory_id: uuid.UUID
    term: str
    count: int


@dataclass(frozen=True)
class Unindexed:
    """Memories to be ranked as if they were indexed, with their lengths in terms."""

    postings: Sequence[Posting] = ()
    lengths: dict[uuid.UUID, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """``score`` is BM25; ``coverage`` the same as a share of the question's whole rarity, about 0 to 1.

    The whole counts as that of ``MOST_RARITY`` unknown words at most, so a long question's coverage may exceed 1.
    """

    score: float
    coverage: float
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Lexical:
    """What the words found, and how many memories of the scope were looked through."""

    words: dict[uuid.UUID, Words] = field(default_factory=dict)
    entries: int = 0


def wanted_terms(question: str) -> list[str]:
    """The distinct terms to look for, in the question's order; stop words only where there is nothing else."""
    distinct = list(dict.fromkeys(text.terms(question, query=True)))
    strong = [term for term in distinct if not text.is_weak_term(term)]
    return (strong or distinct)[:MAX_TERMS]


def lexical(
    *,
    scope: Scope,
    sizes: Sizes,
    terms: Sequence[str],
    limit: int,
    also: Collection[uuid.UUID] = (),
    as_of: datetime | None = None,
    unindexed: Unindexed | None = None,
) -> Lexical:
    """The best ``limit`` memories of the scope that hold any of the terms, and those of ``also`` that do.

    In a scope where the terms stand in more than ``MOST_OPENED`` places, the commoner ones bring in nothing by
    themselves; they still count for what the rarer ones brought in. ``sizes`` are those of the scope now; with
    ``as_of`` the memories of that time are counted instead.
    """
    if not terms or not scope:
        return Lexical()
    more = unindexed or Unindexed()
    parameters: dict[str, Any] = {
        "namespaces": list(scope),
        "terms": list(terms),
        "n": sizes.entries,
        "mean": sizes.mean_length,
        "limit": limit,
        "opened": MOST_OPENED,
        "wide": WIDER * limit,
        "also": list(also),
        "as_of": as_of,
        "more_ids": [posting.memory_id for posting in more.postings],
        "more_terms": [posting.term for posting in more.postings],
        "more_counts": [posting.count for posting in more.postings],
        "length_ids": list(more.lengths),
        "length_values": list(more.lengths.values()),
        "k1": K1,
        "b": B,
        "most": MOST_RARITY,
    }
    with connection.cursor() as cursor:
        cursor.execute(PAST if as_of else NOW, parameters)
        rows = cursor.fetchall()
    found = {row[1]: Words(row[2], row[3], tuple(row[4])) for row in rows if row[1] is not None}
    return Lexical(found, rows[0][0] if rows else sizes.entries)
