"""Notes and summaries as Markdown files with front matter (design section 6). Pure: no Django.

Writing is canonical, so that export → import → export gives the same bytes. Reading takes what people and other tools
write: any order of fields, CRLF, both spellings of the flag; and it names everything that is wrong at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from knowledge.notes.fields import Note

_FENCE = "---"
# `model_invokation` is how an older format spelled it.
_FLAG_SPELLINGS = ("model_invocation", "model_invokation")
_KNOWN = frozenset(
    {
        "title",
        "slug",
        "description",
        "user_invocable",
        "status",
        "replaced_by",
        "last_sources",
        *_FLAG_SPELLINGS,
    }
)
_STATUSES = ("active", "replaced", "retired")


@dataclass(frozen=True)
class NoteFile:
    """A note and where it stands: ``status`` active, replaced (by the slug ``replaced_by``) or retired."""

    note: Note
    status: str = "active"
    replaced_by: str = ""


@dataclass
class Read:
    """What was read, if anything could be; ``problems`` in plain English, the empty list when all is well."""

    file: NoteFile | None = None
    problems: list[str] = field(default_factory=list)


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
    front, body = _split(text, found)
    if front is None:
        return found
    found.problems += [f"unknown field {name!r}" for name in front if name not in _KNOWN]
    if all(name in front for name in _FLAG_SPELLINGS):
        found.problems.append("model_invocation is given twice, in two spellings")
    note = Note(
        title=_text(front, "title", found),
        slug=_text(front, "slug", found, required=False),
        description=_text(front, "description", found),
        body=body,
        model_invocation=True in {_flag(front, name, False, found) for name in _FLAG_SPELLINGS},
        user_invocable=_flag(front, "user_invocable", True, found),
        sources=_sources(front, found),
    )
    status = _text(front, "status", found, required=False) or "active"
    replaced_by = _text(front, "replaced_by", found, required=False)
    if status not in _STATUSES:
        found.problems.append(f"status must be one of {', '.join(_STATUSES)}")
    if (status == "replaced") != bool(replaced_by):
        found.problems.append("replaced_by goes with the status replaced, and only with it")
    if not found.problems:
        found.file = NoteFile(note, status, replaced_by)
    return found


def write_summary(body: str) -> str:
    """The summary of a namespace as a file."""
    return body + "\n"


def read_summary(text: str) -> str:
    """The body; front matter of any kind is left out, because only the body is put before a session."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match = re.match(r"---\n.*?\n---[ \t]*\n", plain, re.DOTALL)
    return plain[match.end() if match else 0 :].strip("\n")


def _split(text: str, found: Read) -> tuple[dict[Any, Any] | None, str]:
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", plain, re.DOTALL | re.MULTILINE)
    if match is None:
        found.problems.append("the file must begin with front matter between two lines of ---")
        return None, ""
    try:
        front = yaml.safe_load(match.group(1))
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that does not exist
        where = getattr(error, "problem_mark", None)
        found.problems.append(f"the front matter is not YAML{f' (line {where.line + 2})' if where else ''}")
        return None, ""
    if not isinstance(front, dict):
        found.problems.append("the front matter must be a list of fields and values")
        return None, ""
    return front, plain[match.end() :].strip("\n")


def _text(front: dict[Any, Any], name: str, found: Read, *, required: bool = True) -> str:
    value = front.get(name)
    if value is None:
        if required:
            found.problems.append(f"{name} is missing")
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        found.problems.append(f"{name} must be text")
        return ""
    return str(value)


def _flag(front: dict[Any, Any], name: str, default: bool, found: Read) -> bool:
    value = front.get(name, default)
    if not isinstance(value, bool):
        found.problems.append(f"{name} must be true or false")
        return default
    return value


def _sources(front: dict[Any, Any], found: Read) -> tuple[tuple[str, str], ...]:
    value = front.get("last_sources") or []
    if not isinstance(value, list) or not all(isinstance(each, str) and ":" in each for each in value):
        found.problems.append("last_sources must list type:id")
        return ()
    return tuple((kind, key) for kind, _colon, key in (each.partition(":") for each in value))
