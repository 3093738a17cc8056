"""A person's own conversations: the list, and one with what came of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, F, Func, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Left
from django.utils.translation import gettext as _

from core.errors import NotFound
from memory.models import Candidate, Evidence
from review.selectors.candidate import Said, said
from review.selectors.paging import Cursor, Page, page
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn

PAGE = 50
TURNS = 40
LEAD = 2  # turns shown before the message that a link names
PAGE_BYTES = 400_000  # of text on one page; a turn may hold fifty million characters
HEAD_CHARS = 700  # shown of each long message of a turn that alone is more than a page


@dataclass(frozen=True)
class TurnView:
    """One exchange, the candidates that its words support, and compactions that ended in it.

    ``shortened``: ids of messages of which only a part is shown; a link that names one shows it whole.
    """

    turn: Turn
    said: Sequence[Said]
    candidates: Sequence[Candidate]
    compactions: Sequence[Compaction]
    shortened: Collection[int] = ()


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
    """Turns in order from turn ``start``, or from a little before ``message``; else from the beginning.

    At most ``size`` turns and ``PAGE_BYTES`` of text; a turn that is more than that alone is shown in part.
    """
    own = Turn.objects.filter(session=session).annotate(weight=_weight())
    first = None
    if message is not None:
        first = own.filter(messages__pk=message).first()
    elif start is not None:
        first = own.filter(pk=start).first()
    if first is None:
        lead, found = list[Turn](), list(own.order_by("opened_at", "pk")[: size + 1])
    else:
        lead = list(own.before(first)[: 0 if message is None else LEAD])[::-1]
        found = [*lead, first, *own.after(first)[: size - len(lead)]]
    low, high = _fitting([_bytes(turn) for turn in found[:size]], len(lead)) if found else (0, 0)
    shown, later = found[low:high], found[high:]
    earlier = list(Turn.objects.before(shown[0]).values_list("pk", flat=True)[:size]) if shown else []
    return Conversation(
        _views(user, session, shown, message),
        earlier[-1] if earlier else None,
        later[0].pk if later else None,
    )


def _weight() -> Coalesce:
    """Bytes of a turn's texts; PostgreSQL knows them without reading the texts."""
    size = Func(F("text"), function="octet_length", output_field=IntegerField())
    rows = Message.objects.filter(turn=OuterRef("pk")).order_by().values("turn").annotate(n=Sum(size))
    return Coalesce(Subquery(rows.values("n"), output_field=IntegerField()), 0)


def _bytes(turn: Turn) -> int:
    return int(vars(turn)["weight"])  # what ``_weight`` counted


def _fitting(weights: Sequence[int], target: int) -> tuple[int, int]:
    """The range of turns that a page carries: the target in any case, what leads up to it, then what follows."""
    low, high, total = target, target + 1, weights[target]
    while low > 0 and total + weights[low - 1] <= PAGE_BYTES:
        low -= 1
        total += weights[low]
    while high < len(weights) and total + weights[high] <= PAGE_BYTES:
        total += weights[high]
        high += 1
    return low, high


def _views(user: User, session: AgentSession, turns: Sequence[Turn], whole: int | None) -> list[TurnView]:
    too_much = sum(map(_bytes, turns)) > PAGE_BYTES  # then it is one turn
    rows = Message.objects.filter(turn__in=turns).order_by("index", "pk")
    if too_much:
        rows = rows.defer("text").annotate(head=Left("text", HEAD_CHARS + 1))
    messages = list(rows)
    ids = [message.pk for message in messages]
    evidence = list(
        Evidence.objects.filter(message_id__in=ids, candidate__in=Candidate.objects.visible_to(user))
        .select_related("candidate")
        .defer("candidate__vector", "candidate__blocks")
    )
    if too_much:
        wanted = [pk for pk in (whole, *(item.message_id for item in evidence)) if pk is not None]
        texts = dict(Message.objects.filter(turn__in=turns, pk__in=wanted).values_list("pk", "text"))
        for message in messages:
            message.text = texts.get(message.pk, vars(message)["head"])
    compactions = list(session.compactions.filter(through_id__in=ids).order_by("pk"))
    views: list[TurnView] = []
    for turn in turns:
        own = {message.pk: message for message in messages if message.turn_id == turn.pk}
        cited = [item for item in evidence if item.message_id in own]
        shown = [said(each, cited, whole=not too_much or each.pk == whole) for each in own.values()]
        views.append(
            TurnView(
                turn,
                shown,
                list({item.candidate.pk: item.candidate for item in cited}.values()),
                [item for item in compactions if item.through_id in own],
                [each.message.pk for each in shown if any(piece.gap for piece in each.pieces)],
            )
        )
    return views


def dead_compactions(session: AgentSession) -> list[Compaction]:
    """Ranges that failed for good; their messages may be on another page, or purged."""
    return list(session.compactions.filter(scan_state=ScanState.DEAD).order_by("pk"))
