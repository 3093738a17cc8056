"""Notes and summaries as Markdown files with front matter (design section 6). Pure: no Django.

Writing is canonical, so that export → import → export gives the same bytes. Reading takes what people and other tools
write: any order of fields, CRLF, both spellings of the flag; and it names everything that is wrong at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from core.text import clean
from knowledge.notes.fields import Note
from knowledge.notes.frontmatter import normal, split, without
from knowledge.notes.problems import Problem

# `model_invokation` is how an older format spelled it.
_FLAG_SPELLINGS = ("model_invocation", "model_invokation")
_KNOWN = (
    "title",
    "slug",
    "description",
    *_FLAG_SPELLINGS,
    "user_invocable",
    "status",
    "replaced_by",
    "last_sources",
)
STATUSES = ("active", "replaced", "retired")
MAX_SOURCES, MAX_SOURCE = 200, 200  # of a note; characters of one
_FENCE = "---"


@dataclass(frozen=True)
class NoteFile:
    """A note and where it stands: ``status`` active, replaced (by the slug ``replaced_by``) or retired."""

    note: Note
    status: str = "active"
    replaced_by: str = ""


@dataclass
class Read:
    """What was read: ``draft`` as far as it could be, ``file`` when there are no ``problems``."""

    draft: NoteFile | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def file(self) -> NoteFile | None:
        return None if self.problems else self.draft

    def flaw(self, code: str, name: str = "", about: str = "", limit: int = 0) -> None:
        self.problems.append(Problem(code, field=name, about=about, limit=limit))


def write(file: NoteFile) -> str:
    """The file's text, UTF-8 with newlines alone."""
    note = file.note
    front: dict[str, Any] = {
        "title": note.title,
        "slug": note.slug,
        "description": note.description,
        "model_invocation": note.model_invocation,
        "user_invocable": note.user_invocable,
        "status": file.status,
    }
    if file.replaced_by:
        front["replaced_by"] = file.replaced_by
    if note.sources:
        front["last_sources"] = [f"{kind}:{key}" for kind, key in note.sources]
    head = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=10_000)
    return f"{_FENCE}\n{head}{_FENCE}\n\n{note.body}\n"


def read(text: str) -> Read:
    """Read one file. A missing slug is left empty: the caller knows the file's name."""
    found = Read()
    front, body, found.problems = split(normal(text))
    if front is None:
        return found
    for name in front:
        if name not in _KNOWN:
            found.flaw("unknown_field", name, ", ".join(_KNOWN))
    if all(name in front for name in _FLAG_SPELLINGS):
        found.flaw("flag_twice", "model_invocation")
    note = Note(
        title=_text(front, "title", found),
        slug=_text(front, "slug", found, required=False),
        description=_text(front, "description", found),
        body=_storable(body, "body", found),
        model_invocation=True in {_flag(front, name, False, found) for name in _FLAG_SPELLINGS},
        user_invocable=_flag(front, "user_invocable", True, found),
        sources=_sources(front, found),
    )
    status = _text(front, "status", found, required=False) or "active"
    replaced_by = _text(front, "replaced_by", found, required=False)
    if status not in STATUSES:
        found.flaw("not_a_status", "status", ", ".join(STATUSES))
    elif (status == "replaced") != bool(replaced_by):
        found.flaw("replaced_by_whom", "replaced_by")
    found.draft = NoteFile(note, status, replaced_by)
    return found


def write_summary(body: str) -> str:
    """The summary of a namespace as a file."""
    return body + "\n"


def read_summary(text: str) -> str:
    """The body; front matter of any kind is left out, because only the body is put before a session."""
    return without(text)


def _text(front: dict[str, Any], name: str, found: Read, *, required: bool = True) -> str:
    value = front.get(name)
    if value is None:
        if required:
            found.flaw("missing", name)
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        found.flaw("not_text", name)
        return ""
    return _storable(str(value), name, found)


def _storable(value: str, name: str, found: Read) -> str:
    """YAML can spell characters that no database takes."""
    try:
        return clean(value)
    except ValueError as error:
        found.flaw("not_storable", name, str(error))
        return ""


def _flag(front: dict[str, Any], name: str, default: bool, found: Read) -> bool:
    value = front.get(name, default)
    if not isinstance(value, bool):
        found.flaw("not_a_flag", name)
        return default
    return value


def _sources(front: dict[str, Any], found: Read) -> tuple[tuple[str, str], ...]:
    value = front.get("last_sources") or []
    if not isinstance(value, list) or not all(isinstance(each, str) and ":" in each for each in value):
        found.flaw("not_sources", "last_sources")
        return ()
    if len(value) > MAX_SOURCES or any(len(each) > MAX_SOURCE for each in value):
        found.flaw("too_many_sources", "last_sources", limit=MAX_SOURCES)
        return ()
    pairs = (each.partition(":") for each in value)
    return tuple((kind, _storable(key, "last_sources", found)) for kind, _colon, key in pairs)
