"""Which of two texts about one thing is the later word on it, and how it shows. Pure."""

from __future__ import annotations

from datetime import datetime

from knowledge.night.cues import is_cue_word
from knowledge.night.facts import Fact
from knowledge.night.limits import CONTRADICTS_AFTER
from memory.dedupe.differences import Leftover, leftovers
from memory.dedupe.features import Features
from memory.dedupe.lexicon import NORMAL
from memory.dedupe.tokens import Token

_SUBJECT = (
    0.75  # share of the old text's telling words that a correction repeats, beside the value it changes
)
_PART = 0.5  # the same share where it names what it replaces, and more than one word in common
_CLAUSE = (
    0.3  # the same where it sets aside a whole phrase of the old text, which may go on about something else
)
_WIDER = 2  # telling words that a correction may add when it names what it replaces
# Two members of these say where or in which case something holds, not what holds.
_SCOPES = {"environment", "os", "testkind", "lang", "apistyle", "meeting", "tier", "branch"}
_DIMENSIONS = {
    **dict.fromkeys(("ms", "second", "minute", "hour", "day", "week", "month", "year"), "time"),
    **dict.fromkeys(("kb", "mb", "gb", "tb"), "size"),
}
_NOT_YET = {"plan", "may", "except", "until", "or"}


def correction(old: Fact, new: Fact, relation: str) -> str | None:
    """Why ``new`` replaces ``old``: it says so, or it cannot be true beside it. None if it does neither."""
    stances = (new.features.stances ^ old.features.stances) & _NOT_YET
    if stances and not (stances == {"may"} and any(t.bound == "max" for t in new.features.numbers)):
        return None  # "may run up to two minutes" is a limit, no permission
    if not new.tells_change and relation != "conflict":
        return None
    shared, left, right = leftovers(old.features, new.features)
    value = _Value(old, new, left, right)
    if not value.same_subject(shared, over=new.tells_end):
        return None
    if new.tells_change:
        if value.is_named or value.retold or (new.tells_end and value.told_apart):
            return "says_so" if value.added <= _WIDER else None
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
        # What the old text set aside and the new one chooses: "over JTAG, not over the air".
        self.taken_up = set(before.refused) & (set(after.concepts) - set(before.concepts))
        self._changed = {t.concept for pair in self.rivals for t in pair} | self.rejected | self.taken_up
        spoken = {t.concept for t in (*after.numbers, *after.denied) if t.kind == "number"}
        self._retold = {t.concept for t in before.numbers} & spoken
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
        return bool(self.numbers or self.rivals or self.rejected or self.taken_up)

    @property
    def is_named(self) -> bool:
        """The new text names what it replaces: "from Zig", "not over the air", "from 5 minutes to 2"."""
        return bool(self.rejected or self.taken_up or (self.numbers and self._retold))

    @property
    def retold(self) -> bool:
        """It repeats all that the old one spoke of, with a word of change, and puts something beside it."""
        return self.added > 0 and len(self._told) >= 3 and len(self._left) <= (len(self._told) > 3)

    @property
    def told_apart(self) -> bool:
        """The new text repeats what the old one spoke of and puts something beside it."""
        return len(self._told) >= 2 and len(self._left) <= 2

    def same_subject(self, shared: Leftover, *, over: bool) -> bool:
        """Whether both are about one thing; ``over``: the new text says that the whole of it has ended."""
        if self.in_other_scope:
            return False
        if over and len(self.rejected) >= 2 and len(self._left) < len(self.rejected):
            return True
        share = _PART if self.is_named or over else _SUBJECT
        if len(self.rejected) > 1:
            share = _CLAUSE
        common = [
            t
            for name, t in shared.items()
            if name[0] != "#" and t.weight >= NORMAL and t.concept not in self._changed and t.kind != "number"
        ]
        whole = len(common) + len(self._left)
        return bool(common) and len(common) / whole >= (share if len(common) > 1 else _SUBJECT)

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
        units = {t.unit for t in self._before.numbers}
        return all((n.unit or n.bound) and n.unit in units for n in self.numbers)


def _rejected(before: Features, after: Features) -> set[str]:
    """What the old text affirms and the new one sets aside ("instead of", "from … to …", "no longer")."""
    return {name for name in (*after.refused, *after.alternatives) if name in before.concepts} - set(
        after.concepts
    )


def _new_numbers(before: Features, after: Features) -> list[Token]:
    """Numbers of the new text that stand where the old one had another of the same kind: 90 seconds, two minutes."""
    was, now = {t.key for t in before.numbers}, {t.key for t in after.numbers}
    kinds = {_measured(t) for t in before.numbers if t.key not in now}
    if not kinds and was & now:  # both told: "from 48 to 72 hours"
        kinds = {_measured(t) for t in before.numbers}
        if len(was) == 1:
            kinds.add("")  # "from five minutes to two": the unit is said once
    return [t for t in after.numbers if t.key not in was and _measured(t) in kinds]


def _measured(number: Token) -> str:
    return _DIMENSIONS.get(number.unit, number.unit)
