"""What counts of decision points, as the columns that `decisions.learning` sums: rows never become objects here.

An answer must not wait for 10,000 of them, so the statements are written out and their values used as they come.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.db import connection

from decisions.learning import Table
from decisions.learning.types import Settings

# One row a group, each column as one text: 10,000 values are taken apart in a millisecond, 10,000 rows are not. Option
# keys hold no control characters (folding makes them blanks), JSON escapes them.
_UNIT, _RECORD = "\x1f", "\x1e"
_COLUMNS = """
    string_agg(c.id::text, ',' ORDER BY c.at, c.id),
    string_agg(extract(epoch FROM c.at)::float8::text, ',' ORDER BY c.at, c.id),
    string_agg(array_to_string(c.chosen, E'\\x1f'), E'\\x1e' ORDER BY c.at, c.id),
    string_agg(coalesce(c.session_id::text, ''), ',' ORDER BY c.at, c.id),
    string_agg((c.labelled::int + 2 * c.followed::int + 4 * (c.source <> 'hook')::int)::text, ',' ORDER BY c.at, c.id),
    string_agg(c.context::text, E'\\x1e' ORDER BY c.at, c.id)
"""
_COUNTED = "c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL AND c.at > %(since)s"
_HERE = f"""
SELECT c.point_id, {_COLUMNS}
FROM decisions_choice c
WHERE c.user_id = %(user)s AND c.point_id = ANY(%(points)s) AND {_COUNTED}
GROUP BY c.point_id
"""  # noqa: S608 (written out above; values are bound)
# A paused workspace contributes nothing, nor does one that the key does not reach.
_ELSEWHERE = f"""
SELECT w.template_hash, {_COLUMNS}
FROM decisions_wording w
JOIN decisions_choice c ON c.wording_id = w.id
LEFT JOIN core_namespace n ON n.id = w.workspace_id
WHERE w.user_id = %(user)s AND c.user_id = %(user)s AND w.template_hash = ANY(%(templates)s)
  AND w.workspace_id IS DISTINCT FROM %(workspace)s::uuid AND n.paused_at IS NULL
  AND (%(reach)s::uuid[] IS NULL OR w.workspace_id = ANY(%(reach)s::uuid[])) AND {_COUNTED}
GROUP BY w.template_hash
"""  # noqa: S608

Columns = tuple[str, ...]
_NONE: Final[Mapping[str, str]] = {}


def rows_here(
    *, user_id: int, point_ids: Collection[uuid.UUID], now: datetime, numbers: Settings
) -> dict[uuid.UUID, Columns]:
    """The person's counted choices of each point, oldest first; points without any are left out. One query."""
    if not point_ids:
        return {}
    given = {"user": user_id, "points": list(point_ids), "since": now - numbers.archive_after}
    return _grouped(_HERE, given)


def rows_elsewhere(
    *,
    user_id: int,
    templates: Collection[str],
    workspace_id: uuid.UUID | None,
    reach: Collection[uuid.UUID] | None,
    now: datetime,
    numbers: Settings,
) -> dict[str, Columns]:
    """The same person's choices on the same templates (hashes) in other workspaces. One query.

    ``reach``: the only workspaces that may be read; None: all that are the person's own choices.
    """
    given = {
        "user": user_id,
        "templates": list(templates),
        "workspace": workspace_id,
        "reach": None if reach is None else list(reach),
        "since": now - numbers.archive_after,
    }
    return _grouped(_ELSEWHERE, given)


def _grouped(statement: str, given: Mapping[str, Any]) -> dict[Any, Columns]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        return {group: tuple(columns) for group, *columns in cursor.fetchall()}


def table(columns: Columns | None, names: Mapping[str, str] = _NONE) -> Table:
    """Columns of one group as learning sums them; None: an empty one. ``names``: option key to what it counts as."""
    if not columns:
        return Table.of(ids=[], at=[], chosen=[], session=[], labelled=[], followed=[], reported=[])
    ids, at, picked, session, flags, around = columns
    chosen, context = picked.split(_RECORD), around.split(_RECORD)
    codes: dict[tuple[str, ...], int] = {}
    code_of: dict[str, int] = {}
    for text in dict.fromkeys(chosen):
        named = tuple(dict.fromkeys(names.get(key, key) for key in text.split(_UNIT)))
        code_of[text] = codes.setdefault(named, len(codes))
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
        context=tuple([contexts[text] for text in context]) if any(contexts.values()) else (),
    )


def _context(text: str) -> Mapping[str, str]:
    found = json.loads(text)
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else _NONE
