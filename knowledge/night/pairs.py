"""Two active memories side by side: duplicates, a correction, a contradiction, or none of it.

memory's comparison decides what is the same and what conflicts (``memory.dedupe``: never on cosine alone). What this
file adds: which of two conflicting texts is the later word on the same thing, and near repeats that a person, who sees
both texts before anything happens, can be asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from knowledge.night.cues import is_cue_word
from knowledge.night.facts import Fact
from knowledge.night.limits import CONTRADICTS_AFTER
from memory import dedupe
from memory.dedupe.differences import Leftover, leftovers
from memory.dedupe.features import Features
from memory.dedupe.tokens import Token

Finding = Literal["merge", "supersede", "conflict", "none"]

NORMAL = 1.0  # weight from which a word says what a text is about (memory.dedupe.lexicon)
ALIKE = 0.82  # calibrated similarity; half of all true repeats in one language are above 0.8
REORDERED = 0.9  # the same words in another order, when nothing else differs
ANCHORED = 2.0  # weight of the words in common that a near repeat needs
_SUBJECT = (
    0.75  # share of the old text's telling words that a correction repeats, beside the value it changes
)
_WIDER = 2  # telling words that a correction may add when it names what it replaces
# Two members of these say where or in which case something holds, not what holds.
_SCOPES = {"environment", "os", "testkind", "lang", "apistyle", "meeting", "tier", "branch"}
_NOT_YET = {"plan", "may", "except", "until", "or"}


@dataclass(frozen=True)
class Judged:
    """What to propose. ``newer``: for a supersede, the one that replaces the other. ``why``: key of a sentence."""

    finding: Finding
    confidence: float
    why: str = ""
    old: Fact | None = None
    newer: Fact | None = None
    details: tuple[str, ...] = ()


def judge(a: Fact, b: Fact, *, cosine: float | None) -> Judged:
    """How two memories of one kind relate; ``cosine`` is calibrated (0 to 1), None without vectors. Symmetric."""
    old, new = _in_order(a, b)
    verdict = dedupe.compare(old.features, new.features, cosine=cosine)
    if verdict.relation == "different":
        return Judged("none", 0)
    ended = a.tells_end != b.tells_end
    if verdict.relation == "same" and not ended:
        confidence = 1.0 if verdict.score == 1.0 and a.features.normal == b.features.normal else 0.9
        return Judged("merge", confidence, "same", details=verdict.reasons)
    if (why := _correction(old, new, verdict.relation)) is not None:
        return Judged("supersede", 0.85 if why != "contradicts" else 0.6, why, old, new, verdict.reasons)
    if verdict.relation == "similar" and not ended and _nearly(old, new, verdict, cosine):
        return Judged("merge", 0.75, "nearly", details=verdict.reasons)
    return Judged("conflict" if verdict.relation == "conflict" else "none", 0, details=verdict.reasons)


def _in_order(a: Fact, b: Fact) -> tuple[Fact, Fact]:
    """(earlier, later). Said at the same moment, the one that speaks of a change is the later word."""
    if a.said_at != b.said_at:
        return (a, b) if a.said_at < b.said_at else (b, a)
    if a.tells_change != b.tells_change:
        return (b, a) if a.tells_change else (a, b)
    return (a, b) if str(a.id) < str(b.id) else (b, a)


def _nearly(a: Fact, b: Fact, verdict: dedupe.Verdict, cosine: float | None) -> bool:
    """Other verbs around the same words, and the model agrees. Any name, number, stance or rival word forbids it."""
    if cosine is None or cosine < ALIKE:
        return False
    if any(not reason.startswith(("other words", "other word order")) for reason in verdict.reasons):
        return False
    shared, left, right = leftovers(a.features, b.features)
    if sum(t.weight for t in shared.values()) < ANCHORED:
        return False
    strong = [[t for t in side.values() if t.weight >= NORMAL] for side in (left, right)]
    # Two telling words that differ are two subjects, unless one is a form of the other.
    forms = len(strong[0]) == len(strong[1]) == 1 and _one_word(strong[0][0], strong[1][0])
    apart = {strong[0][0].concept, strong[1][0].concept} if forms else set()
    if (a.features.identifiers ^ b.features.identifiers) - apart:
        return False
    if "other word order" in verdict.reasons:
        return not left and not right and cosine >= REORDERED
    if left and right and not any(strong) and not all(t.like for t in (*left.values(), *right.values())):
        return False  # to write and to own: only verbs that add little stand for each other
    return forms or (sum(map(len, strong)) <= 1 and len(left) + len(right) <= 3)


def _one_word(x: Token, y: Token) -> bool:
    short, long = sorted((x.surface, y.surface), key=len)
    return long.startswith(short) and len(long) - len(short) <= 2


def _correction(old: Fact, new: Fact, relation: str) -> str | None:
    """Why ``new`` replaces ``old``: it says so, or it cannot be true beside it. None if it does neither."""
    if (new.features.stances ^ old.features.stances) & _NOT_YET:
        return None
    if not new.tells_change and relation != "conflict":
        return None
    shared, left, right = leftovers(old.features, new.features)
    value = _Value(old, new, left, right)
    if not value.same_subject(shared, over=new.tells_end):
        return None
    if new.tells_change:
        named = value.rejected or (new.tells_end and value.told_apart)
        if named and value.added <= _WIDER:
            return "says_so"
        return "says_so" if value.replaced and value.added == 0 else None
    if relation != "conflict" or new.features.stances != old.features.stances:
        return None
    return "contradicts" if value.contradicts(new.said_at, old.said_at) else None


class _Value:
    """What changed between two texts about one subject: a number, a member of a closed category, a name."""

    def __init__(self, old: Fact, new: Fact, left: Leftover, right: Leftover) -> None:
        before, after = old.features, new.features
        self.rivals = [
            (x, y)
            for x in left.values()
            for y in right.values()
            if (x.category and x.category == y.category) or (x.axis and x.axis == y.axis and x.sign != y.sign)
        ]
        self.rejected = _rejected(before, after)
        self.numbers = _new_numbers(before, after)
        self._changed = {t.concept for pair in self.rivals for t in pair} | self.rejected
        self._before = before
        self._left = [t for t in left.values() if self._tells(t)]
        self._right = [t for t in right.values() if self._tells(t)]
        self._denied = set(before.refused) != set(after.refused)
        self._told = {t.concept for t in before.content} & {t.concept for t in after.content}

    def _tells(self, token: Token) -> bool:
        return (
            token.weight >= NORMAL
            and token.kind != "number"
            and token.concept not in self._changed
            and not is_cue_word(token.surface)
        )

    @property
    def in_other_scope(self) -> bool:
        return any(x.category in _SCOPES for x, _ in self.rivals)

    @property
    def added(self) -> int:
        """Telling words that only the new text has: perhaps another scope."""
        return len(self._right)

    @property
    def replaced(self) -> bool:
        return bool(self.numbers or self.rivals or self.rejected)

    @property
    def told_apart(self) -> bool:
        """The new text repeats what the old one spoke of and puts something beside it."""
        return len(self._told) >= 2 and len(self._left) <= 1

    def same_subject(self, shared: Leftover, *, over: bool) -> bool:
        """Whether both are about one thing; ``over``: the new text says that the whole of it has ended."""
        if self.in_other_scope:
            return False
        if over and len(self.rejected) >= 2 and not self._left:
            return True
        common = [
            t
            for name, t in shared.items()
            if name[0] != "#" and t.weight >= NORMAL and t.concept not in self._changed and t.kind != "number"
        ]
        whole = len(common) + len(self._left)
        return bool(common) and len(common) / whole >= _SUBJECT

    def contradicts(self, later: datetime, earlier: datetime) -> bool:
        """Nothing but one value differs, and the other was said another day.

        Versions live side by side, and a bare "not" speaks of another case as often as of another mind: those are left
        to people, unless the later text says that something changed.
        """
        if later - earlier < CONTRADICTS_AFTER or self._left or self._right or self._denied:
            return False
        closed = [
            pair for pair in self.rivals if pair[0].category
        ]  # "public / private" is as often another case
        if bool(closed) == bool(self.numbers) or len(closed) < len(self.rivals):
            return False
        return not self.numbers or all(n.unit or n.bound for n in self.numbers)


def _rejected(before: Features, after: Features) -> set[str]:
    """What the old text affirms and the new one sets aside ("instead of", "from … to …", "no longer")."""
    return {name for name in (*after.refused, *after.alternatives) if name in before.concepts} - set(
        after.concepts
    )


def _new_numbers(before: Features, after: Features) -> list[Token]:
    """Numbers of the new text that stand where the old one had another of the same unit."""
    was = {t.key for t in before.numbers}
    units = {t.unit for t in before.numbers if t.key not in {n.key for n in after.numbers}}
    if not units and any(t.key in was for t in after.numbers):  # both told: "from 48 to 72 hours"
        units = {t.unit for t in before.numbers}
    return [t for t in after.numbers if t.key not in was and t.unit in units]
