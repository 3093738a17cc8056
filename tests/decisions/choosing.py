"""A person's habit, built as clients report it, and what is recommended then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from core.models import AgentKey
from decisions.inputs import Captured, RecordIn
from decisions.learning.types import OptionIn
from decisions.services.capture import hook_capture, record_capture
from tests import build
from tests.decisions.capture import post, question
from transcripts.inputs import WorkspaceIn
from transcripts.services.sessions import session_open

RECOMMEND = "/api/v1/decisions/recommend/"
TIERS = ("Tier S", "Tier M", "Tier L")
WHICH = "Which tier?"
_numbers: Iterator[int] = count(1)


def spread(*amounts: int) -> list[int]:
    """Indices with these amounts, mixed evenly: nobody chooses in blocks. ``spread(3, 6, 1)`` has ten."""
    places = [((k + 0.5) / amount, i) for i, amount in enumerate(amounts) for k in range(amount)]
    return [index for _place, index in sorted(places)]


def clicked(
    agent_key: AgentKey,
    label: str,
    *,
    ago: timedelta = timedelta(0),
    text: str = WHICH,
    labels: Sequence[str] = TIERS,
    session: str = "",
    workspace: str | None = "api",
    **context: str,
) -> Captured:
    """One answer seen by the hook, so long ago, in a session of its own unless one is named."""
    number = next(_numbers)
    now = timezone.now()
    name = session or f"clicked-{number}"
    session_open(
        agent_key=agent_key, key=name, workspace=WorkspaceIn(workspace) if workspace else None, now=now - ago
    )
    asked = question(text, labels, header="")
    payload = post({text: label}, asked, tool_use=f"toolu_{number}", session=name)
    return hook_capture(agent_key=agent_key, payload=payload, context=context, at=now - ago, now=now)


def reported(
    agent_key: AgentKey,
    label: str,
    *,
    ago: timedelta = timedelta(0),
    text: str = WHICH,
    labels: Sequence[str] = TIERS,
    session: str = "",
    **context: str,
) -> Captured:
    """One answer of a plain record."""
    now = timezone.now()
    options = tuple(OptionIn(each) for each in labels)
    record = RecordIn(f"d{next(_numbers)}", now - ago, text, options, label, session, context)
    return record_capture(agent_key=agent_key, record=record, now=now)


def habit(
    agent_key: AgentKey,
    labels: Sequence[str],
    picks: Sequence[int],
    *,
    days: float = 10.0,
    **kwargs: Any,
) -> None:
    """These picks, oldest first, evenly over the last ``days``."""
    for place, pick in enumerate(picks):
        ago = timedelta(days=days * (len(picks) - 1 - place) / max(len(picks), 1))
        clicked(agent_key, labels[pick], ago=ago, labels=labels, **kwargs)


def asking(text: str = WHICH, labels: Sequence[str] = TIERS, **more: Any) -> dict[str, Any]:
    """A question as an agent would put it to ``recommend``."""
    return {"question": text, "options": [{"label": label} for label in labels], **more}


def asked(
    client: APIClient, *questions: Mapping[str, Any], session: str = "ask", **body: Any
) -> list[dict[str, Any]]:
    """The answer's questions; a lone default question about a tier."""
    answer = client.post(RECOMMEND, {"session": session, "questions": list(questions) or [asking()], **body})
    assert answer.status_code == 200, answer.content[:600]
    found: list[dict[str, Any]] = answer.json()["questions"]
    return found


def opened(
    agent_key: AgentKey, name: str = "ask", workspace: str | None = "api", now: datetime | None = None
) -> None:
    build.session(agent_key, name, workspace=workspace, now=now)
