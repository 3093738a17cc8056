"""What a reader of somebody's former memory gives, and the small tools that all readers share."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from core.moments import in_utc

MAX_ITEMS = 5_000
MAX_PROBLEMS = 200
KINDS = ("preference", "fact", "decision", "pattern", "postmortem", "event")


@dataclass(frozen=True)
class FileIn:
    """A file as it came: its path with ``/``, and its bytes."""

    path: str
    data: bytes


@dataclass(frozen=True)
class Problem:
    """What could not be read. ``line`` counts what ``unit`` names, ``line`` or ``entry``; 0: not one of them."""

    file: str
    line: int
    reason: str
    unit: str = "line"

    @property
    def place(self) -> str:
        """``notes.md:7``, or ``export.json, entry 7``: a document of JSON may have all of it on one line."""
        return _place(self.file, self.line, self.unit)


@dataclass(frozen=True)
class Item:
    """One thing that the other store remembers. ``ref`` is its id there; ``at`` when it was written, if that is known.

    ``line`` and ``unit`` as in Problem. ``note`` says what the person should know about it, such as ``no options``: it
    stays outside the statistics.
    """

    text: str
    kind: str
    file: str
    line: int
    ref: str = ""
    at: datetime | None = None
    note: str = ""
    unit: str = "line"

    @property
    def place(self) -> str:
        return _place(self.file, self.line, self.unit)


def _place(file: str, line: int, unit: str) -> str:
    if not line:
        return file
    return f"{file}:{line}" if unit == "line" else f"{file}, {unit} {line}"


@dataclass
class Found:
    """Everything that was found. ``unsupported`` counts by what it is; nothing is left out without being counted.

    ``choices``: lines of ``decisions.jsonl`` with options, as they came. ``conversations``: Hikae's own JSON, for the
    transcript reader.
    """

    format: str
    items: list[Item] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unsupported: Counter[str] = field(default_factory=Counter)
    choices: list[str] = field(default_factory=list)
    conversations: list[Mapping[str, Any]] = field(default_factory=list)
    unit: str = field(default="line", repr=False, compare=False)  # what numbers count in the file at hand
    _refs: set[str] = field(default_factory=set, repr=False)

    def add(self, item: Item) -> None:
        """Take it, unless its id came before or there are too many."""
        if not item.text.strip():
            self.unsupported["empty"] += 1
        elif item.ref and item.ref in self._refs:
            self.problem(item.file, item.line, f"the id {item.ref[:80]} stands twice; the first was taken")
        elif len(self.items) >= MAX_ITEMS:
            self.unsupported["over the limit"] += 1
        else:
            self._refs.add(item.ref)
            self.items.append(replace(item, unit=self.unit))

    def choose(self, line: str) -> None:
        """Take a choice, unless there are too many."""
        if len(self.choices) < MAX_ITEMS:
            self.choices.append(line)
        else:
            self.unsupported["choice over the limit"] += 1

    def problem(self, file: str, line: int, reason: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(file, line, reason[:300], self.unit))
        else:
            self.unsupported["further problems"] += 1


def decoded(file: FileIn, found: Found) -> str | None:
    """The text of a file: UTF-8, or UTF-16 with its mark. None, and a problem that names the line, otherwise."""
    data, found.unit = file.data, "line"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            found.problem(file.path, 0, "is not valid UTF-16")
            return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found.problem(file.path, line, "is not UTF-8; save it as UTF-8 and try again")
        return None
    if "\0" in text:
        found.problem(file.path, text.count("\n", 0, text.index("\0")) + 1, "holds a NUL character")
        return None
    return text


def document(file: FileIn, found: Found) -> Any:
    """The JSON of a file; None, and a problem, where it is none. Numbers count its entries from here on."""
    text = decoded(file, found)
    if text is None:
        return None
    try:
        value = json.loads(text, parse_constant=_no_constants)
        found.unit = "entry"
        return value
    except json.JSONDecodeError as error:
        found.problem(file.path, error.lineno, f"is not valid JSON: {error.msg}")
    except (ValueError, RecursionError) as error:
        found.problem(file.path, 0, f"is not valid JSON: {error}")
    return None


def json_lines(file: FileIn, found: Found) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line that holds one; the others become problems."""
    text = decoded(file, found)
    for number, line in enumerate((text or "").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, parse_constant=_no_constants)
        except (ValueError, RecursionError) as error:
            found.problem(file.path, number, f"is not valid JSON: {str(error)[:120]}")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            found.problem(file.path, number, "is not a JSON object")


def moment(value: Any, file: str, line: int, found: Found, *, zone: Any = UTC) -> datetime | None:
    """A time as stores write it: ISO 8601, or seconds or milliseconds since 1970. None, and a problem, otherwise."""
    if value in (None, ""):
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC)
        at = datetime.fromisoformat(str(value).strip())
        return in_utc(at if at.tzinfo else at.replace(tzinfo=zone))
    except (ValueError, OverflowError, OSError):
        found.problem(file, line, f"{str(value)[:40]!r} is no date; the memory is dated today")
        return None


def written(
    created: datetime | None, updated: datetime | None, file: str, line: int, found: Found
) -> datetime | None:
    """When the text was written: its last change. Contradictory dates are named, and neither is believed."""
    if created and updated and updated < created:
        found.problem(file, line, "was changed before it was written; the memory is dated today")
        return None
    return updated or created


def text_of(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)")


@dataclass(frozen=True)
class Block:
    """A list item or a paragraph of Markdown, with the headings above it."""

    text: str
    line: int
    headings: tuple[str, ...]
    is_item: bool


def blocks(text: str, found: Found, *, first: int = 1) -> Iterator[Block]:
    """List items (with what is nested in them) and paragraphs. Code and tables are counted as unsupported."""
    headings: list[str] = []
    held: list[str] = []
    start, is_item, in_code = 0, False, False

    def flush() -> Iterator[Block]:
        if held:
            yield Block("\n".join(held).strip(), start, tuple(h for h in headings if h), is_item)
            held.clear()

    for number, line in enumerate(text.splitlines(), start=first):
        if _FENCE.match(line):
            in_code = not in_code
            if in_code:
                found.unsupported["code block"] += 1
            continue
        if in_code:
            continue
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if heading:
            yield from flush()
            level = len(heading[1])
            headings[level - 1 :] = [""] * max(0, level - 1 - len(headings)) + [
                heading[2].rstrip().rstrip("#").rstrip()
            ]
        elif bullet and (not bullet[1] or not held or not is_item):
            yield from flush()
            held.append(bullet[2])
            start, is_item = number, True
        elif not line.strip():
            if not is_item:
                yield from flush()
        elif line.lstrip().startswith("|"):
            yield from flush()
            found.unsupported["table"] += 1
        elif held and (not is_item or line.startswith((" ", "\t"))):
            held.append(line.strip() if not bullet else f"- {bullet[2]}")
        else:
            yield from flush()
            held.append(line.strip())
            start, is_item = number, False
    yield from flush()


def _no_constants(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
