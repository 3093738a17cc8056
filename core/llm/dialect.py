"""How a given OpenAI-compatible server wants to be asked: servers differ, and say so only by failing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from core.llm.port import DATA_RULE

_MODES = ("json_schema", "json_object", "prompt")  # strictest first
_REFUSES_MODE = re.compile(
    r"response.?format|json.?schema|json.?object|structured output|guided|grammar|unsupported|not supported"
    r"|does not support|not implemented|unknown (?:field|parameter|argument)|extra (?:inputs|fields)",
    re.I,
)


@dataclass(frozen=True)
class Dialect:
    """Immutable, so that threads sharing an adapter can only swap it whole."""

    mode: str = _MODES[0]
    limit: str = "max_tokens"
    temperature: bool = True

    def after(self, status: int, message: str) -> Dialect | None:
        """The dialect to try after this error, or None if the error is about something else."""
        if status not in (400, 404, 415, 422, 500, 501):
            return None
        if "max_completion_tokens" in message and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in message and self.temperature:
            return replace(self, temperature=False)
        if _REFUSES_MODE.search(message) and self.mode != _MODES[-1]:
            return replace(self, mode=_MODES[_MODES.index(self.mode) + 1])
        return None

    def request(self, *, system: str, user: str, schema: dict[str, Any], max_tokens: int) -> dict[str, Any]:
        """The body of the chat request, without the model's name. `schema` is a strict JSON Schema."""
        rules = f"{system.rstrip()}\n\n{DATA_RULE}"
        if self.mode != "json_schema":
            rules += f"\nThe object must match this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
        body: dict[str, Any] = {
            "messages": [{"role": "system", "content": rules}, {"role": "user", "content": user}],
            self.limit: max_tokens,
        }
        if self.temperature:
            body["temperature"] = 0
        if self.mode == "json_schema":
            named = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.mode == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body
