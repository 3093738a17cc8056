"""Builders of hook payloads and plain records, and the golden payloads of clients."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from rest_framework.test import APIClient

from decisions.models import Choice

URL = "/api/v1/decisions/"
PAYLOADS = Path(__file__).parent / "payloads"
SESSION = "5f1c2d3e-0000-4000-8000-000000000001"


@dataclass(frozen=True)
class Golden:
    """Events as a client sends them, in order, and what must stand there afterwards."""

    name: str
    events: list[dict[str, Any]]
    choices: list[dict[str, Any]]


def golden() -> list[Golden]:
    found = []
    for path in sorted(PAYLOADS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        found.append(Golden(path.stem, data["events"], data["choices"]))
    return found


def question(
    text: str = "Which tier?",
    labels: Sequence[str] = ("Tier S", "Tier M", "Tier L"),
    *,
    multi: bool = False,
    header: str = "Tier",
) -> dict[str, Any]:
    options = [{"label": label, "description": ""} for label in labels]
    return {"question": text, "header": header, "options": options, "multiSelect": multi}


def post(
    answers: Any = None,
    *questions: dict[str, Any],
    tool_use: str = "toolu_1",
    session: str = SESSION,
    response: Mapping[str, Any] | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """A PostToolUse event; the default is one question about a tier."""
    asked = list(questions) or [question()]
    return {
        "session_id": session,
        "hook_event_name": "PostToolUse",
        "tool_name": "AskUserQuestion",
        "tool_use_id": tool_use,
        "tool_input": {"questions": asked},
        "tool_response": {"questions": asked, "answers": answers, **(response or {})},
        **extra,
    }


def pre(answers: Any, *questions: dict[str, Any], tool_use: str = "toolu_1") -> dict[str, Any]:
    event = post(None, *questions, tool_use=tool_use, hook_event_name="PreToolUse")
    del event["tool_response"]
    event["tool_input"]["answers"] = answers
    return event


def record(**change: Any) -> dict[str, Any]:
    return {
        "decision_id": "d1",
        "timestamp": "2026-01-05T10:00:00+09:00",
        "question": "Which tier?",
        "user_choice": "Tier M",
        "all_options": ["Tier S", "Tier M", "Tier L"],
        "context": {"phase": "plan"},
        **change,
    }


def sent(client: APIClient, body: Mapping[str, Any], status: int | None = None) -> list[dict[str, Any]]:
    """The choices of a call that was taken."""
    answer = client.post(URL, body)
    assert answer.status_code in ((200, 201) if status is None else (status,)), answer.content[:400]
    choices: list[dict[str, Any]] = answer.json()["choices"]
    return choices


def choices(user: User) -> list[Choice]:
    return list(Choice.objects.visible_to(user).order_by("received_at", "index"))
