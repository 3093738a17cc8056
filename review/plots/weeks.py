"""What came of each week: a column a week, its parts one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.plots.cost import round_up
from review.plots.drawing import Drawing, Said, Sheet, across, shortened

TOP, BAND, FOOT = 26, 130, 26  # pixels: above the band stands the highest number
FILLED = 0.72  # of a week's width; the rest keeps columns apart
COLUMNS = 12


@dataclass(frozen=True)
class Week:
    """``counts`` in the order of the parts, the lowest first; ``label`` is empty where the axis has no room."""

    label: str
    counts: tuple[int, ...]


def weeks(said: Said, *, parts: Sequence[str], columns: Sequence[Week]) -> Drawing:
    """``parts`` are the CSS classes of the parts. The oldest week to the left, all on one scale from 0 upwards."""
    sheet = Sheet(said, height=TOP + BAND + FOOT, kind="weeks")
    top = round_up(max((sum(each.counts) for each in columns), default=0))

    def up(count: float) -> float:
        return TOP + BAND * (1 - count / top)

    for part in (0.0, 0.5, 1.0):
        sheet.line("grid", (0, up(top * part)), (100, up(top * part)))
        if part:
            sheet.text("tick halo", 0, up(top * part) - 4, f"{top * part:,.0f}")
    for number, each in enumerate(columns):
        left, right = across(number / len(columns)), across((number + FILLED) / len(columns))
        below = 0
        for css, count in zip(parts, each.counts, strict=True):
            if count:
                sheet.rect(css, (left, right), (up(below + count), up(below)))
            below += count
        if each.label:  # at the edges words lean inwards, or they would be cut
            place = (left + right) / 2
            anchor, x = ("start", left) if place < 12 else ("end", right) if place > 88 else ("middle", place)
            # A phone has room for the first and the last alone.
            css = "tick inner" if anchor == "middle" else "tick"
            sheet.text(css, x, TOP + BAND + 18, shortened(each.label, COLUMNS), anchor=anchor)
    return sheet.drawing()
