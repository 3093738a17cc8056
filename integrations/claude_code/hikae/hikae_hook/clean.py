"""Secrets are cut here, before anything is written or sent (the server does it again)."""

from __future__ import annotations

import re

from hikae_hook.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Names of things: they must stay themselves, and a shape check would only take them for secrets.
NAMES = (
    "session_id", "prompt_id", "tool_use_id", "agent_id", "hook_event_name", "tool_name", "uuid", "parentUuid",
    "logicalParentUuid", "sessionId", "promptId", "id", "timestamp", "type", "role", "forkedFrom",
)  # fmt: skip
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # what no JSON parser of a database takes
_DEPTH = 60


def text(value: str) -> str:
    return redact(_UNSTORABLE.sub("\ufffd", value)).text


def cleaned(value: Any, name: str = "", depth: int = 0) -> Any:
    """The same shape with every text redacted, keys of maps among them (an answer is filed under its question)."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value) if name in NAMES and len(value) <= 200 else text(value)
    if depth > _DEPTH:
        return None
    if isinstance(value, list):
        return [cleaned(each, name, depth + 1) for each in value]
    if isinstance(value, dict):
        return {text(key): cleaned(each, key, depth + 1) for key, each in value.items()}
    return value
