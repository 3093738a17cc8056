"""The queue: what waits for this reviewer, filtered, and how much of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Q
from django.utils import timezone

from core.models import Namespace
from knowledge.models import Proposal
from knowledge.models.proposal import is_waiting
from memory.models import Candidate
from memory.models.candidate import CandidateQuerySet
from memory.selectors.queue import pending_count
from review.selectors.paging import Cursor, Page, page
from review.selectors.wanted import QueueFilter, condition, narrowing

PAGE = 25
__all__ = [
    "QueueFilter",
    "Tally",
    "arrivals",
    "ever_any",
    "narrow",
    "queue",
    "review_namespaces",
    "tally",
    "waiting",
]


@dataclass(frozen=True)
class Tally:
    """Counts over everything this person may review, whatever the filter.

    ``pending`` leaves out what was set aside; ``expiring`` does not: its clock goes on.
    """

    pending: int
    expiring: int
    decided_today: int
    proposals: int = 0

    @property
    def total(self) -> int:
        """Everything that waits: candidates and proposals."""
        return self.pending + self.proposals


def narrow(rows: CandidateQuerySet, wanted: QueueFilter, *, now: datetime | None = None) -> CandidateQuerySet:
    """Apply the filter to candidates in any state."""
    return rows.filter(narrowing(wanted, now=now or timezone.now()))


def with_relations(rows: CandidateQuerySet) -> CandidateQuerySet:
    """What a row shows, in one query; vectors and blocks serve dedupe alone."""
    return rows.select_related(
        "namespace__owner", "session", "agent_key", "conflicts_with", "decided_by", "memory"
    ).defer("vector", "blocks", "memory__blocks", "conflicts_with__blocks")


# How each order reads a row: the column, whether it is a number, and whether the largest comes first.
ORDERS: dict[str, tuple[str, bool, bool]] = {
    "": ("touched_at", False, False),
    "newest": ("last_seen_at", False, True),
    "seen": ("times_seen", True, True),
    "confidence": ("confidence", True, True),
}


def waiting(*, user: User, wanted: QueueFilter, now: datetime) -> CandidateQuerySet:
    """The open candidates that a filter asks for, in no order. What is set aside is hidden unless asked for."""
    return Candidate.objects.reviewable_by(user).open().filter(condition(wanted, now=now))


def queue(
    *,
    user: User,
    wanted: QueueFilter,
    after: Cursor | None,
    size: int = PAGE,
    now: datetime | None = None,
    only: Sequence[uuid.UUID] = (),
) -> Page[Candidate]:
    """Open candidates, those that expire first on top unless the filter asks for another order.

    ``only`` narrows to these: what a bulk act left behind.
    """
    rows = waiting(user=user, wanted=wanted, now=now or timezone.now())
    if only:
        rows = rows.filter(pk__in=only)
    field, numeric, down = ORDERS[wanted.sort]
    # Ids first: joining the relations before the limit would join every row that waits.
    found = page(
        rows.only("pk", field),
        field=field,
        after=after,
        size=size,
        at=lambda row: getattr(row, field),
        down=down,
        numeric=numeric,
    )
    whole = with_relations(Candidate.objects.all()).in_bulk([row.pk for row in found.rows])
    # One that somebody deleted between the two queries is simply not there.
    return Page([whole[row.pk] for row in found.rows if row.pk in whole], found.next)


def arrivals(*, user: User, wanted: QueueFilter, since: datetime, now: datetime) -> int:
    """How many candidates that match have arrived since a list was made: their ids sort by time of arrival."""
    first = uuid.UUID(int=int(since.timestamp() * 1000 + 1) << 80)
    return waiting(user=user, wanted=wanted, now=now).filter(pk__gte=first).count()


def tally(*, user: User, now: datetime, today: datetime, archive_days: int) -> Tally:
    """``today`` is the reader's midnight."""
    week = now + timedelta(days=7) - timedelta(days=archive_days)
    own = Candidate.objects.reviewable_by(user)
    awake = Q(set_aside_until=None) | Q(set_aside_until__lte=now)
    counts = own.filter(Q(status__in=["pending", "needs_attention"]) | Q(decided_at__gte=today)).aggregate(
        pending=Count("pk", filter=Q(status__in=["pending", "needs_attention"]) & awake),
        expiring=Count("pk", filter=Q(status="pending", touched_at__lte=week)),
        decided=Count("pk", filter=Q(status__in=["approved", "rejected"], decided_at__gte=today)),
    )
    theirs = Proposal.objects.reviewable_by(user).aggregate(
        waiting=Count("pk", filter=is_waiting()),
        decided=Count("pk", filter=Q(state__in=["accepted", "refused"], decided_at__gte=today)),
    )
    return Tally(
        counts["pending"], counts["expiring"], counts["decided"] + theirs["decided"], theirs["waiting"]
    )


def waiting_count(*, user: User, now: datetime | None = None) -> int:
    """All that waits for this reviewer: the number beside "Review" on every page."""
    return pending_count(user=user, now=now) + Proposal.objects.reviewable_by(user).waiting().count()


def review_namespaces(*, user: User) -> list[Namespace]:
    """Where this person decides: the choices of filters and forms."""
    return list(Namespace.objects.reviewable_by(user).select_related("owner"))


def ever_any(*, user: User) -> bool:
    """Has a candidate ever arrived? Tells the first run from a finished day."""
    return Candidate.objects.reviewable_by(user).exists()
