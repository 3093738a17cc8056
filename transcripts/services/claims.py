"""Choose and lease the next scan; `scans` is the door to this file."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from transcripts import limits
from transcripts.jobs import COMPACTION, TURN, Job
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn
from transcripts.services.replays import caught_up, next_of

_LOOKED_AT = 20  # rows of each rank read at once; the first usually is the one
_HEADS = 4
_WINDOW = 500  # due rows considered at first

# A worker asks this before every scan; composed through the ORM it costs more than the scan of a short turn.
# Due: waiting, or left behind by a worker that died. The session must be free, not paused, and not wait for the
# name of its workspace. A person whose late deliveries are coming in is served otherwise (`replays`). `seen` holds
# sessions that were looked at before: a huge one must not hide the others.
_FREE = """
    x.due_at <= %(now)s AND (x.scan_state = 'waiting' OR (x.scan_state = 'leased' AND x.lease_until <= %(now)s))
    AND (s.scan_lease_until IS NULL OR s.scan_lease_until <= %(now)s)
    AND n.paused_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM transcripts_replay r WHERE r.user_id = s.user_id)
    AND (s.workspace_id IS NOT NULL OR s.workspace_wait_until IS NULL OR s.workspace_wait_until <= %(now)s)
    AND (%(session)s::uuid IS NULL OR s.id = %(session)s::uuid)
    AND s.id <> ALL(%(seen)s::uuid[])
"""
_JOINED = """
    JOIN transcripts_agentsession s ON s.id = x.session_id
    JOIN core_namespace n ON n.id = COALESCE(s.workspace_id, s.persona_id)
"""


def _due(table: str, where: str) -> str:
    """The rows that are due, the longest first, straight from the partial index that holds only unfinished ones.

    MATERIALIZED: left to itself the planner goes through all sessions and reads every turn they ever had.
    """
    return f"""
    SELECT * FROM {table} WHERE scan_state IN ('waiting', 'leased') AND {where} AND due_at <= %(now)s
    AND (%(session)s::uuid IS NULL OR session_id = %(session)s::uuid) ORDER BY due_at LIMIT %(window)s
    """  # noqa: S608 (constants of this file)


def _first(rank: int, id_: str, rows: str) -> str:
    return f"""
    (SELECT {rank}, {id_}, x.session_id FROM {rows} x {_JOINED} WHERE {_FREE} ORDER BY x.due_at LIMIT {_LOOKED_AT})
    """  # noqa: S608 (constants of this file)


_PICK = f"""
WITH compactions AS MATERIALIZED ({_due("transcripts_compaction", "true")}),
     live AS MATERIALIZED ({_due("transcripts_turn", "closed_at IS NOT NULL AND NOT backlog")}),
     backlog AS MATERIALIZED ({_due("transcripts_turn", "closed_at IS NOT NULL AND backlog")})
{_first(0, "x.id", "compactions")} UNION ALL {_first(1, "0", "live")} UNION ALL {_first(2, "0", "backlog")}
"""


def claim(*, now: datetime, session_id: uuid.UUID | None = None) -> Job | None:
    """Lease the next due scan for `limits.LEASE`, of one session if it is named; None when nothing is due.

    Order: what came late and is complete now, compactions with the turns before them, live turns, backlog. Safe under
    any number of workers.
    A scan whose worker died `MAX_ATTEMPTS` times becomes dead here.
    """
    for user_id in caught_up(now=now, session_id=session_id):
        job = _of_replay(user_id, now)
        if job is not None:
            return job
    seen: set[uuid.UUID] = set()
    while picked := _pick(now, session_id, seen):
        for row in _rows(picked, now):
            job = _lease(row, now)
            if job is not None:
                return job
        seen.update(session for _rank, _id, session in picked)
    return None


@transaction.atomic
def _of_replay(user_id: int, now: datetime) -> Job | None:
    row = next_of(user_id=user_id, now=now)
    if isinstance(row, Compaction) and row.until is not None:
        # Now that all of it is here it is known which message the window ended with; the Sessions page shows it there.
        covered = Message.objects.filter(row.covered, session=row.session_id).order_by("-at", "-pk")
        Compaction.objects.filter(pk=row.pk).update(
            through_id=covered.values_list("pk", flat=True).first() or 0
        )
    return _lease(row, now) if row is not None else None


def _pick(
    now: datetime, session_id: uuid.UUID | None, seen: set[uuid.UUID]
) -> list[tuple[int, int, uuid.UUID]]:
    # The longest due usually hold a free session. If they do not (a paused workspace with a pile), look at all.
    for window in (_WINDOW, None):
        with connection.cursor() as cursor:
            cursor.execute(_PICK, {"now": now, "session": session_id, "seen": list(seen), "window": window})
            if rows := cursor.fetchall():
                return sorted(dict.fromkeys(rows), key=lambda row: row[0])
    return []


def _rows(picked: list[tuple[int, int, uuid.UUID]], now: datetime) -> Iterator[Turn | Compaction]:
    """The compactions, each behind the turns that ended before it, then the first turn of each session."""
    compactions = {id for rank, id, _session in picked if rank == 0}
    if compactions:
        for each in Compaction.objects.filter(pk__in=compactions).order_by("due_at", "pk"):
            earlier = _before(each)
            if earlier is None:
                yield each
            elif earlier.due_at is not None and earlier.due_at <= now:
                yield earlier
    for session in dict.fromkeys(session for rank, _id, session in picked if rank > 0):
        head = _head(session, now)
        if head is not None:
            yield head


def _before(compaction: Compaction) -> Turn | None:
    """The first turn of its session that had ended before, and is not scanned.

    A window that is read whole finds other things than its turns one by one: what is found must not depend on how far
    the workers have come. A turn that fails for good is waited for no longer.
    """
    return (
        Turn.objects.filter(
            session=compaction.session_id,
            scan_state__in=[ScanState.WAITING, ScanState.LEASED],
            closed_at__lte=compaction.received_at,
            backlog=False,
        )
        .order_by("opened_at", "pk")
        .first()
    )


def _head(session_id: uuid.UUID, now: datetime) -> Turn | None:
    """The first closed turn of the session that is not scanned, if it is due.

    An earlier turn that is still open is waited for, but not for ever.
    """
    unscanned = Turn.objects.filter(
        session=session_id, scan_state__in=[ScanState.WAITING, ScanState.LEASED]
    ).order_by("opened_at", "pk")
    first = list(unscanned[:_HEADS])
    head = next((turn for turn in first if turn.closed_at), None)
    if head is None and len(first) == _HEADS:  # a client that closes nothing
        head = unscanned.filter(closed_at__isnull=False).first()
    if head is None or head.closed_at is None or head.due_at is None or head.due_at > now:
        return None
    if head.scan_state == ScanState.LEASED and (head.lease_until is None or head.lease_until > now):
        return None
    gap = first[0].closed_at is None
    return None if gap and head.closed_at > now - limits.GAP_WAIT else head


@transaction.atomic
def _lease(row: Turn | Compaction, now: datetime) -> Job | None:
    """Take the session, then the row, if both still are as they were read."""
    token, until = uuid.uuid4(), now + limits.LEASE
    session = AgentSession.objects.filter(pk=row.session_id)
    free = Q(scan_lease_until=None) | Q(scan_lease_until__lte=now)
    if not session.filter(free).update(scan_lease_until=until, scan_lease_token=token):
        return None
    # Whoever came in between has changed one of these.
    same = type(row).objects.filter(
        pk=row.pk, scan_state=row.scan_state, attempts=row.attempts, due_at=row.due_at
    )
    if row.attempts < limits.MAX_ATTEMPTS:
        if same.update(
            scan_state=ScanState.LEASED, lease_until=until, lease_token=token, attempts=F("attempts") + 1
        ):
            kind = TURN if isinstance(row, Turn) else COMPACTION
            return Job(kind, row.pk, row.session_id, token, row.backlog, row.attempts + 1)
    else:
        same.update(
            scan_state=ScanState.DEAD,
            due_at=now,
            error=_("The worker stopped in the middle of this scan, %(n)d times.") % {"n": row.attempts},
            lease_until=None,
            lease_token=None,
        )
    session.filter(scan_lease_token=token).update(scan_lease_until=None, scan_lease_token=None)
    return None
