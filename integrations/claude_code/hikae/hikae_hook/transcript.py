"""What was said since the last event: whole lines of the client's transcript, from a byte offset on.

Lines are cut down to what the server reads: no thinking, no pictures, no file contents, long tool output shortened.
"""

from __future__ import annotations

import json
import os
import time

from hikae_hook import clean, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_READ = 8_000_000  # bytes of the file in one event
MAX_SENT = 1_000_000  # bytes of one slice; the rest comes with the next event
MAX_LINES = 5_000
TOOL_CHARS = 7_900  # of a tool's output
INPUT_CHARS = 600  # of each text in a tool's input
INPUT_FIELDS, INPUT_DEPTH = 40, 6

_CHAIN = (
    "type",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "sessionId",
    "subtype",
    "timestamp",
    "isSidechain",
)
_SAYING = (
    "gitBranch", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "teamName", "isApiErrorMessage",
    "promptId", "promptSource", "origin", "turnOrigin", "entrypoint", "forkedFrom", "compactMetadata",
)  # fmt: skip


class Reading:
    """How far a session's transcript was read. Two programs at once may send the same lines: the server knows them."""

    def __init__(self, session: str, path: Any) -> None:
        self._state = os.path.join(
            places.folder("sessions"),
            places.sha256(session)[:32] + ".json",
        )
        known = places.read_json(self._state)
        # A file that a power cut left empty means: read all of it again, the server knows what it has.
        self.is_new = not os.path.exists(self._state)
        self.offset = _number(known.get("offset"))
        self.turn = known["turn"] if isinstance(known.get("turn"), str) else ""
        self._seq = _number(known.get("seq"))
        self._was = (self.offset, self.turn)
        self._holds = False  # something was read that must not get lost
        # Nothing but the session's own file is ever read, whatever an event names.
        fits = isinstance(path, str) and os.path.basename(path) == session + ".jsonl"
        self._path = path if fits and os.path.isfile(path) and not os.path.islink(path) else ""
        self.exists = bool(self._path)

    def next_seq(self) -> int:
        self._seq += 1
        return self._seq

    def skip(self) -> None:
        """Begin at the end of what stands there."""
        if self.exists:
            self.offset = os.path.getsize(self._path)

    def read(self, until: float) -> list[str]:
        """Whole lines from the offset on; a half-written one waits. Stops when there is no time left."""
        if not self.exists:
            return []
        try:
            with open(self._path, "rb") as file:
                if os.fstat(file.fileno()).st_size < self.offset:
                    self.offset = 0  # written anew
                file.seek(self.offset)
                data = file.read(MAX_READ)
        except OSError:
            return []
        lines: list[str] = []
        sent = 0
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            if sent > MAX_SENT or len(lines) >= MAX_LINES or time.monotonic() > until:
                break
            self.offset += len(line)
            kept = self._kept(line)
            if kept:
                lines.append(kept)
                sent += len(kept)
        self._holds = bool(lines)
        return lines

    def store(self, kept: bool) -> None:
        """Remember it. Not ``kept``: what was read found no room, so it is read again next time."""
        offset, turn = self._was if self._holds and not kept else (self.offset, self.turn)
        try:
            places.write_json(self._state, {"offset": offset, "turn": turn, "seq": self._seq})
        except OSError:
            pass  # the same lines are sent again, and known

    def _kept(self, line: bytes) -> str:
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            # No JSON any more, but its place in the chain may still be read.
            return clean.text(line.decode("utf-8", "replace").strip()[:2_000])
        if not isinstance(raw, dict) or not isinstance(raw.get("uuid"), str):
            return ""
        slim = slimmed(raw)
        if _opens(raw):
            named = raw.get("promptId")
            self.turn = named if isinstance(named, str) and named else raw["uuid"]
        return json.dumps(clean.cleaned(slim), ensure_ascii=False)


def slimmed(raw: dict[str, Any]) -> dict[str, Any]:
    """The fields that the server reads. A summary and a sub-agent's talk keep their place in the chain alone."""
    slim = {name: raw[name] for name in _CHAIN if name in raw}
    if raw.get("isSidechain") is True or raw.get("type") not in ("user", "assistant", "attachment", "system"):
        return slim
    slim.update({name: raw[name] for name in _SAYING if name in raw})
    message = raw.get("message")
    if isinstance(message, dict):
        said = {name: message[name] for name in ("id", "role", "stop_reason", "model") if name in message}
        summary = raw.get("isCompactSummary") is True
        slim["message"] = {**said, "content": "" if summary else _content(message.get("content"))}
    answer = raw.get("toolUseResult")
    if isinstance(answer, dict) and isinstance(answer.get("questions"), list):
        slim["toolUseResult"] = {name: answer[name] for name in answer if name != "preview"}
    attachment = raw.get("attachment")
    if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
        slim["attachment"] = {**attachment, "prompt": _content(attachment.get("prompt"))}
    return slim


def _content(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    return [_block(block) if isinstance(block, dict) else block for block in content if _is_said(block)]


def _is_said(block: Any) -> bool:
    return not (isinstance(block, dict) and block.get("type") in ("thinking", "redacted_thinking"))


def _block(block: dict[str, Any]) -> dict[str, Any]:
    kind = block.get("type")
    if kind in ("image", "document"):
        return {"type": kind}
    if kind == "tool_use":
        return {
            "type": kind,
            "id": block.get("id"),
            "name": block.get("name"),
            "input": _input(block.get("input")),
        }
    if kind == "tool_result":
        output = block.get("content")
        if isinstance(output, list):
            output = [_result(part) for part in output if isinstance(part, dict)]
        return {**block, "content": _short(output)}
    return block


def _input(value: Any, depth: int = 0) -> Any:
    """The beginning of every text in it: enough to see what was called for, not what was written into a file."""
    if isinstance(value, str):
        return value[:INPUT_CHARS]
    if isinstance(value, dict) and depth < INPUT_DEPTH:
        return {name: _input(value[name], depth + 1) for name in list(value)[:INPUT_FIELDS]}
    if isinstance(value, list) and depth < INPUT_DEPTH:
        return [_input(each, depth + 1) for each in value[:INPUT_FIELDS]]
    return None if isinstance(value, (dict, list)) else value


def _result(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") != "text":
        return {"type": part.get("type")}
    return {"type": "text", "text": _short(part.get("text"))}


def _short(text: Any) -> Any:
    if not isinstance(text, str) or len(text) <= TOOL_CHARS:
        return text
    return f"{text[:TOOL_CHARS]}\n[… {len(text) - TOOL_CHARS:,} more characters left out]"


def _opens(raw: dict[str, Any]) -> bool:
    """A prompt, which begins a turn; as near as one line can tell."""
    if (
        raw.get("type") != "user"
        or raw.get("isSidechain")
        or raw.get("isMeta")
        or raw.get("isCompactSummary")
    ):
        return False
    message = raw.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        return not any(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)
    return isinstance(content, str)


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
