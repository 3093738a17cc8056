"""Pictures of what notes cost and earn: right heights and widths, nothing outside, words escaped."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.plots.cost import BAND, TOP, Cost, costs, round_up
from review.plots.drawing import Drawing, Said
from review.plots.earning import ROOM, Earning, earnings

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
START = NOW - timedelta(days=90)
SAID = Said("k", "What sessions started with", "Two sessions.")
counts = st.integers(0, 100_000)


def cost(tokens: list[int], limit: int = 5_000) -> Drawing:
    step = timedelta(days=90) / max(1, len(tokens))
    return costs(
        SAID,
        heading="tokens",
        sessions=[Cost(START + step * n, each, f"{each} <b>") for n, each in enumerate(tokens)],
        limit=limit,
        limit_said="limit",
        ticks=[(NOW, "today")],
        start=START,
        end=NOW,
    )


def dots(drawing: Drawing) -> list[Tree.Element]:
    return [each for each in Tree.fromstring(str(drawing)).iter() if each.tag == "circle"]


def bars(drawing: Drawing, css: str) -> list[Tree.Element]:
    return [each for each in Tree.fromstring(str(drawing)).iter() if each.get("class") == css]


def percent(value: str | None) -> float:
    assert value is not None
    return float(value.removesuffix("%"))


@given(st.lists(counts, min_size=1, max_size=40))
def test_each_session_is_a_dot_at_its_height_inside_the_picture(tokens: list[int]) -> None:
    found = dots(cost(tokens))
    assert len(found) == len(tokens)
    heights = [float(each.get("cy") or -1) for each in found]
    assert all(TOP - 0.01 <= y <= TOP + BAND + 0.01 for y in heights)
    for (a, y), (b, z) in zip(
        zip(tokens, heights, strict=True), zip(tokens[1:], heights[1:], strict=True), strict=False
    ):
        assert (a <= b) == (y >= z - 0.011) or abs(y - z) <= 0.011
    assert all(0 <= percent(each.get("cx")) <= 100 for each in found)


@given(counts)
def test_the_scale_is_a_round_number_not_far_above_the_most(most: int) -> None:
    top = round_up(most)
    assert most <= top <= max(10, 2.5 * most)
    assert str(top).rstrip("0") in ("1", "2", "5")


def test_the_limit_is_drawn_only_where_it_lies_inside() -> None:
    assert not bars(cost([100, 200]), "ideal")
    assert len(bars(cost([4_000, 6_000]), "ideal")) == 1


def test_words_of_dots_are_escaped() -> None:
    assert "<b>" not in cost([1])
    assert "&lt;b&gt;" in cost([1])


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=20))
def test_bars_of_uses_lie_in_those_of_exposures_on_one_scale(numbers: list[tuple[int, int]]) -> None:
    drawing = earnings(SAID, notes=[Earning(f"#n-{i}", a, b, "x") for i, (a, b) in enumerate(numbers)])
    widest = max(
        (percent(each.get("width")) for each in [*bars(drawing, "shown"), *bars(drawing, "used")]), default=0
    )
    most = max(max(pair) for pair in numbers)
    assert widest == (pytest.approx(ROOM, abs=0.02) if most else 0)
    assert len(bars(drawing, "shown")) == sum(shown > 0 for shown, _used in numbers)
    assert len(bars(drawing, "used")) == sum(used > 0 for _shown, used in numbers)


def test_both_name_themselves_and_carry_no_styles() -> None:
    for picture in (cost([1, 2]), earnings(SAID, notes=[Earning("#a", 1, 1, "1 of 1")])):
        root = Tree.fromstring(str(picture))
        assert root.get("role") == "img"
        assert root.findtext("title") == SAID.title
        assert root.findtext("desc") == SAID.description
        assert not [each for each in root.iter() if each.get("style")]


def test_the_numbers_of_a_lane_end_where_the_picture_ends() -> None:
    """Behind the longest bar they would run out of it on a phone, in a language with longer words."""
    root = Tree.fromstring(str(earnings(SAID, notes=[Earning("#a", 100, 3, "3 of 100")])))
    (numbers,) = (each for each in root.iter() if each.text == "3 of 100")
    assert (numbers.get("x"), numbers.get("text-anchor")) == ("100%", "end")
