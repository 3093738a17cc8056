"""The fields of a note, and all that can be wrong with them at once (design section 6). Pure: no Django."""

from __future__ import annotations

import re
from dataclasses import dataclass

from knowledge.notes import slugs

MAX_TITLE = 200
MAX_DESCRIPTION = 1_024
MAX_BODY = 8_000
MAX_SUMMARY = 20_000

# A condition or an occasion, in either language. Over-inclusive: it only warns those who wrote neither.
_WHEN = re.compile(
    r"\b(when|whenever|before|after|while|during|if|once|unless|until|every time|read (it|this)|for (any|each|every))\b"
    r"|とき|時に|際|前に|後に|場合|たび|度に|する前|したら|すれば|なら|まず|読む",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Note:
    """A note as a person writes it. Lengths are characters; ``sources`` are ``(type, id)`` of what it was made from."""

    title: str
    slug: str
    description: str
    body: str
    model_invocation: bool = False
    user_invocable: bool = True
    sources: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Flaw:
    """One violation. ``code``: empty, too_long, characters, digits, lines; ``limit`` in characters."""

    field: str
    code: str
    limit: int = 0


def flaws(note: Note) -> list[Flaw]:
    """Every violation, in the order of the form."""
    found = [
        *_length("title", note.title, MAX_TITLE),
        *_length("description", note.description, MAX_DESCRIPTION),
        *_length("body", note.body, MAX_BODY),
    ]
    # Title and description stand in lists and in one line of the resident part.
    found += [
        Flaw(name, "lines") for name in ("title", "description") if len(getattr(note, name).splitlines()) > 1
    ]
    wrong = slugs.problem(note.slug)
    if wrong:
        found.append(Flaw("slug", "empty" if not note.slug else wrong, slugs.MAX_LENGTH))
    return found


def _length(name: str, value: str, limit: int) -> list[Flaw]:
    if not value.strip():
        return [Flaw(name, "empty", limit)]
    return [Flaw(name, "too_long", limit)] if len(value) > limit else []


def says_when(description: str) -> bool:
    """Whether a description names an occasion to read the note, as far as words tell."""
    return _WHEN.search(description) is not None
