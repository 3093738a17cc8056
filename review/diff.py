"""What differs between two texts: by characters (Japanese puts no spaces between words), or by lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

# Comparing costs length × length; beyond this many pairs words are compared instead of characters.
MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class Piece:
    """``sign`` is "" (in both), "+" (only in the new text) or "-" (only in the old one)."""

    sign: str
    text: str


def pieces(old: str, new: str) -> list[Piece]:
    """Both texts in pieces, in reading order; the pieces without "+" give ``old``, those without "-" ``new``."""
    start = _agree(old, new)
    end = _agree(old[start:][::-1], new[start:][::-1])
    middle = _compare(old[start : len(old) - end], new[start : len(new) - end])
    found = (Piece("", old[:start]), *middle, Piece("", old[len(old) - end :]))
    return [each for each in found if each.text]


def _agree(a: str, b: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return sum(1 for _same in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _compare(old: str, new: str) -> list[Piece]:
    a: Sequence[str] = old
    b: Sequence[str] = new
    if len(old) * len(new) > MOST_PAIRS:
        a, b = (re.findall(r"\w+|\W", text) for text in (old, new))
        if len(a) * len(b) > MOST_PAIRS:
            return [Piece("-", old), Piece("+", new)]
    found: list[Piece] = []
    for what, low, high, new_low, new_high in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if what == "equal":
            found.append(Piece("", "".join(a[low:high])))
            continue
        found += [Piece("-", "".join(a[low:high])), Piece("+", "".join(b[new_low:new_high]))]
    return found


@dataclass(frozen=True)
class Line:
    """``sign`` as in ``Piece``, or "@" where unchanged lines were left out; ``text`` without its line end."""

    sign: str
    text: str


def lines(old: str, new: str, *, context: int = 2) -> list[Line]:
    """What differs line by line, with so many unchanged lines around; nothing when the texts are equal.

    Without "@" in it, the lines without "+" give ``old`` and those without "-" give ``new``.
    """
    a, b = old.split("\n"), new.split("\n")
    found: list[Line] = []
    end = 0
    # Left at its default, the matcher passes over lines that stand everywhere: ten thousand blank ones cost nothing.
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(context):
        if group[0][1] > end:
            found.append(Line("@", ""))
        for what, low, high, new_low, new_high in group:
            if what == "equal":
                found += [Line("", text) for text in a[low:high]]
                continue
            found += [Line("-", text) for text in a[low:high]]
            found += [Line("+", text) for text in b[new_low:new_high]]
        end = group[-1][2]
    return [*found, Line("@", "")] if found and end < len(a) else found
