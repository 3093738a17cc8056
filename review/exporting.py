"""How an export is written: JSON Lines for programs, Markdown for people. Pure: no Django."""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

FORMAT = 1
_UNSAFE = re.compile(r"[^\w.\-]+")
# What would start another block at the head of a line, and so break out of its list item.
_BLOCK = re.compile(r"^(\s*)([#>+*=`~|<-]|\d+[.)])")


@dataclass(frozen=True)
class Told:
    """A memory as the Markdown file tells it; ``notes`` are short facts such as its state."""

    kind: str
    text: str
    day: date
    notes: tuple[str, ...] = ()


def json_line(record: Mapping[str, Any]) -> bytes:
    """One record as a line of JSON in UTF-8: times in ISO 8601, ids as text, no line break inside."""
    return json.dumps(record, ensure_ascii=False, default=_plain, separators=(",", ":")).encode() + b"\n"


def _plain(value: object) -> str:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in an export")


def file_name(reference: str) -> str:
    """A namespace as a file's name: letters of any script stay, everything else becomes a hyphen, at most 100."""
    name = _UNSAFE.sub("-", unicodedata.normalize("NFC", reference)).strip(".-")[:100]
    return name or "namespace"


def unique(name: str, taken: set[str]) -> str:
    """The name, with a number where another file has it already, also on disks that ignore case; joins ``taken``."""
    wanted, number = name, 1
    while wanted.casefold() in taken:
        number += 1
        wanted = f"{name}-{number}"
    taken.add(wanted.casefold())
    return wanted


def markdown(title: str, memories: Iterable[Told]) -> Iterable[bytes]:
    """A heading, then one list item a memory under its kind; expects them sorted by kind."""
    yield f"# {_line(title)}\n".encode()
    kind = None
    for memory in memories:
        if memory.kind != kind:
            kind = memory.kind
            yield f"\n## {_line(kind)}\n\n".encode()
        notes = "".join(f", {_line(note)}" for note in memory.notes)
        yield f"- {_item(memory.text)} ({memory.day.isoformat()}{notes})\n".encode()


def _line(text: str) -> str:
    return " ".join(text.split())


def _item(text: str) -> str:
    """Further lines are indented, so that they stay in their item; a line that would start a block is escaped."""
    kept = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n  ".join(_BLOCK.sub(_escape, line) for line in kept)


def _escape(found: re.Match[str]) -> str:
    space, mark = found.groups()
    if mark[:-1].isdecimal():
        return f"{space}{mark[:-1]}\\{mark[-1]}"
    return f"{space}\\{mark}"
