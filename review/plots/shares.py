"""How the shares of options moved: a step after every choice, and after every choice that grew too old.

All weights fade at one rate, so between two such moments the shares stand still: the curve has no other steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp
from typing import Generic, TypeVar

Option = TypeVar("Option", bound=Hashable)
Curve = list[tuple[datetime, float]]
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Seen(Generic[Option]):
    """One choice. ``factor`` scales its weight: what followed our own label counts less."""

    at: datetime
    option: Option
    factor: float = 1.0


class _Sums(Generic[Option]):
    """Faded sums of what counts at a moment; moving on costs one multiplication an option."""

    def __init__(self, options: Iterable[Option], rate: float) -> None:
        self.rate = rate
        self.sums = dict.fromkeys(options, 0.0)
        self.counts = dict.fromkeys(self.sums, 0)
        self.at: datetime | None = None

    def move(self, at: datetime) -> None:
        faded = self.fading(self.at, at) if self.at else 1.0
        self.sums = {option: weight * faded for option, weight in self.sums.items()}
        self.at = at

    def fading(self, since: datetime, at: datetime) -> float:
        return exp(-self.rate * ((at - since) / DAY))

    def enter(self, each: Seen[Option]) -> None:
        self.sums[each.option] += each.factor
        self.counts[each.option] += 1

    def leave(self, each: Seen[Option], at: datetime) -> None:
        self.counts[each.option] -= 1
        rest = self.sums[each.option] - each.factor * self.fading(each.at, at)
        self.sums[each.option] = max(rest, 0.0) if self.counts[each.option] else 0.0

    def shares(self) -> dict[Option, float]:
        total = sum(self.sums.values())
        return {option: weight / total if total > 0 else 0.0 for option, weight in self.sums.items()}


def share_curves(
    seen: Iterable[Seen[Option]], *, rate: float, keep: timedelta, now: datetime
) -> dict[Option, Curve]:
    """For each option its share (0 to 1) from each step on, in order of time; the shares of a moment sum to one.

    ``rate`` is the decay per day, ``keep`` the age at which a choice leaves the sums. While nothing counts every share
    is zero. All curves begin with the first choice of anything.
    """
    order = sorted((each for each in seen if each.at <= now), key=lambda each: each.at)
    sums = _Sums((each.option for each in order), rate)
    curves: dict[Option, Curve] = {option: [] for option in sums.sums}
    inside: deque[Seen[Option]] = deque()

    def record(at: datetime) -> None:
        for option, share in sums.shares().items():
            curve = curves[option]
            if curve and curve[-1][0] == at:
                curve[-1] = (at, share)
            elif not curve or curve[-1][1] != share:
                curve.append((at, share))

    def drop(until: datetime) -> None:
        while inside and inside[0].at + keep <= until:
            gone = inside.popleft()
            sums.move(gone.at + keep)
            sums.leave(gone, gone.at + keep)
            record(gone.at + keep)

    for each in order:
        drop(each.at)
        sums.move(each.at)
        sums.enter(each)
        inside.append(each)
        record(each.at)
    drop(now)
    return curves


def at_moment(curve: Sequence[tuple[datetime, float]], moment: datetime) -> float:
    """The share that held then; zero before the first choice."""
    found = 0.0
    for at, share in curve:
        if at > moment:
            break
        found = share
    return found
