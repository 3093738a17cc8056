"""The fields of a note, and all that can be wrong with them at once (design section 6). Pure: no Django."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.notes import slugs

MAX_TITLE = 200
MAX_DESCRIPTION = 1_024
MAX_BODY = 8_000
MAX_SUMMARY = 20_000


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
