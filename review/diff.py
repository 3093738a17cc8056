"""What differs between two texts, by words and characters (Japanese has no spaces), or by lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

# Comparing costs length × length; beyond this many pairs larger parts are compared.
MOST_PAIRS = 1_000_000
ALIKE = 0.5  # from then on two words share so much that their letters are compared
_LATIN = "[A-Za-z0-9_\u00c0-\u024f]"
_WORD = re.compile(f"{_LATIN}+")
_TOKENS = re.compile(rf"{_LATIN}+|\s+|[^\s]")
_COARSE = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class Piece:
    """``sign`` is "" (in both), "+" (only in the new text) or "-" (only in the old one)."""

    sign: str
    text: str


def pieces(old: str, new: str) -> list[Piece]:
    """Both texts in pieces, in reading order; the pieces without "+" give ``old``, those without "-" ``new``.

    Words of alphabets are compared as words, so that a sentence said otherwise can be read; within a word that became a
    similar one, and in scripts without spaces, by characters.
    """
    found = [piece for was, now in _segments(old, new) for piece in _marked(was, now)]
    return [each for each in found if each.text]


def _segments(old: str, new: str) -> list[tuple[str, str]]:
    """What stood and what stands there, in reading order; both are the same where nothing changed."""
    for tokens in (_TOKENS, _COARSE):
        a, b = tokens.findall(old), tokens.findall(new)
        start = _agree(a, b)
        end = _agree(a[start:][::-1], b[start:][::-1])
        middle = a[start : len(a) - end], b[start : len(b) - end]
        if len(middle[0]) * len(middle[1]) <= MOST_PAIRS:
            head, tail = "".join(a[:start]), "".join(a[len(a) - end :])
            return [(head, head), *_joined(_compare(*middle)), (tail, tail)]
    return [(old, new)]


def _agree(a: Sequence[str], b: Sequence[str]) -> int:
    """How many parts two texts have in common at their beginning."""
    return sum(1 for _same in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _compare(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[str, str]]:
    for _what, low, high, new_low, new_high in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        yield "".join(a[low:high]), "".join(b[new_low:new_high])


def _joined(segments: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Changes with nothing but a space between them are one change."""
    found: list[tuple[str, str]] = []
    for was, now in segments:
        if len(found) > 1 and was != now and found[-1][0].isspace() and found[-1][0] == found[-1][1]:
            (before, after), (space, _same) = found[-2:]
            if before != after:
                found[-2:] = [(before + space + was, after + space + now)]
                continue
        found.append((was, now))
    return found


def _marked(was: str, now: str) -> Iterator[Piece]:
    if was == now:
        yield Piece("", was)
    elif _WORD.fullmatch(was) and _WORD.fullmatch(now) and _alike(was, now):
        for part, other in _compare(was, now):
            yield from _marked(part, other) if part == other else (Piece("-", part), Piece("+", other))
    else:
        yield Piece("-", was)
        yield Piece("+", now)


def _alike(one: str, other: str) -> bool:
    return (
        len(one) * len(other) <= MOST_PAIRS
        and SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE
    )


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
