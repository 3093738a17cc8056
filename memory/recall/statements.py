"""BM25 as SQL: one statement for now, one for another time (``lexical`` says what they take and give).

Now, in two steps. How often each term stands in the scope is counted from the index, unless it was counted before
because it is common in a large namespace (``memory.services.common_terms``). The rarest terms are opened:
their postings are read and summed. The best of what they name, and the memories handed in, are then scored by the other
terms too. Where few postings are at stake, every term is opened and the second step has nothing to add.
"""

from __future__ import annotations

_SATURATED = """
    r.idf * p.count * (%(k1)s::float8 + 1)
    / (p.count + %(k1)s::float8 * (1 - %(b)s::float8 + %(b)s::float8 * p.length / {mean}))
"""
_IDF = "ln(1 + ({n} - df + 0.5) / (df + 0.5))"
# The rarity of the whole question, which is at most that of so many words that nobody wrote.
_WHOLE = "nullif(least((SELECT sum(idf) FROM rarity), %(most)s::float8 * ln(1 + ({n} + 0.5) / 0.5)), 0)"

_NOW = """
WITH counted AS MATERIALIZED (
    SELECT w.term, least(%(n)s::bigint, known.df + (
        SELECT count(*) FROM memory_memoryterm p WHERE p.term = w.term
            AND p.namespace_id = ANY(ARRAY(SELECT unnest(%(namespaces)s::uuid[]) EXCEPT SELECT unnest(known.homes)))
    )) AS df
    FROM unnest(%(terms)s::text[]) AS w(term), LATERAL (
        SELECT coalesce(sum(c.count), 0)::bigint AS df, array_agg(c.namespace_id) AS homes FROM memory_commonterm c
        WHERE c.namespace_id = ANY(%(namespaces)s::uuid[]) AND c.term = w.term
    ) AS known
), rarity AS MATERIALIZED (
    SELECT term, {idf} AS idf,
        sum(df) OVER commoner <= %(opened)s OR lag(df, 1, 0::bigint) OVER commoner = 0 AS opens
    FROM counted WINDOW commoner AS (ORDER BY df, term)
), opened AS MATERIALIZED (
    SELECT p.memory_id, p.term, {saturated} AS part
    FROM memory_memoryterm p JOIN rarity r ON r.term = p.term
    WHERE p.namespace_id = ANY(%(namespaces)s::uuid[])
        AND p.term = ANY(ARRAY(SELECT term FROM rarity WHERE opens))
), candidates AS MATERIALIZED (
    (SELECT memory_id FROM opened GROUP BY memory_id ORDER BY sum(part) DESC, memory_id LIMIT %(wide)s)
    UNION SELECT unnest(%(also)s::uuid[])
), theirs AS MATERIALIZED (
    SELECT * FROM memory_memoryterm p
    WHERE EXISTS (SELECT FROM rarity WHERE NOT opens)
        AND p.memory_id = ANY(ARRAY(SELECT memory_id FROM candidates))
        -- Not by the index of terms, which is the long way round: all postings of a common one.
        AND p.term || '' = ANY(ARRAY(SELECT term FROM rarity WHERE NOT opens))
), scored AS (
    SELECT memory_id, sum(part) AS score, array_agg(term ORDER BY term) AS terms FROM (
        SELECT o.* FROM opened o JOIN candidates c ON c.memory_id = o.memory_id
        UNION ALL
        SELECT p.memory_id, p.term, {saturated}
        FROM theirs p JOIN rarity r ON r.term = p.term AND NOT r.opens
        WHERE p.namespace_id = ANY(%(namespaces)s::uuid[])
    ) AS parts GROUP BY memory_id
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, memory_id) AS place FROM scored
)
SELECT %(n)s::int, memory_id, score, coalesce(score / {whole}, 0), terms
FROM ranked WHERE place <= %(limit)s OR memory_id = ANY(%(also)s::uuid[])
ORDER BY place
"""

# At another time other memories count: indexed ones that were valid already, and superseded ones handed in.
_PAST = """
WITH entries AS MATERIALIZED (
    SELECT i.memory_id, i.length FROM memory_memoryindex i JOIN memory_memory m ON m.id = i.memory_id
    WHERE i.namespace_id = ANY(%(namespaces)s::uuid[])
        AND m.valid_from <= %(as_of)s AND (m.valid_to IS NULL OR m.valid_to > %(as_of)s)
    UNION ALL SELECT * FROM unnest(%(length_ids)s::uuid[], %(length_values)s::int[])
), size AS (
    SELECT count(*)::float8 AS n, greatest(avg(length), 1)::float8 AS mean FROM entries
), handed_in AS (
    SELECT * FROM unnest(%(more_terms)s::text[], %(more_ids)s::uuid[], %(more_counts)s::int[])
        AS t(term, memory_id, count) WHERE term = ANY(%(terms)s::text[])
), indexed AS (
    SELECT term, memory_id, count FROM memory_memoryterm
    WHERE namespace_id = ANY(%(namespaces)s::uuid[]) AND term = ANY(%(terms)s::text[])
), postings AS MATERIALIZED (
    SELECT t.term, t.memory_id, t.count, e.length FROM entries e
    JOIN (SELECT * FROM indexed UNION ALL SELECT * FROM handed_in) t ON t.memory_id = e.memory_id
), rarity AS MATERIALIZED (
    SELECT term, {idf} AS idf
    FROM size, (
        SELECT w.term, count(p.memory_id)::float8 AS df
        FROM unnest(%(terms)s::text[]) AS w(term) LEFT JOIN postings p ON p.term = w.term GROUP BY w.term
    ) AS found
), scored AS (
    SELECT p.memory_id, array_agg(p.term) AS terms, sum({saturated}) AS score
    FROM postings p JOIN rarity r ON r.term = p.term, size s
    GROUP BY p.memory_id
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, memory_id) AS place FROM scored
)
SELECT size.n::int, memory_id, score, coalesce(score / {whole}, 0), terms
FROM size LEFT JOIN ranked ON place <= %(limit)s OR memory_id = ANY(%(also)s::uuid[])
ORDER BY place
"""
NOW = _NOW.format(
    saturated=_SATURATED.format(mean="%(mean)s::float8"),
    idf=_IDF.format(n="%(n)s::float8"),
    whole=_WHOLE.format(n="%(n)s::float8"),
)
PAST = _PAST.format(
    saturated=_SATURATED.format(mean="s.mean"), idf=_IDF.format(n="n"), whole=_WHOLE.format(n="size.n")
)
