"""What a person said and was told about recurring questions, beside the choices themselves. One statement each."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

# An option set by hand; other names of options; labelled questions so far (probes too), counted by point and, while
# there was none yet, by wording; whether the same template is known in another workspace.
_KNOWN = """
SELECT g.asked, p.id, p.category_set, p.always_ask,
    (SELECT o.key FROM decisions_preference f JOIN decisions_option o ON o.id = f.option_id
     WHERE f.point_id = p.id AND f.user_id = %(user)s AND f.kind = 'preferred' AND f.withdrawn_at IS NULL),
    (SELECT jsonb_object_agg(o.key, t.key) FROM decisions_option o JOIN decisions_option t ON t.id = o.alias_of_id
     WHERE o.point_id = p.id),
    (SELECT count(*) FROM decisions_recommendation r
     WHERE r.point_id = p.id AND r.user_id = %(user)s AND (r.labelled OR r.probe))
    + (SELECT count(*) FROM decisions_recommendation r LEFT JOIN transcripts_agentsession s ON s.id = r.session_id
       WHERE r.point_id IS NULL AND r.user_id = %(user)s AND r.signature = g.asked AND (r.labelled OR r.probe)
         AND s.workspace_id IS NOT DISTINCT FROM %(workspace)s::uuid),
    EXISTS (SELECT 1 FROM decisions_wording e WHERE e.user_id = %(user)s AND e.template_hash = g.template
            AND e.workspace_id IS DISTINCT FROM %(workspace)s::uuid)
FROM unnest(%(asked)s::text[], %(found)s::text[], %(templates)s::text[]) AS g(asked, found, template)
LEFT JOIN decisions_wording w ON w.signature = g.found AND w.user_id = %(user)s AND w.workspace_id {here}
LEFT JOIN decisions_decisionpoint p ON p.id = w.point_id
"""
_PREFERRED = """
SELECT f.point_id, o.key
FROM decisions_preference f JOIN decisions_option o ON o.id = f.option_id
WHERE f.user_id = %(user)s AND f.kind = 'preferred' AND f.withdrawn_at IS NULL AND f.point_id = ANY(%(points)s::uuid[])
"""


@dataclass(frozen=True)
class PointKnown:
    """One question. ``point`` None: it was never answered here. ``aliases``: other names of options to their keys."""

    point: uuid.UUID | None
    category_set: str = ""
    always_ask: bool = False
    preferred: str | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    labelled: int = 0
    elsewhere: bool = False


@dataclass(frozen=True)
class Wanted:
    """A question's signature, the signature of the wording that it is found under, and its template's hash."""

    asked: str
    found: str
    template: str


def points_known(
    *, user_id: int, workspace_id: uuid.UUID | None, wanted: Sequence[Wanted]
) -> dict[str, PointKnown]:
    """By signature as asked; every one of them is there."""
    statement = _KNOWN.format(here="IS NULL" if workspace_id is None else "= %(workspace)s::uuid")
    given: dict[str, Any] = {
        "user": user_id,
        "workspace": workspace_id,
        "asked": [each.asked for each in wanted],
        "found": [each.found for each in wanted],
        "templates": [each.template for each in wanted],
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        return {
            asked: PointKnown(
                point=point,
                category_set=category or "",
                always_ask=bool(always),
                preferred=preferred,
                aliases=json.loads(aliases) if aliases else {},
                labelled=labelled,
                elsewhere=elsewhere,
            )
            for asked, point, category, always, preferred, aliases, labelled, elsewhere in cursor.fetchall()
        }


def preferred_of(*, user_id: int, point_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, str]:
    """The option key that the person set by hand, for each point that has one. No query for no points."""
    if not point_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_PREFERRED, {"user": user_id, "points": list(point_ids)})
        return dict(cursor.fetchall())
