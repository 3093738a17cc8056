"""What each session started with, in tokens: a dot a session over time, and a line through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, log10

from review.plots.drawing import Drawing, Said, Sheet, across, shortened

TOP, BAND, FOOT = 38, 150, 26  # pixels: above the band stand its heading and the highest number
COLUMNS = 40
RADIUS = 3.5


@dataclass(frozen=True)
class Cost:
    """One session; ``said`` is what its dot says of itself."""

    at: datetime
    tokens: int
    said: str


def costs(
    said: Said,
    *,
    heading: str,
    sessions: Sequence[Cost],
    limit: int,
    limit_said: str,
    ticks: Sequence[tuple[datetime, str]],
    start: datetime,
    end: datetime,
) -> Drawing:
    """``limit`` tokens are drawn as a line where it lies inside the picture. Oldest to the left, from 0 upwards."""
    sheet = Sheet(said, height=TOP + BAND + FOOT, kind="costs")
    top = round_up(max((each.tokens for each in sessions), default=0))

    def place(moment: datetime) -> float:
        return across((moment - start) / (end - start))

    def up(tokens: float) -> float:
        return TOP + BAND * (1 - tokens / top)

    for part in (0.0, 0.5, 1.0):
        sheet.line("grid", (0, up(top * part)), (100, up(top * part)))
    if limit <= top:
        sheet.line("ideal", (0, up(limit)), (100, up(limit)))
        sheet.text("note halo", across(1), up(limit) - 5, shortened(limit_said, COLUMNS), anchor="end")
    path = [(place(each.at), 100 * (1 - each.tokens / top)) for each in sessions]
    if len(path) > 1:
        sheet.curve("curve c0", path, top=TOP, height=BAND)
    for each in sessions:
        sheet.dot("dot lead", place(each.at), up(each.tokens), RADIUS, each.said)
    for part in (0.5, 1.0):
        sheet.text("tick halo", 0, up(top * part) - 4, f"{top * part:,.0f}")
    for moment, label in ticks:
        x = place(moment)
        anchor = "start" if x < 12 else "end" if x > 88 else "middle"
        sheet.text("tick", x, TOP + BAND + 18, label, anchor=anchor)
    sheet.text("note", 0, TOP - 24, shortened(heading, COLUMNS))
    return sheet.drawing()


def round_up(most: float) -> int:
    """The next 1, 2 or 5 with zeros behind it, at least 10: a height that people can halve."""
    if most <= 10:
        return 10
    step = 10 ** int(log10(most))
    return int(next(factor * step for factor in (1, 2, 5, 10) if factor * step >= ceil(most)))
