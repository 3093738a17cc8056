"""How the gate does: what was proposed and what became of it, and what agents were given (design section 7, Insights).

Everything is the signed-in person's: candidates of namespaces they are a member of, and their own conversations.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import TruncWeek
from django.utils import timezone

from core.ids import parse_id
from core.models import Namespace
from core.scope import Scope
from decisions.models import Recommendation
from memory.models import Candidate, Extraction, Memory
from transcripts.models import AgentSession, Exposure

WEEKS = 13
WINDOW = timedelta(days=90)
MOST_DECISIONS = 5_000  # the newest, for the time that a decision takes
MOST_RECALLED = 8
OPEN = ("pending", "needs_attention")


@dataclass(frozen=True)
class Weekly:
    """One week, named by its Monday in the reader's zone, and its counts by name."""

    monday: date
    counts: Counter[str]


@dataclass(frozen=True)
class FromSource:
    """What became of the candidates of one way in. ``share``: of those decided by a person or a policy, approved."""

    source: str
    approved: int
    rejected: int
    archived: int
    waiting: int

    @property
    def proposed(self) -> int:
        return self.approved + self.rejected + self.archived + self.waiting

    @property
    def share(self) -> float | None:
        decided = self.approved + self.rejected
        return self.approved / decided if decided else None


@dataclass(frozen=True)
class Recalled:
    memory: Memory
    times: int
    last: datetime


@dataclass
class Scans:
    """Runs over the person's turns and compactions, and what was left out of the queue, by reason."""

    runs: int = 0
    failed: int = 0
    proposed: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def homes_of(*, user: User, wanted: str = "") -> tuple[list[Namespace], Namespace | None]:
    """The person's namespaces, and the one of the address (None: all of them, or none that is theirs)."""
    mine = list(Namespace.objects.visible_to(user).select_related("owner"))
    asked = parse_id(wanted)
    return mine, next((each for each in mine if each.pk == asked), None)


def mondays(now: datetime) -> list[date]:
    """The Mondays of the last weeks in the reader's zone, this week's last."""
    today = timezone.localtime(now).date()
    this = today - timedelta(days=today.weekday())
    return [this - timedelta(weeks=back) for back in reversed(range(WEEKS))]


def gate_by_week(*, user: User, scope: Scope, now: datetime) -> list[Weekly]:
    """Candidates by the week they were first seen in, counted by what they are now."""
    rows = (
        _candidates(user, scope, now)
        .annotate(week=TruncWeek("first_seen_at"))
        .values_list("week", "status")
        .annotate(n=Count("pk"))
    )
    return _weekly(((week, "waiting" if status in OPEN else status, n) for week, status, n in rows), now)


def gate_by_source(*, user: User, scope: Scope, now: datetime) -> list[FromSource]:
    """The same by the way they came in, the most first."""
    rows = (
        _candidates(user, scope, now)
        .values_list("source")
        .annotate(
            approved=Count("pk", filter=Q(status="approved")),
            rejected=Count("pk", filter=Q(status="rejected")),
            archived=Count("pk", filter=Q(status="archived")),
            waiting=Count("pk", filter=Q(status__in=OPEN)),
        )
    )
    return sorted((FromSource(*row) for row in rows), key=lambda each: (-each.proposed, each.source))


def hours_to_decide(*, user: User, scope: Scope, now: datetime) -> float | None:
    """The median hours from a candidate's first sighting to its decision; None while nothing was decided."""
    rows = _candidates(user, scope, now).filter(decided_at__isnull=False, status__in=["approved", "rejected"])
    times = rows.order_by("-decided_at").values_list("first_seen_at", "decided_at")[:MOST_DECISIONS]
    hours = [(decided - seen).total_seconds() / 3600 for seen, decided in times if decided]
    return statistics.median(hours) if hours else None


def scans_of(*, user: User, scope: Scope, now: datetime) -> Scans:
    """The ledger of the person's scans in 90 days."""
    rows = Extraction.objects.filter(session__in=_talks(user, scope), started_at__gt=now - WINDOW)
    found = rows.aggregate(
        runs=Count("pk"), failed=Count("pk", filter=Q(outcome="failed")), proposed=Sum("proposed")
    )
    told = Scans(found["runs"], found["failed"], found["proposed"] or 0)
    for dropped in rows.exclude(dropped={}).values_list("dropped", flat=True).iterator(chunk_size=2_000):
        told.left_out.update(dropped)
    return told


def shown_by_week(*, user: User, scope: Scope, now: datetime) -> list[Weekly]:
    """What the person's agents were given, by week: times by path, and their ``tokens``."""
    rows = _shown(user, scope, now).annotate(week=TruncWeek("at")).values_list("week", "path")
    counted = list(rows.annotate(n=Count("pk"), paid=Sum("tokens")))
    times = ((week, path, n) for week, path, n, _paid in counted)
    paid = ((week, "tokens", tokens) for week, _path, _n, tokens in counted)
    return _weekly([*times, *paid], now)


def recalled_most(*, user: User, scope: Scope, now: datetime) -> tuple[list[Recalled], int]:
    """The active memories that answered most often, and how many different ones answered at all, in 90 days."""
    rows = _shown(user, scope, now).filter(record_type="memory", path="recall")
    often = rows.values_list("record_id").annotate(n=Count("pk"), last=Max("at")).order_by("-n", "-last")
    # A deleted or retired one may have answered, too: read more than are shown.
    told = {record: (times, last) for record, times, last in often[: MOST_RECALLED * 4]}
    living = Memory.objects.visible_to(user).in_namespaces(scope).filter(pk__in=list(told), status="active")
    known = {str(each.pk): each for each in living.select_related("namespace__owner")}
    found = [Recalled(known[pk], *told[pk]) for pk in told if pk in known]
    return found[:MOST_RECALLED], rows.aggregate(n=Count("record_id", distinct=True))["n"]


def advice_of(*, user: User, scope: Scope, now: datetime) -> dict[str, int]:
    """Recommendations of 90 days: ``issued``, ``with_label``, ``followed``, ``overridden``, ``settled`` unasked."""
    given = Recommendation.objects.visible_to(user).filter(
        session__in=_talks(user, scope), issued_at__gt=now - WINDOW
    )
    return given.aggregate(
        issued=Count("pk"),
        with_label=Count("pk", filter=Q(labelled=True)),
        followed=Count("pk", filter=Q(labelled=True, fate="followed")),
        overridden=Count("pk", filter=Q(labelled=True, fate="overridden")),
        settled=Count("pk", filter=Q(action="resolve")),
    )


def memories_active(*, user: User, scope: Scope) -> int:
    return Memory.objects.visible_to(user).in_namespaces(scope).filter(status="active").count()


def _candidates(user: User, scope: Scope, now: datetime) -> QuerySet[Candidate]:
    """Those that were first seen since the first Monday. Unordered, so that groups stay groups."""
    since = timezone.make_aware(datetime.combine(mondays(now)[0], datetime.min.time()))
    return Candidate.objects.visible_to(user).in_namespaces(scope).filter(first_seen_at__gte=since).order_by()


def _talks(user: User, scope: Scope) -> QuerySet[AgentSession]:
    return AgentSession.objects.visible_to(user).in_namespaces(scope)


def _shown(user: User, scope: Scope, now: datetime) -> QuerySet[Exposure]:
    """Exposures of the person's conversations there. What a key was given outside of any is in no namespace."""
    return Exposure.objects.filter(session__in=_talks(user, scope), at__gt=now - WINDOW).order_by()


def _weekly(rows: Iterable[tuple[datetime, str, int]], now: datetime) -> list[Weekly]:
    found = {monday: Weekly(monday, Counter()) for monday in mondays(now)}
    for week, name, count in rows:
        if timezone.localtime(week).date() in found:
            found[timezone.localtime(week).date()].counts[name] += count
    return list(found.values())


def total(columns: Sequence[Weekly], name: str) -> int:
    return sum(each.counts[name] for each in columns)
