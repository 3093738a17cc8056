"""Tallies made anew from the choices, and whether they say the same as these (``decisions.models.tally``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from decisions.models.tallying import COUNTED, PART, SUMS

_RECOUNT = f"""
SELECT min(user_id) AS user_id, point_id, wording_id, day, kind, min(chosen) AS chosen,
    bool_or(followed) AS followed, bool_or(reported) AS reported, {SUMS}
FROM (SELECT {PART}, 1 AS sign FROM decisions_choice AS c WHERE {COUNTED}) AS part
GROUP BY point_id, wording_id, day, kind
"""  # noqa: S608 (written out there)
_COLUMNS = "user_id, point_id, wording_id, day, kind, chosen, followed, reported, n, s1, s2, s3, s4"
_WRONG = f"""
SELECT coalesce(t.point_id, r.point_id), coalesce(t.day, r.day), coalesce(t.n, 0), coalesce(r.n, 0)
FROM decisions_tally t FULL JOIN ({_RECOUNT}) r USING (point_id, wording_id, day, kind)
WHERE (t.user_id, t.chosen, t.followed, t.reported, t.n)
        IS DISTINCT FROM (r.user_id, r.chosen, r.followed, r.reported, r.n)
   OR abs(t.s1 - r.s1) + abs(t.s2 - r.s2) + abs(t.s3 - r.s3) + abs(t.s4 - r.s4) > 1e-9 * (1 + r.n)
ORDER BY 1, 2
"""  # noqa: S608


@dataclass(frozen=True)
class Wrong:
    """A day of a point whose tally differs: what it says, and how many choices there are."""

    point: Any
    day: int
    said: int
    counted: int


def tallies_wrong() -> list[Wrong]:
    """Empty when every tally says what its choices say: it always should."""
    with connection.cursor() as cursor:
        cursor.execute(_WRONG)
        return [Wrong(*row) for row in cursor.fetchall()]


@transaction.atomic
def tallies_rebuild() -> int:
    """Make all tallies anew; returns how many. Nobody chooses meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE decisions_choice IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute("DELETE FROM decisions_tally")
        cursor.execute(f"INSERT INTO decisions_tally ({_COLUMNS}) SELECT {_COLUMNS} FROM ({_RECOUNT}) AS r")  # noqa: S608
        return int(cursor.rowcount)
