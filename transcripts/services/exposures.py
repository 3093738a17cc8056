"""What agents were shown, and whether a text is one of those things (design section 3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Q

from core.models import AgentKey
from core.text import tokens
from transcripts import limits
from transcripts.inputs import Shown
from transcripts.models import AgentSession, Exposure
from transcripts.served import MOST_OF_FEW, Served, prints

_COPY = """
COPY transcripts_exposure (
    at, session_id, agent_key_id, path, record_type, record_id, version, tokens, fingerprints
) FROM STDIN
"""


def exposure_record(
    *,
    session: AgentSession | None,
    agent_key: AgentKey | None,
    path: str,
    items: Sequence[Shown],
    now: datetime,
) -> None:
    """Remember what was put before an agent: one row for each record. `path`: recall, get, resident, expansion.

    Without a session the exposure stands under the key and is compared for 24 hours. By COPY: every recall ends here,
    and the arrays of fingerprints as parameters of an INSERT took a tenth of its time.
    """
    if session is None and agent_key is None:
        raise ValueError("an exposure belongs to a session or to an agent key")
    if not items:
        return
    owner = (session.pk if session else None, agent_key.pk if agent_key else None)
    rows = [
        (
            now,
            *owner,
            path,
            item.record_type,
            item.record_id,
            item.version,
            tokens(item.text),
            prints(item.text),
        )
        for item in items
    ]
    # The driver's own COPY raises its own errors; callers know Django's.
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(_COPY) as copy:
        for row in rows:
            copy.write_row(row)


def exposure_forget(*, record_type: str, record_id: str) -> int:
    """Delete every trace of having shown a record; called when the record itself is deleted. Returns the count."""
    return Exposure.objects.filter(record_type=record_type, record_id=record_id).delete()[0]


def served_among(
    *, sessions: Collection[AgentSession], agent_key: AgentKey | None, texts: Sequence[str], now: datetime
) -> Served:
    """What of these texts was served, found in the database: a long session's exposures are never loaded whole."""
    if not texts:
        return Served(())
    rows = Exposure.objects.filter(_before(sessions, agent_key, now))
    wanted = sorted({print_ for text in texts for print_ in prints(text)})
    sql, params = rows.values("fingerprints").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH served AS MATERIALIZED ({sql})"  # noqa: S608 (written by the ORM, values are bound)
            " SELECT true, array_agg(DISTINCT print) FROM served, unnest(fingerprints) AS print"
            " WHERE print = ANY(%s)"
            " UNION ALL SELECT DISTINCT false, fingerprints FROM served WHERE cardinality(fingerprints) < %s",
            [*params, wanted, MOST_OF_FEW],
        )
        found = cursor.fetchall()
    return Served(
        frozenset(print_ for among, prints in found if among for print_ in prints or ()),
        frozenset(tuple(prints) for among, prints in found if not among),
    )


def _before(sessions: Collection[AgentSession], agent_key: AgentKey | None, now: datetime) -> Q:
    in_session = Q(session__in=sessions)
    if agent_key is None:
        return in_session
    return in_session | Q(session=None, agent_key=agent_key, at__gt=now - limits.KEY_EXPOSURE)
