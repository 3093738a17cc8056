"""The triggers that keep tallies: after any statement on choices, a bulk one or a cascade too, sums are right.

Each statement touches its tallies in the order of their key, so that two transactions do not wait for each other in a
circle. Rows are subtracted by UPDATE alone: when a person is deleted, tallies may be gone before the choices are.
"""

from __future__ import annotations

import pgtrigger

COUNTED = "(c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL)"
DAY = "floor(date_part('epoch', c.at) / 86400)"
KIND = "md5(array_to_string(c.chosen, E'\\x1f') || E'\\x1e' || c.followed::text || c.source)"
_X = f"(date_part('epoch', c.at) / 86400 - {DAY} - 0.5)"
# What one choice is to its tally.
PART = f"""c.point_id, c.wording_id, {DAY}::int AS day, {KIND} AS kind, c.user_id, c.chosen, c.followed,
    c.source <> 'hook' AS reported, {_X} AS x"""
SUMS = """sum(sign)::int AS n, sum(sign * x) AS s1, sum(sign * x ^ 2) AS s2,
            sum(sign * x ^ 3) AS s3, sum(sign * x ^ 4) AS s4"""
_CHANGED = """(n.point_id, n.wording_id, n.at, n.chosen, n.followed, n.source, n.outcome, n.archived_at, n.reset_id)
    IS DISTINCT FROM
    (o.point_id, o.wording_id, o.at, o.chosen, o.followed, o.source, o.outcome, o.archived_at, o.reset_id)"""


def _part(rows: str, sign: int) -> str:
    return f"SELECT {PART}, {sign} AS sign FROM {rows} AS c WHERE {COUNTED}"  # noqa: S608 (written out here)


def _apply(parts: str) -> str:
    return f"""
    WITH part AS ({parts}), delta AS (
        SELECT point_id, wording_id, day, kind, min(user_id) AS user_id, min(chosen) AS chosen,
            bool_or(followed) AS followed, bool_or(reported) AS reported, {SUMS}
        FROM part GROUP BY point_id, wording_id, day, kind
    ), more AS (
        INSERT INTO decisions_tally AS t
            (user_id, point_id, wording_id, day, kind, chosen, followed, reported, n, s1, s2, s3, s4)
        SELECT user_id, point_id, wording_id, day, kind, chosen,
            followed, reported, n, s1, s2, s3, s4
        FROM delta WHERE n > 0 ORDER BY point_id, wording_id, day, kind
        ON CONFLICT (point_id, wording_id, day, kind) DO UPDATE SET n = t.n + excluded.n, s1 = t.s1 + excluded.s1,
            s2 = t.s2 + excluded.s2, s3 = t.s3 + excluded.s3, s4 = t.s4 + excluded.s4
    )
    UPDATE decisions_tally t
    SET n = t.n + d.n, s1 = t.s1 + d.s1, s2 = t.s2 + d.s2, s3 = t.s3 + d.s3, s4 = t.s4 + d.s4
    FROM delta d
    WHERE d.n <= 0 AND (t.point_id, t.wording_id, t.day, t.kind) = (d.point_id, d.wording_id, d.day, d.kind);
    """  # noqa: S608


_EMPTIED = """
    DELETE FROM decisions_tally t USING (SELECT DISTINCT point_id FROM old_rows) AS o
    WHERE t.point_id = o.point_id AND t.n = 0;
"""
_TOUCHED = f"new_rows n JOIN old_rows o USING (id) WHERE {_CHANGED}"
_BOTH = " UNION ALL ".join(
    [_part(f"(SELECT n.* FROM {_TOUCHED})", 1), _part(f"(SELECT o.* FROM {_TOUCHED})", -1)]  # noqa: S608
)

TRIGGERS = [
    pgtrigger.Trigger(
        name="tally_insert",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Insert,
        referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
        func=f"{_apply(_part('new_rows', 1))} RETURN NULL;",
    ),
    pgtrigger.Trigger(
        name="tally_update",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Update,
        referencing=pgtrigger.Referencing(old="old_rows", new="new_rows"),  # type: ignore[no-untyped-call]
        func=f"{_apply(_BOTH)} {_EMPTIED} RETURN NULL;",
    ),
    pgtrigger.Trigger(
        name="tally_delete",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Delete,
        referencing=pgtrigger.Referencing(old="old_rows"),  # type: ignore[no-untyped-call]
        func=f"{_apply(_part('old_rows', -1))} {_EMPTIED} RETURN NULL;",
    ),
]
