"""The person of the story is asked and answers: by the services that take what an agent client sends."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from core.models import AgentKey
from decisions.asked import AskIn
from decisions.learning.types import OptionIn, Question
from decisions.services.capture import hook_capture
from decisions.services.recommend import recommend
from memory.services.extraction import scan_next
from review.demo.choice_story import Asked, Odd, asked, odd
from review.demo.story import zone
from transcripts.inputs import MessageIn, TurnIn, WorkspaceIn
from transcripts.services.sessions import session_end, session_open
from transcripts.services.turns import turns_store

CLIENT = "claude-code"
THINKING = timedelta(seconds=40)  # between the prompt, the question and the answer


@dataclass
class Choosing:
    """What one load has told so far: session ids, and how many turns each holds."""

    key: AgentKey
    sessions: dict[str, uuid.UUID] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)


def choice_steps(key: AgentKey, day: date) -> Iterator[tuple[datetime, partial[None]]]:
    """Each question at its moment; a session ends after its last one."""
    told, story = Choosing(key), asked(day, zone())
    for each in story:
        yield each.at, partial(_ask, told, each)
    for session, last in {each.session: each.at for each in story}.items():
        yield last + 5 * THINKING, partial(_end, told, session, last + 5 * THINKING)
    strange = odd(day, zone())
    before = [each for each in story if each.at < strange.at]
    yield strange.at, partial(_misread, told, before[-1].session, strange)


def _ask(told: Choosing, each: Asked) -> None:
    if each.session not in told.sessions:
        opened = session_open(
            agent_key=told.key,
            key=each.session,
            client=CLIENT,
            workspace=WorkspaceIn(each.workspace),
            tz=str(zone()),
            now=each.at,
        )
        told.sessions[each.session] = opened.pk
    number = told.turns[each.session] = told.turns.get(each.session, 0) + 1
    prompt = MessageIn(role="user", origin="human", text=each.prompt, at=each.at)
    turns_store(
        agent_key=told.key,
        turns=[TurnIn(session=each.session, key=f"t{number}", messages=[prompt], closed=True)],
        now=each.at,
    )
    if each.advised:
        question = Question(
            each.question, tuple(OptionIn(label) for label in each.options), header=each.header
        )
        recommend(agent_key=told.key, ask=AskIn(each.session, (question,)), now=each.at + THINKING)
    if each.answer:
        payload = _payload(each.session, each.question, each.options, each.question, each.answer, each.header)
        hook_capture(agent_key=told.key, payload=payload, now=each.at + 2 * THINKING)
    _scan(told, each.session, each.at + 3 * THINKING)


def _end(told: Choosing, session: str, at: datetime) -> None:
    session_end(agent_key=told.key, key=session, now=at)
    _scan(told, session, at)


def _scan(told: Choosing, session: str, at: datetime) -> None:
    while scan_next(now=at, session_id=told.sessions[session]):
        pass


def _misread(told: Choosing, session: str, odd: Odd) -> None:
    payload = _payload(session, odd.question, odd.options, odd.answered, odd.answer)
    hook_capture(agent_key=told.key, payload=payload, now=odd.at)


def _payload(
    session: str, question: str, options: Sequence[str], answered: str, answer: str, header: str = ""
) -> dict[str, Any]:
    """A PostToolUse of AskUserQuestion as the client sends it."""
    shown = [
        {
            "question": question,
            "header": header,
            "multiSelect": False,
            "options": [{"label": label, "description": ""} for label in options],
        }
    ]
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "session_id": session,
        "tool_use_id": f"toolu_{uuid.uuid4().hex[:24]}",
        "tool_input": {"questions": shown},
        "tool_response": {"questions": shown, "answers": {answered: answer}},
    }
