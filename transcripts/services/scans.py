"""Claim, finish, fail and retry scans: the row is the queue (states are drawn in `models.scan`).

Scans of one session run one at a time in the client's order. The session row carries the lease that makes it so: it is
taken by a conditional UPDATE, so any number of workers may ask at once. Order: compactions, live turns, backlog.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection, Iterator
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Invalid, NotFound
from core.redact import redact
from core.services import audit
from transcripts import limits
from transcripts.jobs import COMPACTION, TURN, Job
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn

__all__ = ["COMPACTION", "TURN", "Job", "LeaseLost", "claim", "fail", "finish", "retry"]

_LOOKED_AT = 20  # rows read at once; the first usually is the one
_MAX_ERROR_CHARS = 2_000


class LeaseLost(Conflict):
    """The lease ran out and somebody else may have the job: whatever was done for it must be rolled back."""

    code = "lease_lost"


def claim(*, now: datetime, session_id: uuid.UUID | None = None) -> Job | None:
    """Lease the next due scan for `limits.LEASE`, of one session if it is named; None when nothing is due.

    Safe under any number of workers. A scan whose worker died `MAX_ATTEMPTS` times becomes dead here.
    """
    for row in _compactions(now, session_id):
        job = _lease(row, now)
        if job is not None:
            return job
    for backlog in (False, True):
        seen: set[uuid.UUID] = set()
        while sessions := _sessions_with_turns(now, backlog, session_id, seen):
            for each in sessions:
                head = _head(each, now)
                job = _lease(head, now) if head is not None and head.backlog is backlog else None
                if job is not None:
                    return job
            seen.update(sessions)
    return None


@transaction.atomic
def finish(job: Job, *, message_ids: Collection[int], now: datetime, again: bool = False) -> None:
    """Mark these messages scanned and end the job; call it in the transaction that writes what the scan found.

    What came in meanwhile, or `again`, puts the row back to waiting with fresh attempts. Raises LeaseLost.
    """
    session = AgentSession.objects.filter(pk=job.session_id).select_for_update(no_key=True).first()
    if session is None:
        raise LeaseLost("the session is gone")
    if message_ids:
        Message.objects.filter(session=session, pk__in=message_ids, scanned_at=None).update(scanned_at=now)
    more = again or _unscanned(job).exists()
    changed = _leased(job).update(
        scan_state=ScanState.WAITING if more else ScanState.DONE,
        due_at=now,
        attempts=0,
        error="",
        lease_until=None,
        lease_token=None,
    )
    if not changed:
        raise LeaseLost("the lease ran out")
    _release(job.session_id, job.token)


@transaction.atomic
def fail(job: Job, *, error: str, now: datetime) -> str:
    """Put the row back with a growing pause (15 s, 30 s, …), or let it die at the last attempt.

    Returns the new scan state; `lost` when the lease had run out. The error text is redacted before it is kept.
    """
    AgentSession.objects.filter(pk=job.session_id).select_for_update(no_key=True).first()
    dead = job.attempts >= limits.MAX_ATTEMPTS
    pause = limits.BACKOFF * 2 ** (job.attempts - 1) * random.uniform(1.0, 1.2)  # noqa: S311 (spreads load only)
    state = ScanState.DEAD if dead else ScanState.WAITING
    changed = _leased(job).update(
        scan_state=state,
        due_at=now if dead else now + pause,
        error=redact(error).text[:_MAX_ERROR_CHARS],
        lease_until=None,
        lease_token=None,
    )
    _release(job.session_id, job.token)
    return state.value if changed else "lost"


@transaction.atomic
def retry(*, kind: str, id: int, user: AbstractBaseUser, now: datetime) -> None:
    """A person brings a dead scan back. Raises Invalid (kind), NotFound (foreign or missing), Conflict (not dead)."""
    if kind not in (TURN, COMPACTION):
        raise Invalid(_("Unknown kind of scan."), field="kind", allowed=[TURN, COMPACTION])
    own = _rows(kind).filter(session__user_id=user.pk, pk=id)
    row = own.select_related("session__persona", "session__workspace").first()
    if row is None:
        raise NotFound(_("There is no such scan."))
    if not own.filter(scan_state=ScanState.DEAD).update(
        scan_state=ScanState.WAITING, attempts=0, due_at=now, error=""
    ):
        raise Conflict(
            _("This scan has not failed; nothing was changed."), code="not_dead", status=row.scan_state
        )
    audit.record(
        stream=audit.stream_of(row.session.home.pk),
        verb="scan.retried",
        actor=Actor("person", str(user.pk), user.get_username()),
        object_type=kind,
        object_id=id,
        from_state=ScanState.DEAD,
        to_state=ScanState.WAITING,
        now=now,
    )


def _rows(kind: str) -> QuerySet[Turn] | QuerySet[Compaction]:
    return Turn.objects.all() if kind == TURN else Compaction.objects.all()


def _due(now: datetime) -> Q:
    """Waiting and due, or left behind by a worker that died."""
    free = Q(scan_state=ScanState.WAITING) | Q(scan_state=ScanState.LEASED, lease_until__lte=now)
    return Q(due_at__lte=now) & free


def _ready(now: datetime) -> Q:
    """In a session that nobody scans, and that is neither paused nor still waiting for the name of its workspace."""
    return (Q(session__scan_lease_until=None) | Q(session__scan_lease_until__lte=now)) & (
        Q(session__workspace__isnull=False, session__workspace__paused_at=None)
        | Q(session__workspace=None, session__persona__paused_at=None)
        & (Q(session__workspace_wait_until=None) | Q(session__workspace_wait_until__lte=now))
    )


def _compactions(now: datetime, session_id: uuid.UUID | None) -> Iterator[Compaction]:
    rows = Compaction.objects.filter(_due(now), _ready(now))
    if session_id is not None:
        rows = rows.filter(session=session_id)
    yield from rows.order_by("due_at", "pk")[:_LOOKED_AT]


def _sessions_with_turns(
    now: datetime, backlog: bool, session_id: uuid.UUID | None, seen: set[uuid.UUID]
) -> list[uuid.UUID]:
    """Sessions that have waited longest, without those looked at before: a huge one must not hide the others."""
    rows = Turn.objects.filter(_due(now), _ready(now), closed_at__isnull=False, backlog=backlog)
    if session_id is not None:
        rows = rows.filter(session=session_id)
    ids = rows.exclude(session__in=seen).order_by("due_at").values_list("session_id", flat=True)
    return list(dict.fromkeys(ids[:_LOOKED_AT]))


def _head(session_id: uuid.UUID, now: datetime) -> Turn | None:
    """The first closed turn of the session that is not scanned, if it is due.

    An earlier turn that is still open is waited for, but not for ever.
    """
    earlier_open = Turn.objects.filter(
        Q(opened_at__lt=OuterRef("opened_at")) | Q(opened_at=OuterRef("opened_at"), pk__lt=OuterRef("pk")),
        session=OuterRef("session"),
        closed_at=None,
    )
    unscanned = Turn.objects.filter(
        session=session_id,
        scan_state__in=[ScanState.WAITING, ScanState.LEASED],
        closed_at__isnull=False,
    )
    head = unscanned.annotate(gap=Exists(earlier_open)).order_by("opened_at", "pk").first()
    if head is None or head.closed_at is None or head.due_at is None or head.due_at > now:
        return None
    if head.scan_state == ScanState.LEASED and (head.lease_until is None or head.lease_until > now):
        return None
    gap: bool = getattr(head, "gap", False)
    return None if gap and head.closed_at > now - limits.GAP_WAIT else head


@transaction.atomic
def _lease(row: Turn | Compaction, now: datetime) -> Job | None:
    """Take the session, then the row, if both still are as they were read."""
    token, until = uuid.uuid4(), now + limits.LEASE
    took = AgentSession.objects.filter(
        Q(scan_lease_until=None) | Q(scan_lease_until__lte=now), pk=row.session_id
    ).update(scan_lease_until=until, scan_lease_token=token)
    if not took:
        return None
    kind = TURN if isinstance(row, Turn) else COMPACTION
    # Attempts and due_at are those that were read: whoever came in between has changed one of them.
    same = _rows(kind).filter(pk=row.pk, scan_state=row.scan_state, attempts=row.attempts, due_at=row.due_at)
    if row.attempts >= limits.MAX_ATTEMPTS:
        same.update(
            scan_state=ScanState.DEAD,
            due_at=now,
            error=_("The worker stopped in the middle of this scan, %(n)d times.") % {"n": row.attempts},
            lease_until=None,
            lease_token=None,
        )
        _release(row.session_id, token)
        return None
    changed = same.update(
        scan_state=ScanState.LEASED, lease_until=until, lease_token=token, attempts=F("attempts") + 1
    )
    if not changed:
        _release(row.session_id, token)
        return None
    return Job(kind, row.pk, row.session_id, token, row.backlog, row.attempts + 1)


def _leased(job: Job) -> QuerySet[Turn] | QuerySet[Compaction]:
    return _rows(job.kind).filter(pk=job.id, scan_state=ScanState.LEASED, lease_token=job.token)


def _unscanned(job: Job) -> QuerySet[Message]:
    """What of the job's range nobody has scanned yet."""
    rows = Message.objects.filter(session=job.session_id, scanned_at=None)
    if job.kind == TURN:
        return rows.filter(turn=job.id)
    through = Compaction.objects.filter(pk=job.id).values("through_id")
    return rows.filter(pk__lte=through[:1])


def _release(session_id: uuid.UUID, token: uuid.UUID) -> None:
    AgentSession.objects.filter(pk=session_id, scan_lease_token=token).update(
        scan_lease_until=None, scan_lease_token=None
    )
