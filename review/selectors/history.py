"""What was decided or put away, by whom and together with what, so that it can be taken back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.contrib.auth.models import User
from django.db.models import Q

from core.models import AuditEvent
from memory.models import Candidate
from review.models import Act
from review.selectors.paging import Cursor, Page, page
from review.selectors.queue import QueueFilter, narrow, with_relations

PAGE = 50
OUTCOMES = ("approved", "rejected", "archived")
DECIDERS = ("me", "policy", "clock")
_VERBS = ("candidate.approved", "candidate.rejected", "candidate.merged", "candidate.archived")


@dataclass(frozen=True)
class HistoryFilter(QueueFilter):
    """``outcome`` is approved, rejected, archived or empty (all three); ``by`` me, policy, clock or empty (anyone)."""

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

    rows: Sequence[Candidate]
    actor: str
    by: str
    at: datetime
    act: Act | None
    total: int


def decided(*, user: User, wanted: HistoryFilter, after: Cursor | None, size: int = PAGE) -> Page[Candidate]:
    """Decided and archived candidates, the latest decision first."""
    rows = narrow(Candidate.objects.reviewable_by(user), wanted).filter(decided_at__isnull=False)
    rows = rows.filter(status=wanted.outcome) if wanted.outcome else rows.filter(status__in=OUTCOMES)
    if wanted.by == "me":
        rows = rows.filter(decided_by=user)
    elif wanted.by == "policy":
        rows = rows.filter(status="approved", memory__actor="policy")
    elif wanted.by == "clock":
        rows = rows.filter(Q(status="archived", decided_by=None))
    return page(
        with_relations(rows),
        field="decided_at",
        after=after,
        size=size,
        at=lambda row: row.decided_at or row.touched_at,
        down=True,
    )


def grouped(*, user: User, rows: Sequence[Candidate]) -> list[Group]:
    """The rows of a page with who decided them, neighbours of one act together: two queries."""
    events = _decisions(rows)
    groups = {event.group for event in events.values() if event.group}
    acts = {act.pk: act for act in Act.objects.visible_to(user).filter(pk__in=groups)}

    def act_of(row: Candidate) -> object:
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
                at=event.at if event else together[0].decided_at or together[0].touched_at,
                act=act,
                total=len(act.items) if act else len(together),
            )
        )
    return found


def _decisions(rows: Sequence[Candidate]) -> dict[uuid.UUID, AuditEvent]:
    """The latest decision about each row."""
    events = AuditEvent.objects.filter(
        object_type="candidate", object_id__in=[str(row.pk) for row in rows], verb__in=_VERBS
    )
    return {uuid.UUID(event.object_id): event for event in events.order_by("id")}
