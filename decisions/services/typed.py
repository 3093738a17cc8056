"""Words typed into a question's dialog are said by the person: they are stored where memory finds them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.text import sha256
from decisions.capture import reasons
from decisions.capture.judging import typed
from decisions.services.places import ASK_TURN, Place
from transcripts.inputs import MessageIn, TurnIn
from transcripts.services.turns import turns_store

if TYPE_CHECKING:
    from decisions.services.observing import Answered


def typed_store(
    *, place: Place, answered: Sequence[Answered], asked: Sequence[Answered], reply: str
) -> tuple[uuid.UUID, ...]:
    """Free text, notes, and a reply instead of a choice, each after its question, as a closed turn of its own.

    Inside the caller's transaction. Gives the session when it now has something to scan. Without a session there is no
    place for messages: the words stay with the choice.
    """
    if place.session is None:
        return ()
    messages: list[MessageIn] = []
    for each in answered:
        said = typed(each.asked, each.judged)
        if said:
            messages.append(_question(place, each))
            messages += [_said(place, f"{each.index}.{n}", text) for n, text in enumerate(said)]
    if reply and not any(each.judged.reason in reasons.NOBODY for each in asked):
        messages += [] if messages else [_question(place, asked[0])]
        messages.append(_said(place, "reply", reply))
    if not messages:
        return ()
    turn = TurnIn(place.session.key, _turn_key(place), messages, closed=True)
    stored = turns_store(agent_key=place.agent_key, turns=[turn], now=place.now)
    return tuple(stored.session_ids)


def _turn_key(place: Place) -> str:
    return ASK_TURN + sha256(place.tool_use_id or place.decision_id)[:40]


def _question(place: Place, each: Answered) -> MessageIn:
    labels = "\n".join(f"- {option.label}" for option in each.shown.question.options)
    return MessageIn("assistant", f"{each.asked.text}\n{labels}", key=f"{each.index}.q", at=place.at)


def _said(place: Place, key: str, text: str) -> MessageIn:
    return MessageIn("user", text, key=f"{key}.a", at=place.at)
