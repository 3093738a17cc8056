"""Whether two texts say the same in other words: looser than the gate, because a person sees both before it happens.

memory's comparison wants every difference explained (``memory.dedupe``). Here what is left may be words that carry next
to nothing, forms of one word, a compound taken apart, or a phrase that moved; never another number, name, stance or
subject.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from core.text import STOP_WORDS, fold
from knowledge.night.facts import Fact
from memory import dedupe
from memory.dedupe.differences import Leftover, leftovers
from memory.dedupe.features import Features
from memory.dedupe.lexicon import NORMAL, WEAK
from memory.dedupe.tokens import Token

ALIKE = 0.82  # calibrated similarity; half of all true repeats in one language are above 0.8
REORDERED = 0.9  # the same words in any other order, when nothing else differs
HALF = 0.5  # the model does not object
ANCHORED = 2.0  # weight of the words in common that a near repeat needs
PLENTY = 3.0  # the same without a model to agree
_FAINT = 0.75  # weight of the words that may be left when no model agrees
_STEM = 4  # letters that two forms of one word begin with: cite, citation
_TURNED = ("other words", "other word order", "an order on one side only")
_EMPTY = frozenset(["against", "ahead", "along", "among", "around", "away", "else", "go", "goes", "towards"])
_TIMES = frozenset(["day", "daypart", "month", "monthpart", "relday", "frequency"])
_JOINED = r"\w*(?:\s+\w+)?\s+(?:of|at|in|for|on|from|about|by)\s+(?:\w+\s+)?"


def repeats(a: Fact, b: Fact, verdict: dedupe.Verdict, *, cosine: float | None) -> bool:
    """Whether to ask a person if the two are one. ``verdict`` is memory's on them, ``cosine`` calibrated or None."""
    one, other = a.features, b.features
    if one.language != other.language or one.stances != other.stances:
        return False
    if any(not reason.startswith((*_TURNED, "denied on one side")) for reason in verdict.reasons):
        return False
    denied = any(reason.startswith("denied on one side") for reason in verdict.reasons)
    if denied and not _one_denial(one, other):
        return False
    shared, left, right = _without_forms(*leftovers(one, other))
    weight = sum(token.weight for token in shared.values())
    if weight < (ANCHORED if cosine is not None else PLENTY) or (one.identifiers ^ other.identifiers) & {
        token.concept for side in (left, right) for token in side.values()
    }:
        return False
    moved = denied or any("order" in reason for reason in verdict.reasons)
    if moved and (left or right or not _turned(a, b, cosine)):
        return False
    if weight >= PLENTY and (cosine is None or cosine >= HALF) and _faint(left, right, _closing(one, other)):
        return True
    return cosine is not None and cosine >= ALIKE and _little_left(left, right, cosine)


def _one_denial(a: Features, b: Features) -> bool:
    """Both deny, and one reads the same denial wider: "never run with the vents closed", "must never run while …"."""
    one, other = ({name for name, token in each.refused.items() if token.matters} for each in (a, b))
    return bool(one and other) and (one <= other or other <= one)


def _turned(a: Fact, b: Fact, cosine: float | None) -> bool:
    """The same words in another order: by the model's word, or by phrases that moved as they may."""
    if cosine is not None:
        return (cosine >= REORDERED and not _exchanged(a, b)) or (cosine >= HALF and _moved(a, b))
    return _moved(a, b)


def _exchanged(a: Fact, b: Fact) -> bool:
    """Two words took each other's places and nothing else moved: who reviews whose maps."""
    pairs = zip(_line(a.features, b.features), _line(b.features, a.features), strict=False)
    return a.language == "en" and sum(x.concept != y.concept for x, y in pairs) == 2


def _moved(a: Fact, b: Fact) -> bool:
    """One stretch of words moved, or the halves of "loans at the library" were turned into "library loans"."""
    first, second = _line(a.features, b.features), _line(b.features, a.features)
    names = [[token.concept for token in line] for line in (first, second)]
    if sorted(names[0]) != sorted(names[1]):
        return False
    units, at = [], 0
    while at < len(first):
        pair = first[at : at + 2]
        place = names[1].index(pair[0].concept)
        turned = len(pair) == 2 and place and names[1][place - 1] == pair[1].concept
        if turned and _compound(a, b, pair, second[place - 1 : place + 1]):
            names[1][place - 1 : place + 1] = [pair[0].concept, pair[1].concept]
            units += [token.concept for token in pair]
            at += 2
        else:
            units.append(pair[0].concept)
            at += 1
    loose = {token.concept for token in first if token.kind == "number" or token.category in _TIMES}
    return _block(units, names[1]) or _turned_round(units, names[1], loose)


def _compound(a: Fact, b: Fact, one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Whether a preposition stands between the two in one of the texts."""
    return any(
        re.search(rf"{re.escape(pair[0].surface)}{_JOINED}{re.escape(pair[1].surface)}", fold(fact.text))
        for fact, pair in ((a, one), (b, other))
    )


def _block(first: list[str], second: list[str]) -> bool:
    while first and first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    return not first or any(first[i:] + first[:i] == second for i in range(1, len(first)))


def _turned_round(first: list[str], second: list[str], loose: Collection[str]) -> bool:
    """Three stretches in the opposite order; a single word is a stretch only if it is a time or a number."""

    def whole(stretch: list[str]) -> bool:
        return len(stretch) > 1 or stretch[0] in loose

    for i in range(1, len(first) - 1):
        for j in range(i + 1, len(first)):
            parts = first[:i], first[i:j], first[j:]
            if parts[2] + parts[1] + parts[0] == second and all(map(whole, parts)):
                return True
    return False


def _line(features: Features, other: Features) -> list[Token]:
    """Its words that the other has too, each once, in its own order."""
    there = {token.concept for token in other.sequence}
    found: dict[str, Token] = {}
    for token in features.sequence:
        if token.concept in there and token.weight > 0:
            found.setdefault(token.concept, token)
    return list(found.values())


def _without_forms(shared: Leftover, left: Leftover, right: Leftover) -> tuple[Leftover, Leftover, Leftover]:
    """Takes out empty words, two forms of one word, and a compound that the other text takes apart."""
    for side in (left, right):
        for name in [name for name, token in side.items() if _is_empty(token)]:
            del side[name]
    for name, token in list(left.items()):
        partner = next((key for key, each in right.items() if one_word(token, each)), None)
        if partner is not None:
            shared[name] = left.pop(name)
            del right[partner]
    for side, other in ((left, right), (right, left)):
        for name in list(side):
            parts = _parts(side[name].surface, other)
            if parts:
                shared[name] = side.pop(name)
                for part in parts:
                    del other[part]
    return shared, left, right


def _is_empty(token: Token) -> bool:
    return token.surface in _EMPTY or (token.kind == "unknown" and token.surface in STOP_WORDS)


def _parts(word: str, other: Leftover) -> list[str]:
    """The words of the other text that make up a Japanese compound: 天体観測 = 天体 + 観測."""
    if word.isascii() or len(word) < 3:
        return []
    inside = [name for name, token in other.items() if len(token.surface) > 1 and token.surface in word]
    return inside if sum(len(other[name].surface) for name in inside) == len(word) else []


def one_word(x: Token, y: Token) -> bool:
    """Whether two surfaces are forms of one word."""
    short, long = sorted((x.surface, y.surface), key=len)
    if long.startswith(short) and len(long) - len(short) <= 2:
        ending = long[len(short) :]
        # 撮る and 撮影する; but 画面 and 画面名 are two words.
        return short.isascii() or len(short) == 1 or all("ぁ" <= letter <= "ゟ" for letter in ending)
    if not (short.isascii() and x.kind == y.kind == "unknown" and len(short) >= _STEM):
        return False
    stem = short[:-1] if short.endswith("e") else short
    return len(stem) >= _STEM - 1 and long.startswith(stem) and len(long) - len(stem) <= 6


def _faint(left: Leftover, right: Leftover, closing: Collection[str]) -> bool:
    """Next to nothing, or the verb that closes a Japanese sentence, on one side alone: 回答は短く / 短くまとめる."""
    tokens = [*left.values(), *right.values()]
    one_sided = not (left and right) or all(t.weight <= WEAK for t in tokens)
    return one_sided and sum(t.weight for t in tokens if t.concept not in closing) <= _FAINT


def _closing(a: Features, b: Features) -> set[str]:
    return {
        each.sequence[-1].concept
        for each in (a, b)
        if each.language == "ja" and each.sequence and not each.denied
    }


def _little_left(left: Leftover, right: Leftover, cosine: float) -> bool:
    tokens = [*left.values(), *right.values()]
    strong = [[t for t in side.values() if t.weight >= NORMAL] for side in (left, right)]
    if left and right and not all(t.like for t in tokens):
        if cosine >= REORDERED and len(tokens) == 2 and any(strong) and not all(strong):
            return True  # recipes list ingredients, recipes give ingredients
        # To write and to own are two things; もの and 何か are not.
        return all(t.weight <= WEAK for t in tokens)
    return sum(map(len, strong)) <= 1 and len(tokens) <= 3
