"""Who asks, where, and what is known of them before any question is read. One statement."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from core.models import AgentKey
from decisions.learning.types import Settings

# `reached` is what `Namespace.objects.reachable_by` says of the session's home.
_ASKER = """
SELECT s.id, s.workspace_id, n.paused_at IS NOT NULL, n.type || ':' || n.name,
    EXISTS (SELECT 1 FROM core_membership m WHERE m.namespace_id = n.id AND m.user_id = s.user_id)
    AND (%(short_key)s::uuid IS NULL OR EXISTS (
        SELECT 1 FROM core_agentkey_namespaces r WHERE r.namespace_id = n.id AND r.agentkey_id = %(short_key)s::uuid
    )),
    (SELECT count(*) FROM (
        SELECT 1 FROM transcripts_agentsession h WHERE h.user_id = s.user_id AND EXISTS (
            SELECT 1 FROM transcripts_message m WHERE m.session_id = h.id AND m.origin = 'human'
        ) LIMIT %(enough)s
    ) AS human),
    ARRAY(
        SELECT b.id::text FROM transcripts_agentsession b
        WHERE b.user_id = s.user_id AND b.workspace_id IS NOT DISTINCT FROM s.workspace_id AND NOT b.internal
          AND (b.started_at, b.id) < (s.started_at, s.id)
        ORDER BY b.started_at DESC, b.id DESC LIMIT %(previous)s
    ),
    EXISTS (SELECT 1 FROM decisions_mute u WHERE u.session_id = s.id),
    coalesce(
        (SELECT l.resolve_allowed FROM decisions_learningsetting l
         WHERE l.user_id = s.user_id AND l.workspace_id = s.workspace_id),
        (SELECT l.resolve_allowed FROM decisions_learningsetting l
         WHERE l.user_id = s.user_id AND l.workspace_id IS NULL),
        true
    ),
    (SELECT l.human_sessions FROM decisions_learningsetting l WHERE l.user_id = s.user_id AND l.workspace_id IS NULL),
    (SELECT l.decay_rate FROM decisions_learningsetting l WHERE l.user_id = s.user_id AND l.workspace_id IS NULL),
    ARRAY(SELECT r.namespace_id FROM core_agentkey_namespaces r WHERE r.agentkey_id = %(short_key)s::uuid)
FROM transcripts_agentsession s
JOIN core_namespace n ON n.id = coalesce(s.workspace_id, s.persona_id)
WHERE s.user_id = %(user)s AND s.key = %(session)s
"""


@dataclass(frozen=True)
class Asker:
    """A session of the key's person. ``home`` is its namespace.

    ``reach`` lists the namespaces of a key that has a list. ``human_sessions`` counts no further than strength needs,
    and those that were purged since.
    ``decay_rate`` is the person's own, if any.
    """

    session_id: uuid.UUID
    workspace_id: uuid.UUID | None
    paused: bool
    home: str
    reached: bool
    human_sessions: int
    previous: tuple[str, ...]
    muted: bool
    resolve_allowed: bool
    decay_rate: float | None
    reach: tuple[uuid.UUID, ...] | None


def asker_of(*, key: AgentKey, session: str, numbers: Settings) -> Asker | None:
    """None for a session that the key's person has not opened."""
    short = key.reach == AgentKey.REACH_LIST
    row = _one(
        _ASKER,
        {
            "user": key.user_id,
            "session": session,
            "short_key": key.pk if short else None,
            "enough": numbers.weak_above + 1,
            "previous": numbers.session_layer,
        },
    )
    if row is None:
        return None
    session_id, workspace_id, paused, home, reached, human, previous, muted, allowed, once, rate, reach = row
    return Asker(
        session_id=session_id,
        workspace_id=workspace_id,
        paused=paused,
        home=home,
        reached=reached,
        human_sessions=max(human, once or 0),
        previous=tuple(previous),
        muted=muted,
        resolve_allowed=allowed,
        decay_rate=rate,
        reach=tuple(reach) if short else None,
    )


def _one(statement: str, given: Mapping[str, Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row
