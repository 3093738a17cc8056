"""What one text has and the other lacks, by seriousness. Reasons are short English phrases "what: a / b"."""

from __future__ import annotations

from .features import Features
from .lexicon import NORMAL
from .tokens import Token

Leftover = dict[str, Token]
# Counted things: "3" and "3 times" are the same number, "3" and "3 hours" are not.
_COUNTS = {"", "time", "person", "line", "char"}


def _drop_implied(left: Leftover, right: Leftover, shared: Leftover) -> None:
    """Takes out what the other side says in another form: a category, a compound in parts, a derived word."""
    implied = {t.means for side in (left, right, shared) for t in side.values() if t.means}
    for side, other in ((left, right), (right, left)):
        for name in [n for n in side if n in implied and side[n].weight < 2]:
            if name not in other:
                shared[name] = side.pop(name)
        for name in list(side):
            parts = name.split("_")
            if len(parts) > 1 and all(p in other or p in shared for p in parts):
                shared[name] = side.pop(name)
                for part in parts:
                    other.pop(part, None)


def _claims(f: Features, other: Features) -> Leftover:
    """Everything a text speaks of, affirmed or denied, but for alternatives that the other text leaves unsaid."""
    unsaid = {
        n for n in f.refused if n in f.alternatives and n not in other.refused and n not in other.concepts
    }
    return {**{n: t for n, t in f.refused.items() if n not in unsaid and t.matters}, **f.concepts}


def _drop_sizes(side: Leftover) -> None:
    """ "Keep it small, below 300": the number says how small."""
    for name in [
        n for n, t in side.items() if t.axis in ("length", "size", "bound") or n in ("keep", "length")
    ]:
        del side[name]


def leftovers(a: Features, b: Features) -> tuple[Leftover, Leftover, Leftover]:
    """(shared, only in a, only in b) by concept; numbers are judged apart but count as shared."""
    one, other = _claims(a, b), _claims(b, a)
    shared = {name: token for name, token in one.items() if name in other}
    left = {name: token for name, token in one.items() if name not in shared}
    right = {name: token for name, token in other.items() if name not in shared}
    _drop_implied(left, right, shared)
    values = {t.key for t in b.numbers}
    shared.update({"#" + t.concept: t for t in a.numbers if t.key in values})
    if any(t.bound for name, t in shared.items() if name[0] == "#") and not opposites(left, right):
        _drop_sizes(left)
        _drop_sizes(right)
    return shared, left, right


def _same_number(x: Token, y: Token) -> bool:
    if x.concept != y.concept or (x.unit != y.unit and not {x.unit, y.unit} <= _COUNTS):
        return False
    if x.unit != y.unit and "" not in (x.unit, y.unit):
        return False
    return x.bound == y.bound or {x.bound, y.bound} in ({"", "max"}, {"", "from"}, {"min", "from"})


def number_conflicts(a: Features, b: Features) -> list[str]:
    """Numbers without a partner on the other side. A bare "one" says no more than "a"."""
    # A number told twice ("3.11 … 3.11") needs one partner only.
    mine = [n for n in a.numbers if not any(_same_number(n, t) for t in b.numbers)]
    theirs = [n for n in b.numbers if not any(_same_number(n, t) for t in a.numbers)]
    loose = [[n for n in side if not (n.concept == "1" and n.unit in _COUNTS)] for side in (mine, theirs)]
    if not any(loose):
        return []

    def shown(side: list[Token]) -> str:
        return ", ".join(f"{n.surface}{f' ({n.bound})' if n.bound else ''}" for n in side) or "none"

    return [f"other number: {shown(loose[0])} / {shown(loose[1])}"]


def denial_conflicts(a: Features, b: Features) -> list[str]:
    """What one text denies and the other affirms, or denies and the other leaves out.

    The rejected side of a choice may be left out; general verbs and weak nouns follow the word they belong to.
    """
    found: list[str] = []
    for own, far in ((a, b), (b, a)):
        bare = not any(t.weight >= NORMAL for t in own.denied)
        for name, token in own.refused.items():
            if name in far.refused or (token.weight < NORMAL and not bare):
                continue
            if name in own.alternatives:
                if name in far.concepts and name not in own.concepts:
                    found.append(f"rejected on one side, chosen on the other: {token.surface}")
            elif name in far.concepts or not far.denied or not token.matters:
                found.append(f"denied on one side only: {token.surface}")
    return list(dict.fromkeys(found))


def opposites(left: Leftover, right: Leftover) -> list[str]:
    """Words of one axis with other signs (enable / disable) or of one closed category (staging / production)."""
    found: list[str] = []
    for x in left.values():
        for y in right.values():
            if x.axis and x.axis == y.axis and x.sign != y.sign:
                found.append(f"opposite: {x.surface} / {y.surface}")
            elif x.category and x.category == y.category:
                found.append(f"other {x.category}: {x.surface} / {y.surface}")
            elif x.kind == y.kind == "name":
                found.append(f"other identifier: {x.surface} / {y.surface}")
    return found


def order_conflict(a: Features, b: Features) -> str:
    """ "before" in one text and "after" in the other, about the same two things; or order in one text alone."""
    if not a.order and not b.order:
        return ""
    if not a.order or not b.order:
        return "" if (a.first or b.first) else "an order on one side only"
    (early, late), (early2, late2) = a.order[0], b.order[0]
    crossing, straight = (early & late2) | (late & early2), (early & early2) | (late & late2)
    return "before / after" if crossing - straight else ""


def stance_gap(a: Features, b: Features) -> list[str]:
    """Permission, plan, past, "only" and the like on one side: related, but not the same claim."""
    return [f"on one side only: {stance}" for stance in sorted(a.stances ^ b.stances)]
