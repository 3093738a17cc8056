"""The last choices of a row in one line: high dots chose what leads, low dots something else."""

from __future__ import annotations

from collections.abc import Sequence

from review.plots.drawing import Drawing, Said, Sheet, across

HEIGHT, HIGH, LOW, RADIUS = 22, 6, 16, 3
ROOM = 20  # dots


def spark(said: Said, *, led: Sequence[bool]) -> Drawing:
    """Oldest to the left; the last ``ROOM`` of them, always at the same distance, the newest at the right."""
    sheet = Sheet(said, height=HEIGHT, kind="spark")
    shown = led[-ROOM:]
    sheet.line("grid", (0, HEIGHT / 2), (100, HEIGHT / 2))
    for number, leading in enumerate(shown):
        place = across((ROOM - len(shown) + number) / (ROOM - 1))
        sheet.dot("dot lead" if leading else "dot", place, HIGH if leading else LOW, RADIUS)
    return sheet.drawing()
