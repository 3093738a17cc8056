"""Deliveries that overtake one another: hooks of one session run side by side, and a spool is replayed later."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from core.models import AgentKey
from transcripts.inputs import TurnIn, Voice
from transcripts.models import AgentSession, Message, Turn
from transcripts.services.held import hold


@transaction.atomic
def turns_settle(*, agent_key: AgentKey, session: str, keys: Collection[str], now: datetime) -> None:
    """Put the messages of these turns in the order of their times, whatever order they came in.

    For clients that give every message a time. Messages of one moment keep their order; a turn is as old as its first.
    """
    held = hold(voice=Voice.of_key(agent_key), keys=[session], now=now).get(session)
    if held is None or not keys:
        return
    turns = Turn.objects.filter(session=held.session, key__in=set(keys)).prefetch_related("messages")
    moved: list[Message] = []
    for turn in turns:
        messages = sorted(turn.messages.all(), key=lambda message: (message.at, message.index, message.pk))
        for index, message in enumerate(messages):
            if message.index != index:
                message.index = index
                moved.append(message)
        if messages and messages[0].at < turn.opened_at:
            Turn.objects.filter(pk=turn.pk).update(opened_at=messages[0].at)
    Message.objects.bulk_update(moved, ["index"])


@transaction.atomic
def turns_backdate(*, agent_key: AgentKey, turns: Sequence[TurnIn], closed: datetime, now: datetime) -> None:
    """What was delivered late was said, and over, when its client says; of several deliveries the earliest counts.

    So the order of what is stored is the order of what happened, whatever order it came in. `closed`: when those of
    the turns ended that are given as closed.
    """
    found = hold(voice=Voice.of_key(agent_key), keys={turn.session for turn in turns}, now=now)
    for turn in turns:
        held = found.get(turn.session)
        if held is None:
            continue
        own = Turn.objects.filter(session=held.session, key=turn.key)
        if turn.closed:
            own.filter(closed_at__gt=closed).update(closed_at=closed)
        for message in turn.messages:
            if message.at is not None and message.key:
                rows = Message.objects.filter(turn__in=own, key=message.key, at__gt=message.at)
                rows.update(at=message.at)


@transaction.atomic
def turns_over(*, agent_key: AgentKey, session: str, at: datetime, now: datetime, but: str = "") -> None:
    """At this moment, says a late delivery, no turn that had been opened was open any more; `but`: the key of one."""
    held = hold(voice=Voice.of_key(agent_key), keys=[session], now=now).get(session)
    if held is not None:
        rows = Turn.objects.filter(session=held.session, opened_at__lt=at, closed_at__gt=at).exclude(key=but)
        rows.update(closed_at=at)


@transaction.atomic
def turns_close(
    *, agent_key: AgentKey, session: str, before: datetime, but: str, now: datetime
) -> uuid.UUID | None:
    """Close what was left open before a moment: the next prompt is there, so the turn before it is over.

    A client that was interrupted says nothing about the end of a turn. ``but``: the key of a turn to leave open.
    Gives the session when it now has something to scan.
    """
    held = hold(voice=Voice.of_key(agent_key), keys=[session], now=now).get(session)
    if held is None:
        return None
    left = Turn.objects.filter(session=held.session, closed_at=None, opened_at__lt=before).exclude(key=but)
    return held.session.pk if left.update(closed_at=now, due_at=now) else None


def session_known(*, agent_key: AgentKey, key: str) -> AgentSession | None:
    """The person's session of that key with its namespaces, without a lock; None for unknown and foreign ones."""
    rows = AgentSession.objects.visible_to(agent_key.user).select_related("persona", "workspace")
    return rows.filter(key=key).first()
