"""basic-memory: Markdown notes with front matter; ``- [category] text #tag (context)`` lines are observations.

Relations between notes are counted, not taken. A note without observations is taken by its paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from integrations.importers.base import FileIn, Found, Item, blocks
from integrations.importers.parsing import decoded, front_problem, moment, text_of, written
from knowledge.notes.frontmatter import normal, split

_OBSERVATION = re.compile(r"^\[([^\]\[]{1,40})\]\s+(.*)$", re.DOTALL)
_RELATION = re.compile(r"^[\w -]{0,60}\[\[[^\]]+\]\]")
_TAG = re.compile(r"#[\w/-]+")
_KINDS = {
    "decision": "decision",
    "preference": "preference",
    "pref": "preference",
    "pattern": "pattern",
    "technique": "pattern",
    "lesson": "postmortem",
    "problem": "postmortem",
    "event": "event",
}


def reads(files: Sequence[FileIn]) -> bool:
    return any(
        file.path.endswith(".md")
        and (
            b"\npermalink:" in file.data[:2_000]
            or re.search(rb"(?m)^- \[(?!x\]| \])[\w-]{2,40}\] ", file.data[:20_000])
        )
        for file in files
    )


def read(files: Sequence[FileIn]) -> Found:
    found = Found("basic-memory")
    for file in files:
        if not file.path.endswith(".md"):
            found.unsupported["file that is no Markdown"] += 1
            continue
        text = decoded(file, found)
        if text is not None:
            _note(file.path, normal(text), found)
    return found


def _note(path: str, text: str, found: Found) -> None:
    front, body, first = {}, text, 1
    if text.startswith("---"):
        read_front, body, problems = split(text)
        if read_front is None:
            front_problem(path, problems[0], found)
            return
        front, first = read_front, text.count("\n", 0, text.find(body)) + 1 if body else 1
    dates = [_text(front.get(name)) for name in ("created", "modified")]
    created, modified = (moment(value, path, 1, found) for value in dates)
    at = written(created, modified, path, 1, found)
    ref = text_of(front.get("permalink")) or path
    held = list(blocks(body, found, first=first))
    observed = [block for block in held if _OBSERVATION.match(block.text)]
    for block in held:
        seen = _OBSERVATION.match(block.text)
        where = f"{ref}#{block.line}"
        if seen:
            kind = _KINDS.get(seen[1].strip().lower(), "fact")
            found.add(Item(_without_tags(seen[2]), kind, path, block.line, where, at))
        elif _RELATION.match(block.text):
            found.unsupported["relation"] += 1
        elif observed:
            found.unsupported["paragraph beside observations"] += 1
        else:
            found.add(Item(block.text, "fact", path, block.line, where, at))


def _without_tags(said: str) -> str:
    """Without the tags at its end. From the end on, because one pattern would try each run of tags again and again."""
    words = list(re.finditer(r"\S+", said))
    while len(words) > 1 and _TAG.fullmatch(words[-1][0]):
        words.pop()
    return said[: words[-1].end()].strip() if words else ""


def _text(value: object) -> str:
    return "" if value is None else str(value)
