"""The half of recall that reads words: BM25 over the postings, in one statement (design section 4, Recall).

The scope stands inside the statement, so rarity and length are those of the namespaces asked about, and k hits
come back if k exist there. Nothing of the question is parsed by the database: terms travel as an array.
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

# Saturation and length norm (Robertson and Zaragoza 2009). Memories are one or two sentences: a long one is not
# diluted the way a long document is, so length counts less than the usual 0.75 (measured: +.008 R@10 on turns).
K1 = 1.2
B = 0.4
MAX_TERMS = 100


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
    """``score`` is BM25; ``coverage`` the same as a share of the question's whole rarity, about 0 to 1."""

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
    terms: Sequence[str],
    limit: int,
    also: Collection[uuid.UUID] = (),
    as_of: datetime | None = None,
    unindexed: Unindexed | None = None,
) -> Lexical:
    """The best ``limit`` memories of the scope that hold any of the terms, and those of ``also`` that do."""
    if not terms or not scope:
        return Lexical()
    more = unindexed or Unindexed()
    parameters: dict[str, Any] = {
        "namespaces": list(scope),
        "terms": list(terms),
        "limit": limit,
        "also": list(also),
        "as_of": as_of,
        "more_ids": [posting.memory_id for posting in more.postings],
        "more_terms": [posting.term for posting in more.postings],
        "more_counts": [posting.count for posting in more.postings],
        "length_ids": list(more.lengths),
        "length_values": list(more.lengths.values()),
        "k1": K1,
        "b": B,
    }
    with connection.cursor() as cursor:
        cursor.execute(_PAST if as_of else _NOW, parameters)
        rows = cursor.fetchall()
    found = {row[1]: Words(row[2], row[3], tuple(row[4])) for row in rows if row[1] is not None}
    return Lexical(found, rows[0][0])


_STATEMENT = """
WITH {entries} size AS (
    SELECT count(*)::float8 AS n, greatest(avg(length), 1)::float8 AS mean FROM {counted}
), postings AS MATERIALIZED (
    {postings}
), rarity AS MATERIALIZED (
    SELECT term, ln(1 + (n - df + 0.5) / (df + 0.5)) AS idf
    FROM size, (
        SELECT w.term, count(p.memory_id)::float8 AS df
        FROM unnest(%(terms)s::text[]) AS w(term) LEFT JOIN postings p ON p.term = w.term GROUP BY w.term
    ) AS found
), scored AS (
    SELECT p.memory_id, array_agg(p.term) AS terms,
        sum(r.idf * p.count * (%(k1)s::float8 + 1) / (
            p.count + %(k1)s::float8 * (1 - %(b)s::float8 + %(b)s::float8 * p.length / s.mean)
        )) AS score
    FROM postings p JOIN rarity r ON r.term = p.term, size s
    GROUP BY p.memory_id
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, memory_id) AS place FROM scored
)
SELECT size.n::int, memory_id, score, coalesce(score / nullif((SELECT sum(idf) FROM rarity), 0), 0), terms
FROM size LEFT JOIN ranked ON place <= %(limit)s OR memory_id = ANY(%(also)s::uuid[])
ORDER BY place
"""
_ENTRIES = (
    "(SELECT length FROM memory_memoryindex WHERE namespace_id = ANY(%(namespaces)s::uuid[])) AS entries"
)
_POSTINGS = """
    SELECT term, memory_id, count, length FROM memory_memoryterm
    WHERE namespace_id = ANY(%(namespaces)s::uuid[]) AND term = ANY(%(terms)s::text[])
"""
_NOW = _STATEMENT.format(entries="", counted=_ENTRIES, postings=_POSTINGS)
# At another time other memories count: indexed ones that were valid already, and superseded ones handed in.
_PAST_ENTRIES = """entries AS MATERIALIZED (
    SELECT i.memory_id, i.length FROM memory_memoryindex i JOIN memory_memory m ON m.id = i.memory_id
    WHERE i.namespace_id = ANY(%(namespaces)s::uuid[])
        AND m.valid_from <= %(as_of)s AND (m.valid_to IS NULL OR m.valid_to > %(as_of)s)
    UNION ALL SELECT * FROM unnest(%(length_ids)s::uuid[], %(length_values)s::int[])
), handed_in AS (
    SELECT * FROM unnest(%(more_terms)s::text[], %(more_ids)s::uuid[], %(more_counts)s::int[])
        AS t(term, memory_id, count) WHERE term = ANY(%(terms)s::text[])
), indexed AS (
    SELECT term, memory_id, count FROM memory_memoryterm
    WHERE namespace_id = ANY(%(namespaces)s::uuid[]) AND term = ANY(%(terms)s::text[])
),"""
_PAST_POSTINGS = """
    SELECT t.term, t.memory_id, t.count, e.length FROM entries e
    JOIN (SELECT * FROM indexed UNION ALL SELECT * FROM handed_in) t ON t.memory_id = e.memory_id
"""
_PAST = _STATEMENT.format(entries=_PAST_ENTRIES, counted="entries", postings=_PAST_POSTINGS)
