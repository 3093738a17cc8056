"""How often a question comes, and whether so few answers can ever be enough. Pure: no Django.

A habit of one answer a week never becomes "well known": thirteen answers fit into the ninety days that count, and
more than twenty are needed. The page says so instead of letting a person wait for what cannot happen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

LEAST = 5  # answers before a rhythm is spoken of
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Pace:
    """``days`` between answers (the median, rounded), and how many of them fit ``most`` into the days that count."""

    days: int
    most: int
    needed: int


def too_slow(moments: Sequence[datetime], *, now: datetime, keep_days: int, needed: int) -> Pace | None:
    """The pace, when it can never reach more than ``needed`` answers that count; None when it can, or is unknown.

    ``moments``: when the question was answered, in any order, archived answers too.
    """
    order = sorted(moment for moment in moments if moment <= now)
    if len(order) < LEAST:
        return None
    gap = median((later - earlier) / DAY for earlier, later in pairwise(order))
    if gap < 1:
        return None  # several a day come in bursts: the median says nothing about the weeks
    most = math.ceil(keep_days / gap)
    return Pace(round(gap), most, needed) if most <= needed else None
