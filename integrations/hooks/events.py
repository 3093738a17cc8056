"""The events that are understood, and what each needs (facts: agent-clients 5.1; design section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

QUESTION_TOOL: Final = "AskUserQuestion"
QUESTION_EVENTS: Final = ("PreToolUse", "PostToolUse", "PostToolUseFailure")

# Scopes of a key that an event makes use of. With some of them it does a part, and the rest shows on the key's page.
SCOPES: Final[Mapping[str, tuple[str, ...]]] = {
    "SessionStart": ("ingest", "recall"),
    "UserPromptSubmit": ("ingest", "recall"),
    "PreToolUse": ("decide",),
    "PostToolUse": ("decide",),
    "PostToolUseFailure": ("decide",),
    "Stop": ("ingest",),
    "StopFailure": ("ingest",),
    "PreCompact": ("ingest",),
    "PostCompact": ("ingest",),
    "SessionEnd": ("ingest",),
}
# Told to us and of no use: a sub-agent's words are no person's, and its session is not steered by memories.
IGNORED: Final = ("SubagentStart", "SubagentStop")

MAX_ID_CHARS: Final = 200


@dataclass(frozen=True)
class Event:
    """One event. ``raw`` is the payload as sent; texts that it may leave out are empty."""

    name: str
    session: str
    prompt_id: str
    agent_id: str
    raw: Mapping[str, Any]

    def text(self, field: str) -> str:
        """A text of the payload; "" when it is missing or no text."""
        found = self.raw.get(field)
        return found if isinstance(found, str) else ""

    @property
    def is_question(self) -> bool:
        return self.name in QUESTION_EVENTS and self.raw.get("tool_name") == QUESTION_TOOL

    @property
    def is_known(self) -> bool:
        """Something is done with it. A tool event of another tool is none of ours."""
        return self.is_question or (self.name in SCOPES and self.name not in QUESTION_EVENTS)


def event_of(raw: Mapping[str, Any]) -> Event:
    """The caller has checked ``hook_event_name``; ``session`` is empty when there is none that can be kept."""
    return Event(
        name=raw["hook_event_name"],
        session=_id(raw.get("session_id")),
        prompt_id=_id(raw.get("prompt_id")),
        agent_id=_id(raw.get("agent_id")),
        raw=raw,
    )


def _id(value: Any) -> str:
    fits = isinstance(value, str) and len(value.strip()) >= 1 and len(value) <= MAX_ID_CHARS
    return value if fits and value.isprintable() else ""
