"""Does work flow, and what does it cost? The person's own part of it (design section 8; lessons rows 3, 4 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, Sum

from core.models import Namespace
from core.scope import Scope
from memory.models import TokenMeter
from memory.selectors.worker import worker_is_alive
from transcripts.models import AgentSession, Compaction, ScanState, Turn

LATE_AFTER = timedelta(minutes=1)


@dataclass(frozen=True)
class Machinery:
    """``due``: scans that should have run by now, the oldest ``since`` when; ``dead``: sessions that wait for a retry.

    ``late``: the oldest has waited longer than an idle worker would let it.
    """

    alive: bool
    due: int
    since: datetime | None
    late: bool
    dead: int
    dead_session: AgentSession | None


@dataclass(frozen=True)
class Meter:
    """Model tokens of one namespace today (UTC) against the day's budget, and in the last 30 days."""

    namespace: Namespace
    today: int
    refused: int
    month: int
    limit: int


def machinery_of(*, user: User, scope: Scope, now: datetime) -> Machinery:
    """What waits in the person's own conversations. What a paused namespace holds back waits for its owner."""
    talks = AgentSession.objects.visible_to(user).in_namespaces(scope)
    awake = Q(session__workspace__isnull=False, session__workspace__paused_at=None) | Q(
        session__workspace=None, session__persona__paused_at=None
    )
    due = Q(scan_state__in=[ScanState.WAITING, ScanState.LEASED], due_at__lte=now)
    turns = Turn.objects.filter(due, awake, session__in=talks, closed_at__isnull=False)
    compactions = Compaction.objects.filter(due, awake, session__in=talks)
    moments = [
        moment
        for rows in (turns, compactions)
        for moment in rows.order_by("due_at").values_list("due_at", flat=True)[:1]
        if moment is not None
    ]
    since = min(moments, default=None)
    dead = talks.filter(
        Q(turns__scan_state=ScanState.DEAD) | Q(compactions__scan_state=ScanState.DEAD)
    ).distinct()
    return Machinery(
        alive=worker_is_alive(now=now),
        due=turns.count() + compactions.count(),
        since=since,
        late=since is not None and since < now - LATE_AFTER,
        dead=dead.count(),
        dead_session=dead.order_by("-started_at").first(),
    )


def meters_of(*, user: User, scope: Scope, now: datetime) -> list[Meter]:
    """Namespaces in which a language model spent tokens in the last 30 days, today's dearest first."""
    today = now.date()
    rows = TokenMeter.objects.filter(
        namespace__in=Namespace.objects.visible_to(user).filter(pk__in=scope.ids),
        day__gt=today - timedelta(days=30),
    )
    spent = rows.values_list("namespace").annotate(
        today=Sum("tokens", filter=Q(day=today), default=0),
        refused=Sum("refused", filter=Q(day=today), default=0),
        month=Sum("tokens", default=0),
    )
    homes = Namespace.objects.select_related("owner").in_bulk([row[0] for row in spent])
    limit = int(settings.LLM_DAILY_TOKENS)
    found = [Meter(homes[pk], now_spent, refused, month, limit) for pk, now_spent, refused, month in spent]
    return sorted(found, key=lambda each: (-each.today, -each.month, str(each.namespace)))
