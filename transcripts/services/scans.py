"""Claim, finish, fail and retry scans: the row is the queue (states are drawn in `models.scan`).

Scans of one session run one at a time in the client's order. The session row carries the lease that makes it so: it is
taken by a conditional UPDATE, so any number of workers may ask at once. Order: compactions, live turns, backlog.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, Invalid, NotFound
from core.redact import redact
from core.services import audit
from transcripts import limits
from transcripts.jobs import COMPACTION, TURN, Job
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn
from transcripts.services.claims import claim

__all__ = ["COMPACTION", "TURN", "Job", "LeaseLost", "claim", "fail", "finish", "retry"]

_MAX_ERROR_CHARS = 2_000


class LeaseLost(Conflict):
    """The lease ran out and somebody else may have the job: whatever was done for it must be rolled back."""

    code = "lease_lost"


@transaction.atomic
def finish(job: Job, *, message_ids: Collection[int], now: datetime, again: bool = False) -> None:
    """Mark these messages scanned and end the job; call it in the transaction that writes what the scan found.

    What came in meanwhile, or `again`, puts the row back to waiting with fresh attempts. Raises LeaseLost.
    """
    # First the session's row, as ingest does: what it stored meanwhile is seen below.
    if not _release(job):
        raise LeaseLost("the lease ran out")
    if message_ids:
        Message.objects.filter(session=job.session_id, pk__in=message_ids, scanned_at=None).update(
            scanned_at=now
        )
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


@transaction.atomic
def fail(job: Job, *, error: str, now: datetime) -> str:
    """Put the row back with a growing pause (15 s, 30 s, …), or let it die at the last attempt.

    Returns the new scan state; `lost` when the lease had run out. The error text is redacted before it is kept.
    """
    if not _release(job):
        return "lost"
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
    return state.value if changed else "lost"


@transaction.atomic
def retry(*, kind: str, id: int, user: User, now: datetime) -> None:
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
        actor=Actor.person(user),
        object_type=kind,
        object_id=id,
        from_state=ScanState.DEAD,
        to_state=ScanState.WAITING,
        now=now,
    )


def _rows(kind: str) -> QuerySet[Turn] | QuerySet[Compaction]:
    return Turn.objects.all() if kind == TURN else Compaction.objects.all()


def _leased(job: Job) -> QuerySet[Turn] | QuerySet[Compaction]:
    return _rows(job.kind).filter(pk=job.id, scan_state=ScanState.LEASED, lease_token=job.token)


def _unscanned(job: Job) -> QuerySet[Message]:
    """What of the job's range nobody has scanned yet."""
    rows = Message.objects.filter(session=job.session_id, scanned_at=None)
    if job.kind == TURN:
        return rows.filter(turn=job.id)
    window = Compaction.objects.filter(pk=job.id).first()
    return rows.filter(window.covered) if window else rows.none()


def _release(job: Job) -> bool:
    """Give the session back; False when the lease had run out and somebody took it."""
    session = AgentSession.objects.filter(pk=job.session_id, scan_lease_token=job.token)
    return bool(session.update(scan_lease_until=None, scan_lease_token=None))
