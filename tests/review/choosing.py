"""A person who is asked and answers, through the services that take what a client sends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey
from decisions.asked import AskIn, Recommended
from decisions.inputs import Captured
from decisions.learning.types import OptionIn, Question
from decisions.models import Choice, DecisionPoint, Quarantine
from decisions.services.capture import hook_capture
from decisions.services.recommend import recommend
from tests import build

TIERS = ("Tier S", "Tier M", "Tier L")
QUESTION = "Which tier fits this spec?"


def payload(question: str, options: Sequence[str], answer: Any, *, session: str = "s1") -> dict[str, Any]:
    asked = [
        {
            "question": question,
            "header": "",
            "multiSelect": False,
            "options": [{"label": label, "description": ""} for label in options],
        }
    ]
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "session_id": session,
        "tool_use_id": f"toolu_{uuid4().hex}",
        "tool_input": {"questions": asked},
        "tool_response": {"questions": asked, "answers": {question: answer}},
    }


def answer(
    key: AgentKey,
    chosen: str = "Tier M",
    question: str = QUESTION,
    options: Sequence[str] = TIERS,
    *,
    days_ago: float = 0,
    session: str = "s1",
    now: datetime | None = None,
) -> Captured:
    """One answer, stored at the moment it was given."""
    at = (now or timezone.now()) - timedelta(days=days_ago)
    return hook_capture(agent_key=key, payload=payload(question, options, chosen, session=session), now=at)


def habit(
    key: AgentKey,
    chosen: Sequence[str],
    *,
    every: float = 1,
    question: str = QUESTION,
    options: Sequence[str] = TIERS,
    session: str = "s1",
) -> DecisionPoint:
    """Several answers, the last one an hour ago."""
    for number, label in enumerate(chosen):
        days = (len(chosen) - 1 - number) * every + 1 / 24
        answer(key, label, question, options, days_ago=days, session=session)
    found = Choice.objects.visible_to(key.user).filter(question=question).order_by("-at")[0].point
    assert found is not None
    return found


def ask(
    key: AgentKey,
    question: str = QUESTION,
    options: Sequence[str] = TIERS,
    *,
    session: str = "s1",
    now: datetime | None = None,
) -> Recommended:
    """What an agent hears before it asks."""
    asked = Question(question, tuple(OptionIn(label) for label in options))
    return recommend(agent_key=key, ask=AskIn(session, (asked,)), now=now or timezone.now())


def misread(key: AgentKey) -> Quarantine:
    """A call that answers what was not asked."""
    sent = payload(QUESTION, TIERS, "Tier M")
    sent["tool_response"]["answers"] = {"Something else?": "Tier M"}
    hook_capture(agent_key=key, payload=sent, now=timezone.now())
    return Quarantine.objects.visible_to(key.user).latest("received_at")


def person_with_key(name: str = "alice") -> tuple[User, AgentKey]:
    user = build.person(name)
    key = build.key(user).key
    build.session(key)
    return user, key
