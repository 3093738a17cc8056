"""Open, claim, keep and end a night: the row is the queue (states are drawn in ``models.run``)."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max

from core import faults
from core.actor import Actor
from core.errors import Conflict
from core.models import AuditEvent, Namespace
from core.services import audit
from knowledge.models import ConsolidationRun
from knowledge.models.run import COMPLETE, ConsolidationRunQuerySet

LEASE = timedelta(minutes=10)
MAX_ATTEMPTS = 3
MAX_CARRIED = 20_000  # ids, some 40 bytes each
BACKOFF = timedelta(minutes=5)


class LeaseLost(Conflict):
    """Another worker has the night: whatever was done for it must be rolled back."""

    code = "lease_lost"


def night_open(*, namespace: Namespace, now: datetime, user: User | None = None) -> ConsolidationRun:
    """The live run of the namespace, a new one if there is none. Nothing runs yet."""
    ConsolidationRun.objects.bulk_create(
        [ConsolidationRun(namespace=namespace, opened_at=now, due_at=now, asked_by=user)],
        ignore_conflicts=True,  # the database holds it to one; both callers get that one
    )
    live = ConsolidationRun.objects.live().filter(namespace=namespace).first()
    if live is None:  # it ended between the two statements
        return night_open(namespace=namespace, now=now, user=user)
    return live


@transaction.atomic
def claim(*, run_id: uuid.UUID, now: datetime) -> ConsolidationRun | None:
    """Lease it; None when it is not due, somebody has it, it is over, or its namespace is paused.

    The first claim sets the watermark; a resumed run keeps the one it had. A run whose every attempt died ends here.
    """
    rows = ConsolidationRun.objects.select_for_update(of=("self",), skip_locked=True)
    run = rows.select_related("namespace").filter(pk=run_id, due_at__lte=now).first()
    if run is None or run.namespace.is_paused:
        return None
    if run.state not in ("waiting", "running") or (run.lease_until and run.lease_until > now):
        return None
    if run.attempts >= MAX_ATTEMPTS:
        _end(run, state="failed", now=now, error=run.error or "the worker died")
        return None
    if run.started_at is None:
        _mark(run, now)
    run.state, run.lease_token, run.lease_until = "running", uuid.uuid4(), now + LEASE
    run.attempts += 1
    run.save()
    return run


def _mark(run: ConsolidationRun, now: datetime) -> None:
    """From where the last complete night looked, up to what is committed now."""
    before = ConsolidationRun.objects.filter(namespace=run.namespace_id, state__in=COMPLETE)
    last = before.order_by("-until_event", "-opened_at").first()
    stream = audit.stream_of(run.namespace_id)
    top = AuditEvent.objects.filter(stream=stream).aggregate(top=Max("seq"))["top"]
    run.started_at = run.until_at = now
    run.until_event = top or 0
    if last is not None:
        run.since_event, run.since_at, run.carried = last.until_event, last.until_at, last.carried


def held(run: ConsolidationRun) -> ConsolidationRunQuerySet:
    """The row, as long as this worker has it."""
    return ConsolidationRun.objects.filter(pk=run.pk, state="running", lease_token=run.lease_token)


def keep(run: ConsolidationRun, *, now: datetime) -> None:
    """Renew the lease. Raises LeaseLost."""
    if not held(run).update(lease_until=now + LEASE):
        raise LeaseLost("the lease ran out")


@transaction.atomic
def finish(run: ConsolidationRun, *, carried: dict[str, list[str]], seconds: float, now: datetime) -> None:
    """Every stage is through: done. Raises LeaseLost.

    With more to carry over than a row should hold the mark stays where it was: the next night looks at all of it again.
    """
    if sum(map(len, carried.values())) > MAX_CARRIED:
        held(run).update(until_event=F("since_event"))
        carried = {}
    if not held(run).update(carried=carried, seconds=F("seconds") + seconds):
        raise LeaseLost("the lease ran out")
    run.refresh_from_db()
    _end(run, state="done", now=now, error="")


@transaction.atomic
def release(run: ConsolidationRun, *, error: Exception, seconds: float, now: datetime) -> str:
    """A stage failed: wait for another attempt, or end as failed. Returns the state, ``lost`` without the lease."""
    if not held(run).update(seconds=F("seconds") + seconds):
        return "lost"
    run.refresh_from_db()
    if run.attempts >= MAX_ATTEMPTS:
        _end(run, state="failed", now=now, error=faults.brief(error))
    else:
        held(run).update(
            state="waiting",
            lease_token=None,
            lease_until=None,
            due_at=now + BACKOFF * run.attempts,
            error=faults.brief(error),
        )
        run.refresh_from_db()
    return run.state


def _end(run: ConsolidationRun, *, state: str, now: datetime, error: str) -> None:
    was = run.state
    run.state, run.ended_at, run.error = state, now, error
    run.lease_token = run.lease_until = None
    run.save()
    audit.record(
        stream=audit.stream_of(run.namespace_id),
        verb=f"night.{state}",
        actor=Actor.system(),
        object_type="night",
        object_id=run.pk,
        from_state=was,
        to_state=state,
        group=run.pk,
        data={"proposed": run.proposed, "looked_at": run.looked_at},
        now=now,
    )
