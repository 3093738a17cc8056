"""Columns of weeks: parts stand on each other without a gap, on one scale, inside the picture."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.plots.drawing import Drawing, Said
from review.plots.weeks import BAND, TOP, Week, weeks

SAID = Said("w", "Proposals by week", "Of 3 proposals 2 were approved.")
PARTS = ("kept", "refused", "open")


def drawn(counts: list[tuple[int, int, int]]) -> Drawing:
    return weeks(SAID, parts=PARTS, columns=[Week(f"week {n} <b>", each) for n, each in enumerate(counts)])


def bars(drawing: Drawing) -> list[tuple[str, float, float, float, float]]:
    """(class, left, width, top, height) of each part: percent across, pixels down."""
    return [
        (
            each.get("class", ""),
            float(each.get("x", "").removesuffix("%")),
            float(each.get("width", "").removesuffix("%")),
            float(each.get("y", "")),
            float(each.get("height", "")),
        )
        for each in Tree.fromstring(str(drawing)).iter()
        if each.tag == "rect"
    ]


@given(st.lists(st.tuples(*[st.integers(0, 5_000)] * 3), min_size=1, max_size=13))
def test_parts_stand_on_each_other_inside_the_picture(counts: list[tuple[int, int, int]]) -> None:
    found = bars(drawn(counts))
    assert len(found) == sum(1 for column in counts for count in column if count)
    lefts = sorted({left for _css, left, _width, _y, _height in found})
    for left in lefts:
        column = [each for each in found if each[1] == left]
        below = float(TOP + BAND)
        for _css, x, width, y, height in column:
            assert 0 <= x < x + width <= 100
            assert y + height == pytest.approx(below, abs=0.02)
            assert y >= TOP - 0.01
            below = y


def test_a_part_twice_as_often_is_twice_as_high() -> None:
    (_kept, _x, _w, _y, once), (_refused, _x2, _w2, _y2, twice) = bars(drawn([(10, 20, 0)]))
    assert twice == pytest.approx(2 * once, abs=0.02)


def test_weeks_without_anything_leave_their_place_empty() -> None:
    (_css, first, width, *_rest), (_css2, third, *_more) = bars(drawn([(1, 0, 0), (0, 0, 0), (1, 0, 0)]))
    assert third - first > 2 * width


def test_labels_are_words_and_not_markup() -> None:
    picture = str(drawn([(1, 0, 0)]))
    assert "<b>" not in picture
    assert "week 0 &lt;b" in picture
