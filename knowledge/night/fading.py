"""What has had its time: outdated, replaced, noisy, unused memories, with the reason named (design section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from knowledge.night.endings import ends_on
from knowledge.night.limits import OUTDATED_AFTER, UNUSED_AFTER
from knowledge.night.noise import is_noise
from knowledge.night.protection import is_protected

Category = Literal["superseded", "outdated", "noisy", "unused"]
ORDER: tuple[Category, ...] = ("superseded", "outdated", "noisy", "unused")


@dataclass(frozen=True)
class Standing:
    """A memory's text and its traces. ``since``: active and unedited since then; ``used_at``, ``shown_at`` as in Fact.

    ``replaced``: the very same words were superseded or retired elsewhere in the namespace after these were said.
    """

    text: str
    said_at: datetime
    since: datetime
    used_at: datetime | None = None
    shown_at: datetime | None = None
    replaced: bool = False


@dataclass(frozen=True)
class Faded:
    """Why it could go. ``until``: the end that the text itself names."""

    category: Category
    confidence: float
    until: date | None = None


def faded(standing: Standing, *, now: datetime, lively: bool) -> Faded | None:
    """The first reason that holds, None for what should stay.

    ``lively``: somebody worked in the namespace of late and recall showed other memories. Where nobody was, nothing is
    unused: it only had no occasion.
    """
    if is_protected(standing.used_at, now):
        return None
    if standing.replaced:
        return Faded("superseded", 0.9)
    end = ends_on(standing.text, said_on=standing.said_at.date())
    if end is not None and datetime(end.year, end.month, end.day, tzinfo=UTC) + OUTDATED_AFTER < now:
        return Faded("outdated", 0.85, end)
    if is_noise(standing.text):
        return Faded("noisy", 0.7)
    if lively and is_unused(standing, now=now):
        return Faded("unused", 0.5)
    return None


def is_unused(standing: Standing, *, now: datetime) -> bool:
    """Active for 90 × 24 h or longer, and neither used nor shown in the last 90 × 24 h."""
    limit = now - UNUSED_AFTER
    traces = [at for at in (standing.used_at, standing.shown_at) if at is not None]
    return standing.since <= limit and all(at <= limit for at in traces)
