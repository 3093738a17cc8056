"""Candidates nobody touched leave the queue after thirty days (design section 4)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from core.actor import Actor
from core.errors import Conflict
from memory.models import Candidate
from memory.services.transitions import change

CANDIDATE_ARCHIVE_DAYS = 30
BATCH = 200


def archive_due(*, now: datetime) -> int:
    """Archive what was touched 30 × 24 h ago or earlier; returns how many. One transaction each, safe to repeat."""
    limit = now - timedelta(hours=24 * CANDIDATE_ARCHIVE_DAYS)
    archived = 0
    seen_up_to: tuple[datetime, object] | None = None
    while True:
        rows = Candidate.objects.filter(status="pending", touched_at__lte=limit).order_by("touched_at", "pk")
        batch = list(rows.defer("vector", "blocks")[:BATCH])
        if not batch or (batch[-1].touched_at, batch[-1].pk) == seen_up_to:
            return archived
        seen_up_to = (batch[-1].touched_at, batch[-1].pk)
        for candidate in batch:
            archived += _archive(candidate, now)


@transaction.atomic  # each by itself: whoever decides about the next one must not wait for this one
def _archive(candidate: Candidate, now: datetime) -> int:
    try:
        change(
            candidate,
            version=candidate.version,
            allowed=["pending"],
            verb="candidate.archived",
            actor=Actor.system(),
            status="archived",
            decided_at=now,
            now=now,
            data={"because": f"untouched for {CANDIDATE_ARCHIVE_DAYS} days"},
        )
    except Conflict:
        return 0  # somebody touched or decided it meanwhile
    return 1
