"""What was decided or put away, so that it can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from memory.models import Candidate
from review.selectors.paging import Cursor, Page, page
from review.selectors.queue import QueueFilter, narrow, with_relations

PAGE = 50
OUTCOMES = ("approved", "rejected", "archived")


@dataclass(frozen=True)
class HistoryFilter(QueueFilter):
    """``outcome`` is approved, rejected, archived or empty (all three)."""

    outcome: str = ""

    def __bool__(self) -> bool:
        return bool(self.outcome) or super().__bool__()


def decided(*, user: User, wanted: HistoryFilter, after: Cursor | None, size: int = PAGE) -> Page[Candidate]:
    """Decided and archived candidates, the latest decision first."""
    rows = narrow(Candidate.objects.reviewable_by(user), wanted).filter(decided_at__isnull=False)
    rows = rows.filter(status=wanted.outcome) if wanted.outcome else rows.filter(status__in=OUTCOMES)
    return page(
        with_relations(rows),
        field="decided_at",
        after=after,
        size=size,
        at=lambda row: row.decided_at or row.touched_at,
        down=True,
    )
