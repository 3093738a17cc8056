"""Does "70 percent sure" come true seven times in ten? One dot for each band of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from review.plots.drawing import Drawing, Said, Sheet, across, shortened

TOP, BAND, FOOT = 22, 220, 44  # pixels
COLUMNS = 40
Z = 1.96  # the whiskers cover 95 percent


@dataclass(frozen=True)
class Bin:
    """Predictions of about the same size: their mean, how many came true (0 to 1), how many there were."""

    predicted: float
    observed: float
    n: int
    said: str


@dataclass(frozen=True)
class Words:
    across: str
    upwards: str
    ideal: str


def reliability(said: Said, words: Words, *, bins: Sequence[Bin]) -> Drawing:
    """The nearer the dots lie to the slanting line, the more the numbers deserve trust; whiskers show chance."""
    sheet = Sheet(said, height=TOP + BAND + FOOT, kind="reliability")
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        sheet.line("grid", (across(0), _up(part)), (across(1), _up(part)))
        sheet.line("grid", (across(part), TOP), (across(part), TOP + BAND))
    sheet.line("ideal", (across(0), _up(0)), (across(1), _up(1)))
    for each in bins:
        low, high = wilson(each.observed, each.n)
        sheet.line("whisker", (across(each.predicted), _up(low)), (across(each.predicted), _up(high)))
    most = max((each.n for each in bins), default=1)
    for each in bins:
        sheet.dot(
            "dot lead", across(each.predicted), _up(each.observed), 4 + 5 * sqrt(each.n / most), each.said
        )
    for part in (0.0, 0.5, 1.0):
        anchor = "start" if part == 0 else "end" if part == 1 else "middle"
        sheet.text("tick", across(part), TOP + BAND + 16, f"{part:.0%}", anchor=anchor)
        if part:
            sheet.text("tick halo", across(0), _up(part) + 13, f"{part:.0%}", shift=3)
    sheet.text("note", across(0), TOP - 8, shortened(words.upwards, COLUMNS))
    sheet.text("note", across(1), TOP + BAND + 36, shortened(words.across, COLUMNS), anchor="end")
    # Where few dots lie: sure, and seldom right. The sign before the words is how the line looks.
    sheet.text("note halo", across(0.985), _up(0) - 10, shortened(f"┄ {words.ideal}", COLUMNS), anchor="end")
    return sheet.drawing()


def _up(part: float) -> float:
    return TOP + BAND * (1 - part)


def wilson(rate: float, n: int) -> tuple[float, float]:
    """Where the true rate lies with 95 percent, when ``rate`` of ``n`` came true (Wilson's interval)."""
    if n <= 0:
        return 0.0, 1.0
    middle = rate + Z * Z / (2 * n)
    spread = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
