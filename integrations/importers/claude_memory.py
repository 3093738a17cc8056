"""Claude Code's auto-memory: a folder of Markdown files, most with front matter, and an index ``MEMORY.md``.

A topic file (``name``, ``description``, ``type``: user, feedback, project, reference) is one memory. The index repeats
them in a line each and is not imported where the file it links to is there; other lines of it are memories.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found, Item, blocks
from integrations.importers.parsing import decoded, front_problem, text_of
from knowledge.notes.frontmatter import normal, split

_KINDS = {"user": "preference", "feedback": "preference", "project": "fact", "reference": "fact"}
_LINK = re.compile(r"\[([^\[\]]{0,300})\]\(([^()\s]{1,300}\.md)\)")
_INDEX = "MEMORY.md"


def reads(files: Sequence[FileIn]) -> bool:
    if any(PurePosixPath(file.path).name == _INDEX for file in files):
        return True
    heads = [file.data[:400] for file in files if file.path.endswith(".md")]
    return any(
        re.search(rb"^type:\s*(user|feedback|project|reference)\s*$", head, re.MULTILINE) for head in heads
    )


def read(files: Sequence[FileIn]) -> Found:
    found = Found("claude-memory")
    names = {PurePosixPath(file.path).name for file in files}
    for file in files:
        if not file.path.endswith(".md"):
            found.unsupported["file that is no Markdown"] += 1
            continue
        text = decoded(file, found)
        if text is None:
            continue
        if PurePosixPath(file.path).name == _INDEX:
            _index(file.path, text, names, found)
        else:
            _topic(file.path, normal(text), found)
    return found


def _topic(path: str, text: str, found: Found) -> None:
    if not text.startswith("---"):
        _plain(path, text, 1, found)
        return
    front, body, problems = split(text)
    if front is None:
        front_problem(path, problems[0], found)
        return
    kind = _KINDS.get(text_of(front.get("type")) or text_of(_metadata(front)), "fact")
    first = text.count("\n", 0, text.find(body)) + 1 if body else 1
    said = body.strip() or text_of(front.get("description"))
    found.add(Item(said, kind, path, first, ref=PurePosixPath(path).name))


def _metadata(front: dict[str, object]) -> object:
    inner = front.get("metadata")
    return inner.get("type") if isinstance(inner, dict) else ""


def _index(path: str, text: str, names: set[str], found: Found) -> None:
    for block in blocks(normal(text), found):
        link = _LINK.search(block.text)
        if link and PurePosixPath(link[2]).name in names:
            found.unsupported["line of the index"] += 1
        elif link:
            said = gettext_noop("%(file)s is not in the folder; the line itself is taken")
            found.problem(path, block.line, said, file=link[2])
            found.add(Item(_LINK.sub(r"\1", block.text), "fact", path, block.line))
        else:
            found.add(Item(block.text, "fact", path, block.line))


def _plain(path: str, text: str, first: int, found: Found) -> None:
    for block in blocks(text, found, first=first):
        found.add(Item(block.text, "fact", path, block.line))
