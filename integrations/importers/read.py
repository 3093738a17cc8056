"""The door to all readers: files or a zip in, what was found out. Finds out the format where nobody names it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

from core.encoding import as_utf8
from core.said import Said, gettext_noop
from integrations.importers import (
    basic_memory,
    chatgpt,
    claude_mem,
    claude_memory,
    mcp_memory,
    mem0,
    moai,
    rules,
)
from integrations.importers.base import FileIn, Found
from integrations.importers.parsing import decoded, document
from integrations.importers.unpacking import MAX_BYTES, MAX_FILES, unpacked
from integrations.importers.words import Unreadable

FORMATS: dict[str, ModuleType] = {
    "claude-memory": claude_memory,
    "rules": rules,
    "moai": moai,
    "mem0": mem0,
    "claude-mem": claude_mem,
    "basic-memory": basic_memory,
    "mcp-memory": mcp_memory,
    "chatgpt": chatgpt,
}
# What tells itself apart best comes first: Markdown that anybody might write is the last guess.
_ORDER = ("chatgpt", "claude-mem", "mcp-memory", "mem0", "moai", "rules", "claude-memory", "basic-memory")


def read(files: Sequence[FileIn], *, format: str = "auto") -> Found:
    """Read what somebody hands over; zips are unpacked first. Whatever the bytes are, they give a result.

    Raises Unreadable: no files, too large, a format that is not known or cannot be told.
    """
    if format not in ("auto", *FORMATS):
        raise Unreadable(
            gettext_noop("The format must be auto or one of %(known)s; got %(given)s."),
            known=", ".join(FORMATS),
            given=repr(format[:40]),
        )
    opened = unpacked(files, most_files=MAX_FILES, most_bytes=MAX_BYTES)
    if not opened.files:
        if opened.problems:
            first = opened.problems[0]
            raise Unreadable(
                gettext_noop("No file in it can be read: %(file)s %(why)s"),
                file=first.file,
                why=Said(first.said, first.values),
            )
        raise Unreadable(gettext_noop("There is no file in it."))
    held = sorted(
        (FileIn(file.path, as_utf8(file.data)) for file in opened.files), key=lambda file: file.path
    )
    name = format if format != "auto" else sniff(held)
    if name is None:
        raise _unknown(held[0])
    reader: Callable[[Sequence[FileIn]], Found] = FORMATS[name].read
    found = reader(held)
    found.unit = "line"
    for each in opened.problems:
        found.problem(each.file, each.line, each.said, **each.values)
    return found


def sniff(files: Sequence[FileIn]) -> str | None:
    """The format of these files by their names and contents; None when nothing fits."""
    return next((name for name in _ORDER if FORMATS[name].reads(files)), None)


def _unknown(file: FileIn) -> Unreadable:
    """What is wrong with the file itself comes first: an empty one, or one that was cut off, is of no store."""
    looked = Found("")
    if file.data.lstrip()[:1] in (b"{", b"[") or file.path.endswith(".json"):
        document(file, looked)
    else:
        decoded(file, looked)
    if not looked.problems:
        return Unreadable(gettext_noop("Hikae does not know what this is. Say which store it comes from."))
    problem = looked.problems[0]
    return Unreadable(
        gettext_noop("Hikae cannot tell which store this comes from: %(place)s %(why)s"),
        place=problem.place,
        why=Said(problem.said, problem.values),
    )
