"""Golden payloads of hooks, and envelopes around them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rest_framework.test import APIClient

URL = "/api/v1/hooks/claude-code/"
DATA = Path(__file__).parent.parent / "data" / "hooks"
VERSION = "claude_code_2.1.293"
SESSION = "5f1c2d3e-0000-4000-8000-000000000042"
SHOP = {"name": "shop", "fingerprints": ["r:0123456789abcdef0123", "d:89abcdef0123456789ab"]}


def golden(name: str, version: str = VERSION) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / version / f"{name}.json").read_text(encoding="utf-8"))
    return found


def all_golden() -> list[tuple[str, str]]:
    """(version, name) of every payload there is."""
    return sorted((path.parent.name, path.stem) for path in DATA.glob("*/*.json"))


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": SESSION, **fields}


def around(event: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """The event in the plugin's envelope, with a fresh id unless one is given."""
    envelope = {"id": uuid.uuid4().hex, "protocol": 1, "plugin": "0.1.0", "workspace": SHOP, **fields}
    return {"hikae": envelope, "event": dict(event)}


def send(client: APIClient, event: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Deliver in an envelope; gives the answer."""
    response = client.post(URL, around(event, **fields))
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def context_of(answer: Mapping[str, Any]) -> str:
    """What the agent reads; "" when nothing is injected."""
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def line(
    kind: str, text: str, *, uid: str, parent: str | None, prompt: str = "", at: str = "", **more: Any
) -> str:
    """One line of a transcript as the client writes it."""
    content: Any = text if kind == "user" else [{"type": "text", "text": text}]
    found: dict[str, Any] = {
        "type": kind,
        "uuid": uid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "timestamp": at or "2026-11-01T09:00:00.000Z",
        "message": {"role": kind, "content": content, "id": f"msg_{uid}"},
        **more,
    }
    if prompt:
        found |= {"promptId": prompt}
    if kind == "user":
        found |= {"promptSource": "typed", "origin": {"kind": "human"}, "turnOrigin": "human"} | more
    return json.dumps(found, ensure_ascii=False)


def talk(*pairs: tuple[str, str, str], start: int = 0) -> Sequence[str]:
    """Lines of (prompt id, prompt, answer), chained, a minute apart."""
    lines: list[str] = []
    last: str | None = None
    for number, (prompt, said, answered) in enumerate(pairs, start=start):
        first, second = f"u{number}-{prompt}", f"a{number}-{prompt}"
        lines.append(
            line("user", said, uid=first, parent=last, prompt=prompt, at=f"2026-11-01T09:{number:02}:00.000Z")
        )
        lines.append(
            line("assistant", answered, uid=second, parent=first, at=f"2026-11-01T09:{number:02}:30.000Z")
        )
        last = second
    return lines
