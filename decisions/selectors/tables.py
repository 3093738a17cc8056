"""What counts of decision points, as the columns that `decisions.learning` sums: rows never become objects here.

An answer must not wait for 10,000 of them: the newest are read one by one, for evidence, contexts and runs; the
database sums what is older. The statements are written out and their values used as they come.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.db import connection

from decisions.learning import Table, bundles, joined
from decisions.learning.table import DAY_SECONDS
from decisions.learning.types import Settings
from decisions.models import Source

NEWEST: Final = 300  # choices of a point that are read one by one; contexts and runs look no further back

# One row a group, each column as one text: hundreds of values are taken apart in no time, rows are not. Option keys
# hold no control characters (folding makes them blanks), JSON escapes them.
_UNIT, _RECORD = "\x1f", "\x1e"
_COUNTED = "c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL AND c.at > %(since)s"
_NEWEST = f"""
SELECT p.id, count(*), min(c.at),
    string_agg(c.id::text, ',' ORDER BY c.at, c.id),
    string_agg(date_part('epoch', c.at)::text, ',' ORDER BY c.at, c.id),
    string_agg(array_to_string(c.chosen, E'\\x1f'), E'\\x1e' ORDER BY c.at, c.id),
    string_agg(coalesce(c.session_id::text, ''), ',' ORDER BY c.at, c.id),
    string_agg((c.labelled::int + 2 * c.followed::int + 4 * (c.source <> 'hook')::int)::text, ',' ORDER BY c.at, c.id),
    string_agg(c.context::text, E'\\x1e' ORDER BY c.at, c.id)
FROM unnest(%(points)s::uuid[]) AS p(id)
CROSS JOIN LATERAL (
    SELECT c.id, c.at, c.chosen, c.session_id, c.labelled, c.followed, c.source, c.context FROM decisions_choice c
    WHERE c.point_id = p.id AND c.user_id = %(user)s AND {_COUNTED}
    ORDER BY c.at DESC, c.id DESC LIMIT %(newest)s
) AS c
GROUP BY p.id
"""  # noqa: S608 (written out above; values are bound)
# Below e^-700 the database refuses to go; what lies in the future weighs 1.
_SUMS = """count(*),
    sum(exp(least(0.0, greatest(-700.0, (date_part('epoch', c.at) - %(epoch)s::float8) * %(fade)s::float8))))"""
# Of one point, with the borders as values: then the planner knows how much it will read. Sessions that make no layer
# are one.
_OLDER = f"""
SELECT c.point_id, c.chosen, CASE WHEN c.session_id = ANY(%(sessions)s::uuid[]) THEN c.session_id END,
    c.followed, c.source, {_SUMS}
FROM decisions_choice c
WHERE c.point_id = %(point)s AND c.user_id = %(user)s AND (c.at, c.id) < (%(at)s, %(id)s) AND {_COUNTED}
GROUP BY 1, 2, 3, 4, 5
"""  # noqa: S608
# A paused workspace contributes nothing, nor does one that the key does not reach.
_ELSEWHERE = f"""
SELECT g.name, c.chosen, NULL, c.followed, c.source, {_SUMS}
FROM unnest(%(names)s::text[], %(templates)s::text[], %(workspaces)s::uuid[]) AS g(name, template, workspace)
JOIN decisions_wording w ON w.template_hash = g.template AND w.user_id = %(user)s
    AND w.workspace_id IS DISTINCT FROM g.workspace
JOIN decisions_choice c ON c.wording_id = w.id AND c.user_id = %(user)s
LEFT JOIN core_namespace n ON n.id = w.workspace_id
WHERE n.paused_at IS NULL
  AND (%(reach)s::uuid[] IS NULL OR w.workspace_id = ANY(%(reach)s::uuid[])) AND {_COUNTED}
GROUP BY 1, 2, 3, 4, 5
"""  # noqa: S608

_NONE: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Sum:
    """Equal choices: option keys, the session if it makes a layer, how many, and what they weigh together."""

    chosen: tuple[str, ...]
    session: str
    followed: bool
    reported: bool
    count: int
    weight: float


@dataclass(frozen=True)
class Counted:
    """What counts of one point or template at ``now``. ``newest``: six columns as texts, or none."""

    now: datetime
    numbers: Settings
    newest: Sequence[str] = ()
    older: Sequence[Sum] = ()

    def table(self, names: Mapping[str, str] = _NONE) -> Table:
        """As learning sums it. ``names``: option key to what it counts as."""
        older = bundles(
            chosen=[_named(each.chosen, names) for each in self.older],
            count=[each.count for each in self.older],
            weight=[each.weight for each in self.older],
            session=[each.session for each in self.older],
            followed=[each.followed for each in self.older],
            reported=[each.reported for each in self.older],
            now=self.now,
            settings=self.numbers,
        )
        return joined(older, _rows(self.newest, names)) if self.newest else older


def counted_here(
    *,
    user_id: int,
    point_ids: Collection[uuid.UUID],
    sessions: Collection[str] = (),
    now: datetime,
    numbers: Settings,
) -> dict[uuid.UUID, Counted]:
    """The person's counted choices of each point; points without any are left out. One query, and one a full point.

    ``sessions``: ids of those that make layers.
    """
    if not point_ids:
        return {}
    given = {
        **_given(user_id, now, numbers),
        "newest": NEWEST,
        "sessions": [each for each in sessions if each],
    }
    found: dict[uuid.UUID, Counted] = {}
    for point, n, oldest, *columns in _rows_of(_NEWEST, {**given, "points": list(point_ids)}):
        older: Sequence[Sum] = ()
        if n == NEWEST:
            border = {"point": point, "at": oldest, "id": columns[0].partition(",")[0]}
            older = _sums(_OLDER, {**given, **border}).get(point, ())
        found[point] = Counted(now, numbers, columns, older)
    return found


def counted_elsewhere(
    *,
    user_id: int,
    wanted: Mapping[str, tuple[str, uuid.UUID | None]],
    reach: Collection[uuid.UUID] | None,
    now: datetime,
    numbers: Settings,
) -> dict[str, Counted]:
    """The same person's choices on the same templates in other workspaces: the person prior. One query, none for none.

    ``wanted``: any name → the template's hash and the workspace that is left out. ``reach``: the only workspaces that
    may be read; None: all that are the person's own choices.
    """
    if not wanted:
        return {}
    given = {
        **_given(user_id, now, numbers),
        "names": list(wanted),
        "templates": [template for template, _workspace in wanted.values()],
        "workspaces": [workspace for _template, workspace in wanted.values()],
        "reach": None if reach is None else list(reach),
    }
    return {name: Counted(now, numbers, older=sums) for name, sums in _sums(_ELSEWHERE, given).items()}


def _given(user_id: int, now: datetime, numbers: Settings) -> dict[str, Any]:
    return {
        "user": user_id,
        "since": now - numbers.archive_after,
        "epoch": now.timestamp(),
        "fade": numbers.decay_rate / DAY_SECONDS,
    }


def _rows_of(statement: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _sums(statement: str, given: Mapping[str, Any]) -> dict[Any, list[Sum]]:
    found: dict[Any, list[Sum]] = {}
    for group, chosen, session, followed, source, count, weight in _rows_of(statement, given):
        equal = Sum(tuple(chosen), str(session or ""), followed, source != Source.HOOK, count, weight)
        found.setdefault(group, []).append(equal)
    return found


def _named(chosen: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names.get(key, key) for key in chosen))


def _rows(columns: Sequence[str], names: Mapping[str, str]) -> Table:
    ids, at, picked, session, flags, around = columns
    chosen, context = picked.split(_RECORD), around.split(_RECORD)
    codes: dict[tuple[str, ...], int] = {}
    code_of = {
        text: codes.setdefault(_named(text.split(_UNIT), names), len(codes)) for text in dict.fromkeys(chosen)
    }
    flag = np.array(flags.split(","), dtype=np.int64)
    contexts = {text: _context(text) for text in set(context)}
    return Table(
        ids=tuple(ids.split(",")),
        at=np.array(at.split(","), dtype=np.float64),
        code=np.array([code_of[text] for text in chosen], dtype=np.int64),
        sets=tuple(codes),
        session=np.array(session.split(","), dtype=np.object_),
        labelled=(flag & 1).astype(np.bool_),
        followed=(flag & 2).astype(np.bool_),
        reported=(flag & 4).astype(np.bool_),
        count=np.ones(len(flag), dtype=np.int64),
        context=tuple([contexts[text] for text in context]) if any(contexts.values()) else (),
    )


def _context(text: str) -> Mapping[str, str]:
    found = json.loads(text)
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else _NONE
