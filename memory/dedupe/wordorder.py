"""Word order: when the same words in another order still say the same, and when two of them have changed places."""

from __future__ import annotations

from .features import Features
from .tokens import Token

# Particles and prepositions that mark no role by themselves.
_PLAIN = {"", "p:は", "p:も", "for_next", "on_next"}


_TIMES = {"day", "daypart", "month", "monthpart", "relday"}
_DIRECTIONS = ({"from_next", "to_next"}, {"p:から", "p:に"}, {"from_next", "p:に"}, {"p:から", "to_next"})


def _common(a: Features, b: Features) -> tuple[list[Token], list[Token]]:
    """Content and numbers that both texts hold, first mentions only, each in its own text's order."""
    out: list[list[Token]] = []
    keys = [{(t.kind == "number", t.concept) for t in (*f.content, *f.numbers)} for f in (a, b)]
    both = keys[0] & keys[1]
    for f in (a, b):
        seen: set[tuple[bool, str]] = set()
        line: list[Token] = []
        for token in f.sequence:
            key = (token.kind == "number", token.concept)
            if key in both and key not in seen and token.weight > 0:
                seen.add(key)
                line.append(token)
        out.append(line)
    return out[0], out[1]


def swapped(a: Features, b: Features) -> tuple[str, str] | None:
    """Two words that exchanged their grammatical roles (A が B の … / B が A の …), or None."""
    first, second = _common(a, b)
    there = {t.concept: t.marker for t in second}
    for x in first:
        # "copied to S3" / "copied from S3"; hours and dates do begin and end somewhere and are judged as numbers.
        if x.kind != "number" and x.category not in _TIMES and {x.marker, there[x.concept]} in _DIRECTIONS:
            return x.surface, x.surface
    for i, x in enumerate(first):
        for y in first[i + 1 :]:
            mx, my = x.marker, y.marker
            # Words of different closed sets cannot stand for each other: "the editor in dark mode" is no swap.
            if (
                x.category == y.category
                and mx != my
                and there[x.concept] == my
                and there[y.concept] == mx
                and not {mx, my} <= _PLAIN
            ):
                return x.surface, y.surface
    return None


def moved_as_a_block(a: Features, b: Features) -> bool:
    """True if one order comes from the other by moving one stretch of words, as fronting a phrase does.

    Two words that trade places around a third ("A reviews B", "B reviews A") do not pass.
    """
    first, second = ([(t.kind == "number", t.concept) for t in line] for line in _common(a, b))
    while first and first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    return not first or any(first[i:] + first[:i] == second for i in range(1, len(first)))


def _in_order(a: Features, b: Features) -> bool:
    first, second = _common(a, b)
    return [t.concept for t in first] == [t.concept for t in second]


def reordered_safely(a: Features, b: Features) -> bool:
    """Whether the order of the shared words can be read as the same statement.

    Particles carry Japanese roles, so only several numbers make its order matter; English may differ by one moved
    phrase, or by any order when exactly one of the texts is passive.
    """
    if a.language != b.language:
        return True
    if a.first and b.first and not a.order and not b.order:
        return _in_order(a, b)
    several_numbers = len({t.concept for t in a.numbers}) > 1
    if a.language == "ja" and not several_numbers:
        return True
    if a.plain and b.plain:  # nothing but subject, verb, object: their order is the meaning
        return _in_order(a, b)
    return moved_as_a_block(a, b) or (a.passive != b.passive and not several_numbers)
