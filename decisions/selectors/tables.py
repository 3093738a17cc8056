"""What counts of decision points, as the columns that `decisions.learning` sums: rows never become objects here.

An answer must not wait for 10,000 of them, so the statements are written out and their values used as they come.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.db import connection

from decisions.learning import Table
from decisions.learning.types import Settings

_COLUMNS = """
    c.id::text, extract(epoch FROM c.at)::float8, c.chosen, coalesce(c.session_id::text, ''),
    c.labelled, c.followed, c.source <> 'hook', c.context::text
"""
_COUNTED = "c.outcome = 'observed' AND c.archived_at IS NULL AND c.reset_id IS NULL AND c.at > %(since)s"
_HERE = f"""
SELECT c.point_id, {_COLUMNS}
FROM decisions_choice c
WHERE c.user_id = %(user)s AND c.point_id = ANY(%(points)s) AND {_COUNTED}
ORDER BY c.at, c.id
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
ORDER BY c.at, c.id
"""  # noqa: S608

Row = tuple[Any, ...]
_NONE: Final[Mapping[str, str]] = {}


def rows_here(
    *, user_id: int, point_ids: Collection[uuid.UUID], now: datetime, numbers: Settings
) -> dict[uuid.UUID, list[Row]]:
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
) -> dict[str, list[Row]]:
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


def _grouped(statement: str, given: Mapping[str, Any]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        for group, *row in cursor.fetchall():
            found.setdefault(group, []).append(tuple(row))
    return found


def table(rows: Sequence[Row], names: Mapping[str, str] = _NONE) -> Table:
    """Columns of these rows, oldest first. ``names``: option key to the key that it counts as."""
    if not rows:
        return Table.of(ids=[], at=[], chosen=[], session=[], labelled=[], followed=[], reported=[])
    ids, at, chosen, session, labelled, followed, reported, context = zip(*rows, strict=True)
    codes: dict[tuple[str, ...], int] = {}
    raw: dict[tuple[str, ...], int] = {}
    code = np.empty(len(rows), dtype=np.int64)
    for place, keys in enumerate(map(tuple, chosen)):
        if keys not in raw:
            named = tuple(dict.fromkeys(names.get(key, key) for key in keys))
            raw[keys] = codes.setdefault(named, len(codes))
        code[place] = raw[keys]
    contexts = {text: _context(text) for text in set(context)}
    return Table(
        ids=ids,
        at=np.array(at, dtype=np.float64),
        code=code,
        sets=tuple(codes),
        session=np.array(session, dtype=np.object_),
        labelled=np.array(labelled, dtype=np.bool_),
        followed=np.array(followed, dtype=np.bool_),
        reported=np.array(reported, dtype=np.bool_),
        context=tuple(contexts[text] for text in context) if any(contexts.values()) else (),
    )


def _context(text: str) -> Mapping[str, str]:
    found = json.loads(text)
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else _NONE
