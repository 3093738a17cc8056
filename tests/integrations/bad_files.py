"""What a file may be instead of what it should be: every importer's good file, and the ways to spoil it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from integrations.importers.base import FileIn

DATA = Path(__file__).resolve().parents[1] / "data"
STORES = {
    "claude_memory": "claude-memory",
    "rules": "rules",
    "decisions.jsonl": "moai",
    "moai_session.json": "moai",
    "mem0.json": "mem0",
    "claude_mem.json": "claude-mem",
    "basic_memory": "basic-memory",
    "mcp_memory.jsonl": "mcp-memory",
    "conversations.json": "chatgpt",
}
DOCUMENTS = ("moai_session.json", "mem0.json", "claude_mem.json", "conversations.json")
TALKS = (
    "claude_code_2.1.293_every_row.jsonl",
    "aider_0.86.chat.history.md",
    "plain_sessions.json",
    "plain_turns.jsonl",
)
SAID = "承認フローはデプロイの前に通す。\n" * 4


def store_files(name: str) -> list[FileIn]:
    path = DATA / "imports" / name
    held = sorted(path.iterdir()) if path.is_dir() else [path]
    return [FileIn(each.name, each.read_bytes()) for each in held]


def talk(name: str) -> bytes:
    return (DATA / "transcripts" / name).read_bytes()


# How each file is spoiled, and whether anything of it may still be read.
SPOILED: dict[str, tuple[Callable[[bytes], bytes], bool]] = {
    "empty": (lambda data: b"", False),
    "blank": (lambda data: b"\n \n\t\n", False),
    "cut off": (lambda data: data[: len(data) // 2], True),
    "cut off early": (lambda data: data[:7], True),
    "Shift_JIS": (lambda data: f"{data.decode()}\n{SAID}".encode("cp932", "replace"), False),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), True),
    "UTF-16 without its mark": (lambda data: data.decode().encode("utf-16-le"), True),
    "half of UTF-16": (lambda data: data.decode().encode("utf-16")[:-1], False),
    "Latin-1": (lambda data: data.replace(b"e", b"\xe9"), False),
    "NUL bytes": (lambda data: data[:80] + b"\0\0" + data[80:], True),
    "deep": (lambda data: b"[" * 100_000, True),
    "deep and whole": (lambda data: b'{"memory":' * 50_000 + b"1" + b"}" * 50_000, True),
    "a huge number": (lambda data: b'{"created_at": ' + b"9" * 5_000 + b"}", True),
    "no zip": (lambda data: b"PK\x03\x04" + data[:60], False),
    "a picture": (lambda data: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, False),
}
# Words of libraries and of Python; none of them is a sentence for a person.
RAW = (
    r"codec|Expecting|Unterminated|recursion|Traceback|line 1 column|\(char |object has no|NoneType|PostgreSQL"
    r"|File is not a zip|Exceeds the limit|set_int_max|not subscriptable|surrogates not allowed|Error\b|<class"
)
ODD: tuple[Any, ...] = (
    *(None, True, 5, -1, 1e308, 10**400, "", "x", "\ud800 half", "a\0b", [], [1], [[]], {}, {"a": 1}),
    *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "yesterday", "2026-02-30"),
)


def mutated(value: Any) -> Iterator[Any]:
    """The value with each of its parts, one after the other, replaced by something of another type."""
    for path in _paths(value):
        for odd in ODD:
            copy = json.loads(json.dumps(value))
            yield _set(copy, path, odd)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield from _paths(inner, (*path, name))


def _set(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    at = value
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = new
    return value


def every_text(value: Any, change: Callable[[str], str]) -> Any:
    """The value with all its texts changed, ids and types too, but not the names of fields."""
    if isinstance(value, dict):
        return {name: every_text(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [every_text(inner, change) for inner in value]
    return change(value) if isinstance(value, str) else value


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> FileIn:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as made:
        for name, data in entries:
            made.writestr(name, data)
    return FileIn("upload.zip", target.getvalue())
