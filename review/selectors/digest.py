"""What a reminder says: counts and links, never a memory's text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count, Q
from django.urls import reverse

from knowledge.models import Proposal
from memory.models import Candidate
from memory.services.archive import CANDIDATE_ARCHIVE_DAYS

SOON = timedelta(days=7)


@dataclass(frozen=True)
class Waiting:
    """``pending`` candidates wait now, ``expiring`` of them archive within a week; ``link`` opens the queue.

    ``proposals`` wait beside them; those never archive.
    """

    pending: int
    expiring: int
    proposals: int
    link: str
    settings_link: str

    def __bool__(self) -> bool:
        return bool(self.pending or self.proposals)


def waiting_for(*, user: User, now: datetime) -> Waiting:
    """Counts over everything this person may review."""
    oldest = now + SOON - timedelta(days=CANDIDATE_ARCHIVE_DAYS)
    rows = Candidate.objects.reviewable_by(user).open().awake(now)
    counts = rows.aggregate(
        pending=Count("pk"), expiring=Count("pk", filter=Q(status="pending", touched_at__lte=oldest))
    )
    base = settings.SITE_URL.rstrip("/")
    return Waiting(
        pending=counts["pending"],
        expiring=counts["expiring"],
        proposals=Proposal.objects.reviewable_by(user).waiting().count(),
        link=base + reverse("review"),
        settings_link=base + reverse("settings"),
    )
