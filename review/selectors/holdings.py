"""What is stored about a person, namespace by namespace (Settings → Data)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from core.models import AgentKey, Membership
from memory.models import Candidate, Memory
from review.models import Act, SavedFilter
from transcripts import limits
from transcripts.models import AgentSession, Message, Turn, TurnPin


@dataclass
class Holding:
    """``membership`` is None for conversations of namespaces that the person has left: they are still theirs.

    Sessions, turns and messages are the person's own; memories and candidates are those of the namespace that they may
    see (a reader sees no candidates). ``held``: turns that evidence keeps; ``next_purge``: not before this moment does
    the night let go of the oldest of the others.
    """

    membership: Membership | None
    sessions: int = 0
    messages: int = 0
    oldest: datetime | None = None
    held: int = 0
    next_purge: datetime | None = None
    waiting: int = 0
    decided: int = 0
    memories: int = 0
    retired: int = 0

    @property
    def sees_candidates(self) -> bool:
        return self.membership is not None and self.membership.role != "reader"


@dataclass(frozen=True)
class Besides:
    """What belongs to the person and to no namespace."""

    keys: int
    filters: int
    acts: int


def holdings_of(*, user: User) -> list[Holding]:
    """Seven queries, however much there is; the namespaces in their usual order, what was left behind at the end."""
    rows = Membership.objects.filter(user=user).select_related("namespace__owner")
    rows = rows.order_by("namespace__type", "namespace__name", "namespace__owner__username")
    found = {each.namespace_id: Holding(each) for each in rows}
    gone = Holding(None)

    def of(home: uuid.UUID) -> Holding:
        return found.get(home, gone)

    for home, count in _by_home(AgentSession.objects.visible_to(user), "").annotate(n=Count("pk")):
        of(home).sessions += count
    said = Message.objects.filter(session__in=AgentSession.objects.visible_to(user))
    for home, count, oldest in _by_home(said, "session__").annotate(n=Count("pk"), at=Min("at")):
        each = of(home)
        each.messages += count
        each.oldest = min(filter(None, (each.oldest, oldest)), default=None)
    keep = timedelta(days=limits.TRANSCRIPT_RETENTION_DAYS)
    turns = Turn.objects.visible_to(user)
    free = turns.exclude(pk__in=TurnPin.objects.filter(turn__in=turns).values("turn"))
    for home, oldest in _by_home(free, "session__").annotate(at=Min("received_at")):
        each = of(home)
        each.next_purge = min(filter(None, (each.next_purge, oldest + keep)), default=None)
    pinned = turns.filter(pins__isnull=False)
    for home, count in _by_home(pinned, "session__").annotate(n=Count("pk", distinct=True)):
        of(home).held += count
    waiting = Count("pk", filter=Q(status__in=["pending", "needs_attention"]))
    candidates = Candidate.objects.reviewable_by(user).order_by().values_list("namespace_id")
    for home, open_ones, total in candidates.annotate(o=waiting, n=Count("pk")):
        of(home).waiting, of(home).decided = open_ones, total - open_ones
    active = Count("pk", filter=Q(status="active"))
    memories = Memory.objects.visible_to(user).exclude(status="deleted").order_by()
    for home, now_true, total in memories.values_list("namespace_id").annotate(a=active, n=Count("pk")):
        of(home).memories, of(home).retired = now_true, total - now_true
    return [*found.values(), *([gone] if gone.sessions else [])]


def besides_of(*, user: User) -> Besides:
    return Besides(
        AgentKey.objects.visible_to(user).count(),
        SavedFilter.objects.visible_to(user).count(),
        Act.objects.visible_to(user).count(),
    )


def _by_home(rows: QuerySet[Any], path: str) -> QuerySet[Any, Any]:
    """Grouped by where a conversation is kept: the workspace, else the persona."""
    home = Coalesce(F(f"{path}workspace_id"), F(f"{path}persona_id"))
    grouped: QuerySet[Any, Any] = rows.order_by().annotate(home=home).values_list("home")
    return grouped
