"""Events of Claude Code's hooks, each handed to the one service that it concerns (design section 7).

Questions (`AskUserQuestion`) are observed; every other event is accepted and answered with nothing, so that a client
may send all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.models import AgentKey
from decisions.services.capture import hook_capture

QUESTION_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
QUESTION_TOOL = "AskUserQuestion"


@dataclass(frozen=True)
class Handled:
    """``answer`` is what the hook prints; ``scan`` names sessions with something new to read."""

    answer: Mapping[str, Any]
    scan: tuple[UUID, ...] = ()


def hook_handle(
    *,
    agent_key: AgentKey,
    event: Mapping[str, Any],
    now: datetime,
    at: datetime | None = None,
    context: Mapping[str, Any] | None = None,
) -> Handled:
    """Take one event. Without the scope that the event needs it is left alone, and the answer is empty.

    Idempotent, as far as its service is. Raises what ``decisions.services.capture.hook_capture`` raises.
    """
    about_question = (
        event.get("tool_name") == QUESTION_TOOL and event.get("hook_event_name") in QUESTION_EVENTS
    )
    if not (about_question and agent_key.has_scope("decide")):
        return Handled({})
    captured = hook_capture(agent_key=agent_key, payload=event, now=now, at=at, context=context)
    return Handled({}, tuple(captured.scan))
