"""What was decided or put away, by whom and together with what, so that it can be taken back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from core.models import AuditEvent
from knowledge.models import Proposal
from knowledge.models.proposal import ProposalQuerySet
from memory.models import Candidate, Memory
from memory.models.candidate import CandidateQuerySet
from review.models import Act
from review.selectors.paging import Cursor, Page, page
from review.selectors.queue import QueueFilter, narrow, with_relations

PAGE = 50
OUTCOMES = ("approved", "rejected", "archived")  # of candidates
ANSWERS = ("accepted", "refused")  # to proposals; one that was withdrawn was decided by nobody
_VERBS = (
    "candidate.approved",
    "candidate.rejected",
    "candidate.merged",
    "candidate.archived",
    "proposal.accepted",
    "proposal.refused",
)
Row = Candidate | Proposal


@dataclass(frozen=True)
class HistoryFilter(QueueFilter):
    """``outcome`` is one of OUTCOMES or ANSWERS, or empty (all); ``by`` me, policy, clock or empty (anyone)."""

    outcome: str = ""
    by: str = ""

    def __bool__(self) -> bool:
        return bool(self.outcome or self.by) or super().__bool__()


@dataclass(frozen=True)
class Group:
    """Neighbours on a page that were decided in one act, or one alone.

    ``actor`` is person, policy or system (the clock); ``by`` a name. ``act`` is the reader's own and can be undone
    as a whole unless ``act.undone_at``; ``total`` is how many items it had, which may be more than this page shows.
    """

    rows: Sequence[Row]
    actor: str
    by: str
    at: datetime
    act: Act | None
    total: int


def decided(*, user: User, wanted: HistoryFilter, after: Cursor | None, size: int = PAGE) -> Page[Row]:
    """Decided and archived candidates and decided proposals, the latest decision first."""
    candidates = _page(_candidates(user, wanted), after, size)
    proposals = _page(_proposals(user, wanted), after, size)
    if not proposals.rows:
        return Page(list[Row](candidates.rows), candidates.next)
    # Both are a page long: the page of both together is among them.
    both = [*candidates.rows, *proposals.rows]
    both.sort(key=lambda row: (decided_at(row), row.pk), reverse=True)
    found, more = both[:size], len(both) > size or candidates.next or proposals.next
    return Page(found, str(Cursor(decided_at(found[-1]), found[-1].pk)) if more else "")


def decided_at(row: Row) -> datetime:
    """The moment by which History is ordered; every row there has it."""
    if row.decided_at is None:
        raise ValueError("not decided")
    return row.decided_at


def _page(rows: QuerySet[Any], after: Cursor | None, size: int) -> Page[Any]:
    return page(rows, field="decided_at", after=after, size=size, at=decided_at, down=True)


def _candidates(user: User, wanted: HistoryFilter) -> CandidateQuerySet:
    if wanted.outcome in ANSWERS:
        return Candidate.objects.none()
    rows = narrow(Candidate.objects.reviewable_by(user), wanted).filter(decided_at__isnull=False)
    rows = rows.filter(status=wanted.outcome) if wanted.outcome else rows.filter(status__in=OUTCOMES)
    if wanted.by == "me":
        rows = rows.filter(decided_by=user)
    elif wanted.by == "policy":
        rows = rows.filter(status="approved", memory__actor="policy")
    elif wanted.by == "clock":
        rows = rows.filter(Q(status="archived", decided_by=None))
    return with_relations(rows)


def _proposals(user: User, wanted: HistoryFilter) -> ProposalQuerySet:
    """A proposal has no kind of its own, and neither auto-approve nor the clock decides it."""
    if wanted.outcome in OUTCOMES or wanted.kind or wanted.by in ("policy", "clock"):
        return Proposal.objects.none()
    rows = Proposal.objects.reviewable_by(user).filter(decided_at__isnull=False)
    rows = rows.filter(state__in=[wanted.outcome] if wanted.outcome else ANSWERS)
    if wanted.by == "me":
        rows = rows.filter(decided_by=user)
    if wanted.namespace:
        rows = rows.filter(namespace_id=wanted.namespace)
    if wanted.text:
        about = Memory.objects.filter(
            proposals=OuterRef("pk"), namespace=OuterRef("namespace"), content__icontains=wanted.text
        )
        rows = rows.filter(Q(reason__icontains=wanted.text) | Q(Exists(about)))
    return rows.select_related("namespace__owner", "report", "decided_by")


def grouped(*, user: User, rows: Sequence[Row]) -> list[Group]:
    """The rows of a page with who decided them, neighbours of one act together: two queries."""
    events = _decisions(rows)
    groups = {event.group for event in events.values() if event.group}
    acts = {act.pk: act for act in Act.objects.visible_to(user).filter(pk__in=groups)}

    def act_of(row: Row) -> object:
        event = events.get(row.pk)
        return event.group or row.pk if event else row.pk

    found: list[Group] = []
    for _key, members in groupby(rows, key=act_of):
        together = list(members)
        event = events.get(together[0].pk)
        act = acts.get(event.group) if event and event.group else None
        found.append(
            Group(
                rows=together,
                actor=event.actor_type if event else "",
                by=event.actor_label if event else "",
                at=event.at if event else decided_at(together[0]),
                act=act,
                total=len(act.items) if act else len(together),
            )
        )
    return found


def _decisions(rows: Sequence[Row]) -> dict[uuid.UUID, AuditEvent]:
    """The latest decision about each row."""
    events = AuditEvent.objects.filter(
        object_type__in=["candidate", "proposal"],
        object_id__in=[str(row.pk) for row in rows],
        verb__in=_VERBS,
    )
    return {uuid.UUID(event.object_id): event for event in events.order_by("id")}
