"""How much waits: for a person, and for a worker."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q
from django.utils import timezone

from memory.models import Candidate
from transcripts.models import Compaction, Replay, ScanState, Turn


def pending_count(*, user: AbstractBaseUser | AnonymousUser, now: datetime | None = None) -> int:
    """Candidates that wait for this reviewer, without those set aside for later."""
    return Candidate.objects.reviewable_by(user).open().awake(now or timezone.now()).count()


def oldest_due_seconds(*, now: datetime) -> float | None:
    """Age of the oldest live scan that should have run by now; None when nothing is due.

    What waits in a paused namespace waits for its owner, not for a worker; what is held while late deliveries come in
    waits for them. An import waits behind live work by
    design (``transcripts.services.claims``), so its age says nothing about whether work flows.
    """
    unfinished = [ScanState.WAITING, ScanState.LEASED]
    awake = Q(session__workspace__isnull=False, session__workspace__paused_at=None) | Q(
        session__workspace=None, session__persona__paused_at=None
    )
    turns = Turn.objects.filter(
        awake, scan_state__in=unfinished, closed_at__isnull=False, backlog=False, due_at__lte=now
    )
    compactions = Compaction.objects.filter(awake, scan_state__in=unfinished, backlog=False, due_at__lte=now)
    # Ordered, not Min(): the partial index gives the first one without reading the others.
    held = Replay.objects.filter(wait_until__gt=now).values("user")
    live = [rows.exclude(session__user__in=held) for rows in (turns, compactions)]
    dues = [rows.order_by("due_at").values_list("due_at", flat=True).first() for rows in live]
    known = [due for due in dues if due is not None]
    return (now - min(known)).total_seconds() if known else None
