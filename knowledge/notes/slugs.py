"""Slugs: the short names by which notes are called (design section 6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from core.text import fold, sha256

MAX_LENGTH = 64
# Also a CHECK constraint of the table: keep the two equal.
PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_SLUG = re.compile(PATTERN)
_WORD = re.compile(r"[a-z0-9]+")
_GENERIC = frozenset({"a", "an", "and", "for", "in", "of", "on", "or", "the", "to"})


def problem(slug: str) -> str:
    """What is wrong with a slug: ``too_long``, ``characters`` or ``digits``; empty when nothing is."""
    if len(slug) > MAX_LENGTH:
        return "too_long"
    if not _SLUG.fullmatch(slug):
        return "characters"
    return "digits" if slug.replace("-", "").isdigit() else ""


def suggest(title: str, taken: Collection[str] = ()) -> str:
    """A free slug for a title: its Latin words; for a title without any, ``note-`` and a few letters of its hash."""
    words = [word for word in _WORD.findall(fold(title)) if word not in _GENERIC]
    base = ""
    for word in words:
        longer = f"{base}-{word}" if base else word[:MAX_LENGTH]
        if len(longer) > MAX_LENGTH - 4:  # room for a number behind it
            break
        base = longer
    if problem(base):
        base = f"note-{sha256(title)[:6]}"
    return free(base, taken)


def free(slug: str, taken: Collection[str]) -> str:
    """The slug itself, or with the first number behind it that is free."""
    base, found, number = slug[: MAX_LENGTH - 4].rstrip("-"), slug, 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found


def near(slug: str, others: Iterable[str]) -> list[str]:
    """Slugs that a person would confuse with this one: other hyphens, a plural, one letter more, less or swapped."""
    return sorted(other for other in set(others) if other != slug and _is_near(slug, other))


def _is_near(one: str, other: str) -> bool:
    bare, other_bare = one.replace("-", ""), other.replace("-", "")
    if bare == other_bare or sorted(_words(one)) == sorted(_words(other)):
        return True
    # A digit apart is a version, not a slip; short names differ by a letter for good reasons.
    if min(len(bare), len(other_bare)) < 6 or _numbers(one) != _numbers(other):
        return False
    return _one_slip(bare, other_bare)


def _words(slug: str) -> list[str]:
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in slug.split("-")]


def _numbers(slug: str) -> list[str]:
    return re.findall(r"\d+", slug)


def _one_slip(one: str, other: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns one into the other."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest, other_rest = one[at:], other[at:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[:2][::-1] and rest[2:] == other_rest[2:])
    )
