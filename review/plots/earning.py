"""Does a note earn its tokens? A lane for each: how often it was shown, and inside that how often it was used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.plots.drawing import Drawing, Said, Sheet, shortened

LANE, BAR, BELOW = 38, 10, 20  # pixels: a lane, the height of its bar, where the bar lies in it
ROOM = 100.0  # percent of the width for the longest bar
COLUMNS = 26  # the numbers stand at the end of the same line, on a phone too


@dataclass(frozen=True)
class Earning:
    """``label`` names the note, ``said`` its numbers; both counts may be zero."""

    label: str
    shown: int
    used: int
    said: str


def earnings(said: Said, *, notes: Sequence[Earning]) -> Drawing:
    """All lanes share one scale; a bar of uses is drawn over the bar of exposures."""
    sheet = Sheet(said, height=LANE * len(notes) + 4, kind="earnings")
    most = max((max(each.shown, each.used) for each in notes), default=0) or 1
    for number, each in enumerate(notes):
        y = LANE * number
        sheet.text("label", 0, y + 13, shortened(each.label, COLUMNS))
        sheet.line("grid", (0, y + BELOW + BAR), (100, y + BELOW + BAR))
        shown, used = ROOM * each.shown / most, ROOM * each.used / most
        if each.shown:
            sheet.rect("shown", (0, shown), (y + BELOW, y + BELOW + BAR))
        if each.used:
            sheet.rect("used", (0, used), (y + BELOW + 2, y + BELOW + BAR - 2))
        sheet.text("tick", 100, y + 13, each.said, anchor="end")
    return sheet.drawing()
