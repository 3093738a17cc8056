"""Choices over time: a lane of dots for each option, and below how the faded shares moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from review.plots.drawing import RIGHT, Drawing, Said, Sheet, across, shortened

LANE, DOTS_AT = 40, 27  # pixels: height of a lane, where its dots lie in it
BAND, GAP, FOOT = 96, 42, 26  # the band of shares, the room for its heading, the room for dates
RADIUS, SAMPLE = 4.5, 18
COLUMNS = 40  # of a label: what a phone shows at our letter size
CURVES = 3  # styles of lines that can be told apart
STEPS = (1, 2, 7, 14, 30, 60, 90, 180, 365, 730)
PLAIN, FOLLOWED, OVERRIDDEN = "plain", "followed", "overridden"


@dataclass(frozen=True)
class Dot:
    """A choice in lane ``lane``; ``kind`` is one of the three words above, ``said`` what it says of itself."""

    at: datetime
    lane: int
    said: str
    kind: str = PLAIN
    archived: bool = False


def timeline(
    said: Said,
    *,
    shares: str,
    lanes: Sequence[str],
    dots: Sequence[Dot],
    curves: Sequence[Sequence[tuple[datetime, float]]],
    ticks: Sequence[tuple[datetime, str]],
    start: datetime,
    end: datetime,
    counted_from: datetime,
) -> Drawing:
    """The first lane leads; ``shares`` heads the band of curves.

    ``curves`` belong to the first lanes, in order (those beyond the styles are left out): step functions of (moment,
    share 0 to 1). What lies before ``counted_from`` no longer counts.
    """
    curves = curves[:CURVES]
    top = LANE * len(lanes) + GAP
    sheet = Sheet(said, height=top + BAND + FOOT, kind="timeline")

    def place(moment: datetime) -> float:
        return across((moment - start) / (end - start))

    if counted_from > start:
        sheet.rect("old", (0, place(counted_from)), (0, top + BAND))
    for number, label in enumerate(lanes):
        _lane(sheet, number, label, styled=number < len(curves))
    for dot in dots:
        css = " ".join(
            ["dot", dot.kind, *(["lead"] if dot.lane == 0 else []), *(["gone"] if dot.archived else [])]
        )
        sheet.dot(css, place(dot.at), LANE * dot.lane + DOTS_AT, RADIUS, dot.said)
    _shares(sheet, shares, curves, top, start, end)
    for moment, label in ticks:
        x = place(moment)
        sheet.text(
            "tick", x, top + BAND + 18, label, anchor="start" if x < 12 else "end" if x > 88 else "middle"
        )
    return sheet.drawing()


def _lane(sheet: Sheet, number: int, label: str, *, styled: bool) -> None:
    y = LANE * number
    if styled:
        sheet.sample(f"curve c{number}", SAMPLE, y + 9)
    words = shortened(label, COLUMNS)
    css = "label lead" if number == 0 else "label"
    sheet.text(css, 0, y + 13, words, shift=SAMPLE + 6 if styled else 0)
    sheet.line("grid", (0, y + DOTS_AT), (100, y + DOTS_AT))


def _shares(
    sheet: Sheet,
    heading: str,
    curves: Sequence[Sequence[tuple[datetime, float]]],
    top: float,
    start: datetime,
    end: datetime,
) -> None:
    for share in (0.0, 0.5, 1.0):
        sheet.line("grid", (0, top + BAND * (1 - share)), (100, top + BAND * (1 - share)))
    # The leader is drawn last, so that it lies on top.
    for number, curve in reversed(list(enumerate(curves))):
        sheet.curve(f"curve c{number}", stairs(curve, start, end), top=top, height=BAND)
    for share in (0.0, 0.5, 1.0):
        sheet.text("tick halo", 0, top + BAND * (1 - share) - 3, f"{share:.0%}")
    sheet.text("note", 0, top - GAP + 14, shortened(heading, COLUMNS))


def stairs(
    curve: Sequence[tuple[datetime, float]], start: datetime, end: datetime
) -> list[tuple[float, float]]:
    """A step function as corners: percent from the left, percent from the top."""
    corners: list[tuple[float, float]] = []
    for at, share in curve:
        x, y = across((at - start) / (end - start)), 100 * (1 - share)
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    if corners:
        corners.append((RIGHT, corners[-1][1]))
    return corners


def tick_days(start: datetime, end: datetime, *, most: int = 4) -> list[int]:
    """Days before ``end`` to write on the axis: 0 and whole multiples of a plain step, at most ``most`` of them."""
    span = (end - start) / timedelta(days=1)
    step = next((step for step in STEPS if span / step < most), max(STEPS[-1], int(span / (most - 1)) + 1))
    return list(range(0, int(span) + 1, step))[:most]
