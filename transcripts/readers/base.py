"""The door to all readers: `read` finds out the format and returns sessions (design section 3)."""

import json
import re
from pathlib import PurePath
from typing import Final

from core.encoding import as_utf8, likely_encoding
from core.said import gettext_noop
from transcripts.readers.aider import read_aider
from transcripts.readers.claude_code import read_claude_code
from transcripts.readers.lines import Notes, foreign_line
from transcripts.readers.plain_json import read_plain_json
from transcripts.readers.shapes import (
    Problem,
    ReadCompaction,
    ReadMessage,
    ReadResult,
    ReadSession,
    ReadTurn,
    TooLarge,
    UnknownFormat,
)

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "Problem",
    "ReadCompaction",
    "ReadMessage",
    "ReadResult",
    "ReadSession",
    "ReadTurn",
    "TooLarge",
    "UnknownFormat",
    "read",
    "sniff",
]

FORMATS: Final = ("claude_code", "aider", "plain_json")

# A transcript is held in memory once. Clients' own files stay far below this.
MAX_BYTES: Final = 200_000_000

_AIDER_START = re.compile(rb"^# aider chat started at ", re.MULTILINE)
_SNIFFED_LINES: Final = 100
_SNIFFED_BYTES: Final = 1_000_000


def read(
    data: bytes,
    *,
    filename: str,
    format: str = "auto",
    tz: str | None = None,
    speaks_for_person: bool = False,
    max_bytes: int = MAX_BYTES,
) -> ReadResult:
    """Read one transcript file. Whatever the bytes are, they give a result; what could not be read is named in it.

    `format` is "auto" or one of FORMATS. `tz` is the client's IANA zone, for formats that write local times.
    `speaks_for_person` says that whoever hands the file over may vouch for prompts whose author the file leaves
    open (design section 3, REST without `origin`); it never lifts a text that something speaks against.

    Raises TooLarge above `max_bytes`, UnknownFormat for a format that is not registered.
    """
    if format not in ("auto", *FORMATS):
        raise UnknownFormat(f'format must be "auto" or one of {", ".join(FORMATS)}; got "{format}"')
    if len(data) > max_bytes:
        raise TooLarge(f"the file has {len(data):,} bytes; at most {max_bytes:,} are read")
    data = as_utf8(data)
    notes = Notes()
    if not data.strip():
        notes.problem(1, gettext_noop("the file is empty"))
        return ReadResult((), notes.problems(), {})
    if line := foreign_line(data):
        name = likely_encoding(data)
        if name:
            said = gettext_noop(
                "not UTF-8 but %(name)s, it seems; save the file as UTF-8. Nothing of it was read"
            )
            notes.problem(line, said, name=name)
        else:
            notes.problem(line, gettext_noop("not UTF-8; save the file as UTF-8. Nothing of it was read"))
        return ReadResult((), notes.problems(), {})
    found = sniff(data, filename=filename) if format == "auto" else format
    if found == "claude_code":
        result = read_claude_code(data, filename=filename, speaks_for_person=speaks_for_person)
        if not (result.sessions or result.problems or set(result.skipped) - {"half_written_last_line"}):
            # A line that is not there yet is no problem in a file that grows; as the whole file it is one.
            notes.problem(1, gettext_noop("not valid JSON; the line was left out"))
            return ReadResult((), notes.problems(), {})
        return result
    if found == "aider":
        return read_aider(data, tz=tz)
    if found == "plain_json":
        return read_plain_json(data, filename=filename, tz=tz, speaks_for_person=speaks_for_person)
    said = gettext_noop("not a transcript in a known format (%(formats)s)")
    notes.problem(1, said, formats=", ".join(FORMATS))
    return ReadResult((), notes.problems(), {})


def sniff(data: bytes, *, filename: str) -> str | None:
    """The format of a file by its content, with its name as a hint; None when nothing fits."""
    head = as_utf8(data[:_SNIFFED_BYTES]).removeprefix(b"\xef\xbb\xbf")
    if not head.lstrip().startswith((b"{", b"[")) and (
        _AIDER_START.search(head) or PurePath(filename).name.endswith(".aider.chat.history.md")
    ):
        return "aider"
    for line in head.splitlines()[:_SNIFFED_LINES]:
        try:
            value = json.loads(line.decode("utf-8", errors="replace"))
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        if isinstance(value.get("type"), str):
            return "claude_code"
        if any(name in value for name in ("sessions", "turns", "messages")):
            return "plain_json"
    if filename.lower().endswith(".json") or _looks_like_a_document(head):
        return "plain_json"
    return "claude_code" if filename.lower().endswith(".jsonl") and head.strip() else None


def _looks_like_a_document(head: bytes) -> bool:
    """A pretty-printed document has no complete JSON value on any one line."""
    return re.match(rb'\s*[\[{][\s\[{]*"(?:sessions|turns|session|key|messages)"\s*:', head) is not None
