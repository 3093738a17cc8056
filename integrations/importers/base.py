"""What a reader of somebody's former memory gives, and the small tools that all readers share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from core.said import gettext_noop
from transcripts.readers.lines import cleaned, is_storable

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
    """What could not be read. ``line`` counts what ``unit`` names, ``line`` or ``entry``; 0: not one of them.

    ``said`` is a template for ``values``, to be translated where it is shown; ``reason`` is the same in English.
    """

    file: str
    line: int
    said: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    unit: str = "line"

    @property
    def reason(self) -> str:
        return self.said % self.values

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
        if not (is_storable(item.text) and is_storable(item.ref)):  # YAML has escapes of its own
            said = gettext_noop("holds characters that cannot be stored; they were replaced")
            self.problem(item.file, item.line, said)
            item = replace(item, text=cleaned(item.text), ref=cleaned(item.ref))
        if not item.text.strip():
            self.unsupported["empty"] += 1
        elif item.ref and item.ref in self._refs:
            said = gettext_noop("the id %(id)s stands twice; the first was taken")
            self.problem(item.file, item.line, said, id=item.ref[:80])
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

    def problem(self, file: str, line: int, said: str, /, **values: str | int) -> None:
        """Name what is wrong; beyond MAX_PROBLEMS it is only counted. ``said``: see Problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(file, line, said, values, self.unit))
        else:
            self.unsupported["further problems"] += 1


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
    start, is_item, in_code, alone = 0, False, False, 0

    def flush() -> Iterator[Block]:
        nonlocal alone
        if held:
            alone = 0
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
            alone += 1
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
    found.unsupported["heading without text"] += alone
