"""Sums of old choices: whole days come from tallies, the days at both ends are read choice by choice.

exp(rate × x) is summed from a day's moments up to x⁴. Within half a day of noon the error is below 3e-9 of the day's
sum at a rate of 0.1 a day and below 1e-5 at ``FINEST``; beyond that rate every choice is read.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import connection

from decisions.learning.table import DAY_SECONDS
from decisions.learning.types import Settings

FINEST: Final = 0.5  # per day
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_COUNTED = "c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL AND c.at > %(since)s"
# Below e^-700 the database refuses to go; what lies in the future weighs 1.
_WEIGHT = """sum(exp(least(0.0, greatest(-700.0,
    (date_part('epoch', c.at) - %(epoch)s::float8) * %(fade)s::float8))))"""
_TALLIED = """sum(exp(least(0.0, greatest(-700.0, ((t.day + 0.5) * 86400.0 - %(epoch)s::float8) * %(fade)s::float8)))
    * (t.n + %(rate)s::float8 * (t.s1 + %(rate)s::float8 / 2 * (t.s2 + %(rate)s::float8 / 3 * (t.s3
    + %(rate)s::float8 / 4 * t.s4)))))"""
_OWN_SESSION = "CASE WHEN c.session_id = ANY(%(sessions)s::uuid[]) THEN c.session_id END"

# Of one point, what is older than (at, id), every choice read. Sessions that make no layer are one. The borders are
# values: then the planner knows how much it will read.
_SUMMED = f"""
SELECT c.chosen, {_OWN_SESSION}, c.followed, c.source <> 'hook', count(*), {_WEIGHT}
FROM decisions_choice c WHERE {_COUNTED}"""  # noqa: S608 (written out above; values are bound)
# `IS NOT DISTINCT FROM` checks what must not be looked up: a planner without statistics picks the longer way.
_OF_POINT = f"{_SUMMED} AND c.point_id = %(point)s AND c.user_id IS NOT DISTINCT FROM %(user)s"
_LAYERED = f"""{_SUMMED} AND c.session_id = ANY(%(sessions)s::uuid[])
    AND c.point_id IS NOT DISTINCT FROM %(point)s AND c.user_id IS NOT DISTINCT FROM %(user)s"""
# Two borders of the same column would be walked from one end to the other: the day before says enough elsewhere.
_BEFORE = "AND c.at <= %(at)s AND (c.at, c.id) < (%(at)s, %(id)s)"
_OLDER = f"{_OF_POINT} {_BEFORE}"
_GROUPED = "GROUP BY 1, 2, 3, 4"
# The same from tallies, and from the choices of the first and of the last day, which are not whole. Tallies know no
# session: choices of sessions that make layers are taken out and stand for themselves.
_OLDER_TALLIED = f"""
WITH layered AS (
    {_LAYERED} AND c.at >= %(first_at)s AND c.at < %(last_at)s {_GROUPED}
)
SELECT chosen, session, followed, reported, sum(n)::int, sum(weight) FROM (
    SELECT t.chosen, NULL::uuid, t.followed, t.reported, sum(t.n), {_TALLIED}
    FROM decisions_tally t
    WHERE t.point_id = %(point)s AND t.user_id = %(user)s AND t.day >= %(first)s AND t.day < %(last)s
    {_GROUPED}
    UNION ALL SELECT chosen, NULL, followed, reported, -n, -weight
        FROM layered AS l (chosen, session, followed, reported, n, weight)
    UNION ALL SELECT * FROM layered
    UNION ALL ({_OF_POINT} AND c.at < least(%(first_at)s, %(last_at)s) {_GROUPED})
    UNION ALL ({_OLDER} AND c.at >= %(last_at)s {_GROUPED})
) AS parts (chosen, session, followed, reported, n, weight)
{_GROUPED} HAVING sum(n) > 0
"""  # noqa: S608
# A paused workspace contributes nothing, nor does one that the key does not reach.
_TEMPLATES = """
FROM unnest(%(names)s::text[], %(templates)s::text[], %(workspaces)s::uuid[]) AS g(name, template, workspace)
JOIN decisions_wording w ON w.template_hash = g.template AND w.user_id = %(user)s
    AND w.workspace_id IS DISTINCT FROM g.workspace
LEFT JOIN core_namespace n ON n.id = w.workspace_id"""
_OPEN = "n.paused_at IS NULL AND (%(reach)s::uuid[] IS NULL OR w.workspace_id = ANY(%(reach)s::uuid[]))"
_ELSEWHERE = f"""
SELECT g.name, c.chosen, NULL, c.followed, c.source <> 'hook', count(*), {_WEIGHT} {_TEMPLATES}
JOIN decisions_choice c ON c.wording_id = w.id AND c.user_id = %(user)s
WHERE {_OPEN} AND {_COUNTED} AND c.at < %(until)s
GROUP BY 1, 2, 4, 5
"""
_ELSEWHERE_TALLIED = f"""
SELECT g.name, t.chosen, NULL, t.followed, t.reported, sum(t.n)::int, {_TALLIED} {_TEMPLATES}
JOIN decisions_tally t ON t.wording_id = w.id AND t.user_id = %(user)s AND t.day >= %(first)s
WHERE {_OPEN}
GROUP BY 1, 2, 4, 5
UNION ALL {_ELSEWHERE}
"""


@dataclass(frozen=True)
class Sum:
    """Equal choices: option keys, the session if it makes a layer, how many, and what they weigh together."""

    chosen: tuple[str, ...]
    session: str
    followed: bool
    reported: bool
    count: int
    weight: float


def sums_older(
    *,
    user_id: int,
    point_id: uuid.UUID,
    before: tuple[datetime, str],
    sessions: Collection[str],
    now: datetime,
    numbers: Settings,
) -> list[Sum]:
    """Of one point what counts and comes before a choice (its time and id). ``sessions``: those that make layers."""
    given = {
        **_given(user_id, now, numbers),
        "point": point_id,
        "at": before[0],
        "id": before[1],
        "last": _day(before[0]),
        "last_at": _start(_day(before[0])),
        "sessions": list(sessions),
    }
    statement = f"{_OLDER} {_GROUPED}" if numbers.decay_rate > FINEST else _OLDER_TALLIED
    return [_sum(row) for row in _rows_of(statement, given)]


def sums_elsewhere(
    *,
    user_id: int,
    wanted: Mapping[str, tuple[str, uuid.UUID | None]],
    reach: Collection[uuid.UUID] | None,
    now: datetime,
    numbers: Settings,
) -> dict[str, list[Sum]]:
    """Of the same templates in other workspaces, by name. See ``tables.counted_elsewhere``."""
    fine = numbers.decay_rate > FINEST
    given = {
        **_given(user_id, now, numbers),
        "names": list(wanted),
        "templates": [template for template, _workspace in wanted.values()],
        "workspaces": [workspace for _template, workspace in wanted.values()],
        "reach": None if reach is None else list(reach),
    }
    given["until"] = "infinity" if fine else given["first_at"]
    found: dict[str, list[Sum]] = {}
    for name, *row in _rows_of(_ELSEWHERE if fine else _ELSEWHERE_TALLIED, given):
        found.setdefault(name, []).append(_sum(row))
    return found


def _sum(row: Any) -> Sum:
    chosen, session, followed, reported, count, weight = row
    # What is left of a sum from which nearly all was taken may be a hair below nothing.
    return Sum(tuple(chosen), str(session or ""), followed, reported, count, max(weight, 0.0))


def _given(user_id: int, now: datetime, numbers: Settings) -> dict[str, Any]:
    since = now - numbers.archive_after
    return {
        "user": user_id,
        "since": since,
        "first": _day(since) + 1,
        "first_at": _start(_day(since) + 1),
        "epoch": now.timestamp(),
        "rate": numbers.decay_rate,
        "fade": numbers.decay_rate / DAY_SECONDS,
    }


def _day(moment: datetime) -> int:
    return (moment - _EPOCH).days


def _start(day: int) -> datetime:
    return _EPOCH + timedelta(days=day)


def _rows_of(statement: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
