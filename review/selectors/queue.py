"""The queue: what waits for this reviewer, filtered, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q

from core.models import Namespace
from memory.models import Candidate, Evidence
from memory.models.candidate import CandidateQuerySet
from review.selectors.paging import Cursor, Page, page

PAGE = 50


@dataclass(frozen=True)
class QueueFilter:
    """What the address bar asks for; an empty field does not narrow. ``namespace`` is an id."""

    kind: str = ""
    namespace: str = ""
    source: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return any((self.kind, self.namespace, self.source, self.text))


@dataclass(frozen=True)
class Tally:
    """Counts over everything this person may review, whatever the filter."""

    pending: int
    expiring: int
    decided_today: int


def narrow(rows: CandidateQuerySet, wanted: QueueFilter) -> CandidateQuerySet:
    """Apply the filter. Text looks into the content and the quoted evidence."""
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.namespace:
        rows = rows.filter(namespace_id=wanted.namespace)
    if wanted.source:
        rows = rows.filter(source=wanted.source)
    if wanted.text:
        quoted = Evidence.objects.filter(candidate=OuterRef("pk"), quote__icontains=wanted.text)
        rows = rows.filter(Q(content__icontains=wanted.text) | Exists(quoted))
    return rows


def with_relations(rows: CandidateQuerySet) -> CandidateQuerySet:
    """What a row shows, in one query; vectors and blocks serve dedupe alone."""
    return rows.select_related(
        "namespace__owner", "session", "agent_key", "conflicts_with", "decided_by", "memory"
    ).defer("vector", "blocks", "memory__blocks", "conflicts_with__blocks")


def queue(*, user: User, wanted: QueueFilter, after: Cursor | None, size: int = PAGE) -> Page[Candidate]:
    """Open candidates, those that expire first on top."""
    rows = with_relations(narrow(Candidate.objects.reviewable_by(user).open(), wanted))
    return page(rows, field="touched_at", after=after, size=size, at=lambda row: row.touched_at, down=False)


def tally(*, user: User, now: datetime, today: datetime, archive_days: int) -> Tally:
    """``today`` is the reader's midnight."""
    week = now + timedelta(days=7) - timedelta(days=archive_days)
    own = Candidate.objects.reviewable_by(user)
    counts = own.filter(Q(status__in=["pending", "needs_attention"]) | Q(decided_at__gte=today)).aggregate(
        pending=Count("pk", filter=Q(status__in=["pending", "needs_attention"])),
        expiring=Count("pk", filter=Q(status="pending", touched_at__lte=week)),
        decided=Count("pk", filter=Q(status__in=["approved", "rejected"], decided_at__gte=today)),
    )
    return Tally(counts["pending"], counts["expiring"], counts["decided"])


def review_namespaces(*, user: User) -> list[Namespace]:
    """Where this person decides: the choices of filters and forms."""
    return list(Namespace.objects.reviewable_by(user).select_related("owner"))


def ever_any(*, user: User) -> bool:
    """Has a candidate ever arrived? Tells the first run from a finished day."""
    return Candidate.objects.reviewable_by(user).exists()
