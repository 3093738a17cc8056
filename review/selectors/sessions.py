"""A person's own conversations: the list, and one with what came of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.errors import NotFound
from memory.models import Candidate, Evidence
from review.selectors.candidate import Said, said
from review.selectors.paging import Cursor, Page, page
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn

PAGE = 50
TURNS = 40
LEAD = 2  # turns shown before the message that a link names


@dataclass(frozen=True)
class TurnView:
    """One exchange, the candidates that its words support, and compactions that ended in it."""

    turn: Turn
    said: Sequence[Said]
    candidates: Sequence[Candidate]
    compactions: Sequence[Compaction]


@dataclass(frozen=True)
class Conversation:
    """A part of a session; ``earlier`` and ``later`` are turn ids to go on from (None: nothing there)."""

    turns: Sequence[TurnView]
    earlier: int | None
    later: int | None


def _counted(rows: QuerySet[Turn] | QuerySet[Candidate]) -> Coalesce:
    # A subquery each: joining both tables at once would multiply the counts.
    counted = rows.filter(session=OuterRef("pk")).order_by().values("session").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0)


def sessions(*, user: User, after: Cursor | None, size: int = PAGE) -> Page[AgentSession]:
    """The person's sessions, the latest first, with ``turn_count``, ``candidate_count``, ``dead_count``."""
    rows = (
        AgentSession.objects.visible_to(user)
        .select_related("persona__owner", "workspace__owner")
        .annotate(
            turn_count=_counted(Turn.objects.all()),
            dead_count=_counted(Turn.objects.filter(scan_state=ScanState.DEAD)),
            candidate_count=_counted(Candidate.objects.visible_to(user)),
        )
    )
    return page(rows, field="started_at", after=after, size=size, at=lambda row: row.started_at, down=True)


def session_for(*, user: User, session_id: uuid.UUID) -> AgentSession:
    rows = AgentSession.objects.visible_to(user).select_related("persona__owner", "workspace__owner")
    found = rows.filter(pk=session_id).first()
    if found is None:
        raise NotFound(_("There is no such session."))
    return found


def conversation(
    *,
    user: User,
    session: AgentSession,
    start: int | None = None,
    message: int | None = None,
    size: int = TURNS,
) -> Conversation:
    """Turns in order from turn ``start``, or from a little before ``message``; else from the beginning."""
    own = session.turns.all()
    first = None
    if message is not None:
        first = own.filter(messages__pk=message).first()
    elif start is not None:
        first = own.filter(pk=start).first()
    rows = _with_messages(own.order_by("opened_at", "pk"))
    lead: list[Turn] = []
    if first is not None:
        rows = rows.filter(Q(opened_at__gt=first.opened_at) | Q(opened_at=first.opened_at, pk__gte=first.pk))
        lead = list(_with_messages(_before(own, first))[: 0 if message is None else LEAD])
    found = [*reversed(lead), *rows[: size + 1]]
    more = found[size:]
    found = found[:size]
    earlier = list(_before(own, found[0]).values_list("pk", flat=True)[:size]) if found else []
    return Conversation(
        _views(user, session, found), earlier[-1] if earlier else None, more[0].pk if more else None
    )


def _before(own: QuerySet[Turn], turn: Turn) -> QuerySet[Turn]:
    earlier = own.filter(Q(opened_at__lt=turn.opened_at) | Q(opened_at=turn.opened_at, pk__lt=turn.pk))
    return earlier.order_by("-opened_at", "-pk")


def _with_messages(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    return turns.prefetch_related(Prefetch("messages", Message.objects.order_by("index", "pk")))


def _views(user: User, session: AgentSession, turns: Sequence[Turn]) -> list[TurnView]:
    ids = [message.pk for turn in turns for message in turn.messages.all()]
    evidence = list(
        Evidence.objects.filter(message_id__in=ids, candidate__in=Candidate.objects.visible_to(user))
        .select_related("candidate")
        .defer("candidate__vector", "candidate__blocks")
    )
    compactions = list(session.compactions.filter(through_id__in=ids).order_by("pk"))
    views: list[TurnView] = []
    for turn in turns:
        messages = list(turn.messages.all())
        own = {message.pk for message in messages}
        cited = [item for item in evidence if item.message_id in own]
        views.append(
            TurnView(
                turn,
                [said(message, cited, whole=True) for message in messages],
                list({item.candidate.pk: item.candidate for item in cited}.values()),
                [item for item in compactions if item.through_id in own],
            )
        )
    return views


def dead_compactions(session: AgentSession) -> list[Compaction]:
    """Ranges that failed for good; their messages may be on another page, or purged."""
    return list(session.compactions.filter(scan_state=ScanState.DEAD).order_by("pk"))
