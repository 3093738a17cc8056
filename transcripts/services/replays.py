"""Hold a person's scans while late deliveries come in, then let them go in the order of what happened."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Greatest

from transcripts import limits
from transcripts.models import AgentSession, Compaction, Replay, ScanState, Turn

_UNFINISHED = (ScanState.WAITING, ScanState.LEASED)


@transaction.atomic
def replay_hold(*, user: User, machine: str, at: datetime, more: bool | None, now: datetime) -> bool:
    """Something that happened at `at` came late, or something late is about to come; True while scans are held.

    `more`: the machine has further events that we lack; None when it does not say. A machine that falls silent holds
    nothing for longer than `limits.REPLAY_WAIT`, and one that never ends nothing for longer than `limits.REPLAY_MOST`.
    """
    wait = {True: limits.REPLAY_WAIT, None: limits.REPLAY_QUIET, False: timedelta(0)}[more]
    row, new = Replay.objects.get_or_create(
        user=user, machine=machine, defaults={"since": now, "wait_until": now + wait, "through": at}
    )
    if not new:
        last = row.since + limits.REPLAY_MOST
        Replay.objects.filter(pk=row.pk).update(
            wait_until=min(now + wait, max(last, now)), through=Greatest("through", at)
        )
    return Replay.objects.filter(user=user, wait_until__gt=now).exists()


def caught_up(*, now: datetime, session_id: uuid.UUID | None) -> Iterable[int]:
    """People whose late deliveries are complete and not scanned yet; of one session's person if it is named."""
    rows = Replay.objects.order_by("since")
    if session_id is not None:
        rows = rows.filter(user__in=AgentSession.objects.filter(pk=session_id).values("user"))
    held: set[int] = set()
    found: dict[int, None] = {}
    for user, wait_until in rows.values_list("user_id", "wait_until"):
        found[user] = None
        if wait_until > now:
            held.add(user)
    return [user for user in found if user not in held]


def next_of(*, user_id: int, now: datetime) -> Turn | Compaction | None:
    """What of the person comes next, by the time it ended; the caller is in a transaction and leases it.

    None when a scan of theirs is running or has to wait, and when nothing late is left: then the replay is over.
    """
    replays = list(Replay.objects.select_for_update().filter(user=user_id))
    if not replays or any(row.wait_until > now for row in replays):
        return None
    through = max(row.through for row in replays)
    own = AgentSession.objects.filter(user=user_id)
    if own.filter(scan_lease_until__gt=now).exists():
        return None
    head = _head(own, now)
    if head is None or _ended(head) > through:
        Replay.objects.filter(pk__in=[row.pk for row in replays]).delete()
        return None
    if head.due_at is None or head.due_at > now:
        return None
    if head.scan_state == ScanState.LEASED and (head.lease_until is None or head.lease_until > now):
        return None
    return head


def _head(own: QuerySet[AgentSession], now: datetime) -> Turn | Compaction | None:
    """The earliest that is not scanned; what a person has paused, or imported, is not waited for."""
    awake = own.exclude(workspace__paused_at__isnull=False).exclude(
        workspace=None, persona__paused_at__isnull=False
    )
    awake = awake.exclude(workspace=None, workspace_wait_until__gt=now)
    turns = Turn.objects.filter(
        session__in=awake, scan_state__in=_UNFINISHED, closed_at__isnull=False, backlog=False
    )
    windows = Compaction.objects.filter(session__in=awake, scan_state__in=_UNFINISHED)
    turn = turns.order_by("closed_at", "opened_at", "pk").first()
    window = windows.order_by("received_at", "pk").first()
    if turn is None or window is None:
        return turn or window
    return window if _ended(window) <= _ended(turn) else turn


def _ended(row: Turn | Compaction) -> datetime:
    """When it became ready to be scanned, had it come in time."""
    if isinstance(row, Compaction):
        return row.received_at
    assert row.closed_at is not None  # the caller asks for closed turns alone
    return row.closed_at
