"""What a proposal about notes and summaries would change, as plain data. Pure: no Django (design section 6).

None of these can say whether a note stands before every session: a payload that names ``model_invocation`` is refused,
so that no machine can switch it on, whatever it answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge import refs
from knowledge.notes.fields import MAX_SUMMARY, Note, flaws

_WORDS = ("title", "description", "body")


@dataclass(frozen=True)
class Create:
    """A new note. The slug is a suggestion: accepting takes the next free one."""

    title: str
    slug: str
    description: str
    body: str


@dataclass(frozen=True)
class Update:
    """Other words for an active note; its slug and switches stay."""

    note: refs.Ref
    title: str
    description: str
    body: str


@dataclass(frozen=True)
class Summarise:
    """The whole summary of the namespace; ``version`` is that of the one it replaces, 0 for none yet."""

    version: int
    body: str


NotePayload = Create | Update | Summarise
KINDS = ("create", "update", "summary")


def read(kind: str, payload: Mapping[str, Any]) -> NotePayload:
    """The payload of one of ``KINDS``. ValueError with a sentence."""
    if "model_invocation" in payload or "model_invokation" in payload:
        raise ValueError("only a person decides whether every session starts with a note")
    if kind == "summary":
        version, body = payload.get("version"), _text(payload, "body")
        if isinstance(version, bool) or not isinstance(version, int) or version < 0:
            raise ValueError("version is that of the summary it replaces, 0 for none")
        if len(body) > MAX_SUMMARY:
            raise ValueError(f"body has at most {MAX_SUMMARY} characters")
        return Summarise(version, body)
    if kind == "update":
        note = refs.read(payload.get("note"), "note")
        title, description, body = (_text(payload, name) for name in _WORDS)
        _refuse_flaws(Note(title, "unchanged", description, body))
        return Update(note, title, description, body)
    if kind != "create":
        raise ValueError(f"proposals of kind {kind} are not about notes")
    title, slug, description, body = (_text(payload, name) for name in ("title", "slug", *_WORDS[1:]))
    _refuse_flaws(Note(title, slug, description, body))
    return Create(title, slug, description, body)


def write(payload: NotePayload) -> dict[str, Any]:
    """As JSON: ``read(kind, write(x)) == x``."""
    if isinstance(payload, Summarise):
        return {"version": payload.version, "body": payload.body}
    if isinstance(payload, Update):
        texts = {name: getattr(payload, name) for name in _WORDS}
        return {"note": refs.write(payload.note), **texts}
    return {name: getattr(payload, name) for name in ("slug", *_WORDS)}


def _refuse_flaws(note: Note) -> None:
    found = flaws(note)
    if found:
        raise ValueError("; ".join(f"{flaw.field}: {flaw.code.replace('_', ' ')}" for flaw in found))


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    if not isinstance(value, str) or "\x00" in value:
        raise ValueError(f"{name} is a text")
    return value
