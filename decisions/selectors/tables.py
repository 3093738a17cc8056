"""What counts of decision points, as the columns that `decisions.learning` sums: rows never become objects here.

An answer must not wait for 10,000 of them: the newest are read one by one, for evidence, contexts and runs; what is
older comes as sums. The statement is written out and its values used as they come.
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
from decisions.learning.types import Settings
from decisions.selectors.sums import Sum, sums_elsewhere, sums_older

NEWEST: Final = 128  # choices of a point that are read one by one; contexts and runs look no further back

# One row a group, each column as one text: hundreds of values are taken apart in no time, rows are not. Option keys
# hold no control characters (folding makes them blanks), JSON escapes them.
# `IS NOT DISTINCT FROM` checks what must not be looked up: where the planner knows little, it would read a person's
# whole log for each point rather than walk the point's own index.
_UNIT, _RECORD = "\x1f", "\x1e"
_COUNTED = "c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL AND c.at > %(since)s"
_ORDER = "ORDER BY c.at DESC, c.id DESC"
_NEWEST = f"""
SELECT p.id, c.*
FROM unnest(%(points)s::uuid[]) AS p(id)
CROSS JOIN LATERAL (
    SELECT count(*) AS n, min(c.at),
        string_agg(c.id::text, ',' {_ORDER}),
        string_agg(date_part('epoch', c.at)::text, ',' {_ORDER}),
        string_agg(array_to_string(c.chosen, E'\\x1f'), E'\\x1e' {_ORDER}),
        string_agg(coalesce(c.session_id::text, ''), ',' {_ORDER}),
        string_agg((c.labelled::int + 2 * c.followed::int + 4 * (c.source <> 'hook')::int)::text, ',' {_ORDER}),
        string_agg(c.context::text, E'\\x1e' {_ORDER})
    FROM (
        SELECT c.id, c.at, c.chosen, c.session_id, c.labelled, c.followed, c.source, c.context FROM decisions_choice c
        WHERE c.point_id = p.id AND c.user_id IS NOT DISTINCT FROM %(user)s AND {_COUNTED}
        {_ORDER} LIMIT %(newest)s
    ) AS c
) AS c
WHERE c.n > 0
"""  # noqa: S608 (written out above; values are bound)
_NONE: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Counted:
    """What counts of one point or template at ``now``. ``newest``: six columns as texts, or none."""

    now: datetime
    numbers: Settings
    newest: Sequence[str] = ()
    older: Sequence[Sum] = ()

    def table(self, names: Mapping[str, str] = _NONE) -> Table:
        """As learning sums it. ``names``: option key to what it counts as."""
        newest = _rows(self.newest, names) if self.newest else None
        if newest is not None and not self.older:
            return newest
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
        return joined(older, newest) if newest is not None else older


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
    given: dict[str, Any] = {
        "user": user_id,
        "since": now - numbers.archive_after,
        "newest": NEWEST,
        "points": list(point_ids),
    }
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, given)
        rows = cursor.fetchall()
    layered = [each for each in sessions if each]
    found: dict[uuid.UUID, Counted] = {}
    for point, n, oldest, *columns in rows:
        older: Sequence[Sum] = ()
        if n == NEWEST:
            older = sums_older(
                user_id=user_id,
                point_id=point,
                before=(oldest, columns[0].rpartition(",")[2]),
                sessions=layered,
                now=now,
                numbers=numbers,
            )
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
    sums = sums_elsewhere(user_id=user_id, wanted=wanted, reach=reach, now=now, numbers=numbers)
    return {name: Counted(now, numbers, older=each) for name, each in sums.items()}


def _named(chosen: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names.get(key, key) for key in chosen))


def _rows(columns: Sequence[str], names: Mapping[str, str]) -> Table:
    """Oldest first, of columns that have the newest first: so they come without being sorted again."""
    ids, at, picked, session, flags, around = columns
    chosen, where = picked.split(_RECORD)[::-1], around.split(_RECORD)[::-1]
    codes: dict[tuple[str, ...], int] = {}
    code_of = {
        text: codes.setdefault(_named(text.split(_UNIT), names), len(codes)) for text in dict.fromkeys(chosen)
    }
    flag = np.fromstring(flags, dtype=np.int64, sep=",")[::-1]
    places = {text: i for i, text in enumerate(dict.fromkeys(where))}
    contexts = _contexts(list(places))
    return Table(
        ids=tuple(ids.split(",")[::-1]),
        at=np.fromstring(at, dtype=np.float64, sep=",")[::-1],
        code=np.array([code_of[text] for text in chosen], dtype=np.int64),
        sets=tuple(codes),
        session=np.array(session.split(",")[::-1], dtype=np.object_),
        labelled=(flag & 1).astype(np.bool_),
        followed=(flag & 2).astype(np.bool_),
        reported=(flag & 4).astype(np.bool_),
        count=np.ones(len(flag), dtype=np.int64),
        around=np.array([places[text] for text in where], dtype=np.int64),
        contexts=contexts if any(contexts) else (),
    )


def _contexts(texts: Sequence[str]) -> tuple[Mapping[str, str], ...]:
    """All at once: many small readings of JSON cost more than one."""
    found = json.loads(f"[{','.join(texts)}]")
    return tuple(
        {str(name): str(value) for name, value in each.items()} if isinstance(each, dict) else _NONE
        for each in found
    )
