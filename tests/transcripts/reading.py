"""Fixtures and lines of Claude Code transcripts, and what the reader makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transcripts.readers.base import ReadMessage, ReadResult, ReadSession, read

DATA = Path(__file__).parents[1] / "data" / "transcripts"


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text("utf-8").splitlines()


def read_lines(lines: list[str], **options: Any) -> ReadResult:
    return read(("\n".join(lines) + "\n").encode(), filename="s.jsonl", **options)


def read_fixture(name: str, **options: Any) -> ReadResult:
    return read((DATA / name).read_bytes(), filename=name, **options)


def messages(session: ReadSession) -> list[ReadMessage]:
    return [message for turn in session.turns for message in turn.messages]


def texts(result: ReadResult, origin: str | None = None) -> list[str]:
    return [
        message.text
        for session in result.sessions
        for message in messages(session)
        if origin in (None, message.origin)
    ]


def line(kind: str, uuid: str, parent: str | None, content: Any, **extra: Any) -> str:
    """A line in the shape of version 2.1.293."""
    value = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": False}
    return json.dumps(value | {"message": {"role": kind, "content": content}} | extra, ensure_ascii=False)


HUMAN: dict[str, Any] = {"promptSource": "typed", "origin": {"kind": "human"}, "turnOrigin": "human"}
