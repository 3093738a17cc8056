"""Two texts line by line: nothing is lost, nothing is invented, and long stretches without a change are left out."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from review.diff import Line, lines

TEXT = st.lists(st.sampled_from(["", "a", "b", "keep", "言葉"]), max_size=30).map("\n".join)


@given(TEXT, TEXT)
def test_both_texts_can_be_read_off_it(old: str, new: str) -> None:
    found = lines(old, new, context=10_000)
    if old == new:
        assert found == []
        return
    assert "\n".join(each.text for each in found if each.sign != "+") == old
    assert "\n".join(each.text for each in found if each.sign != "-") == new


@given(TEXT, TEXT)
def test_with_less_around_it_the_changes_are_the_same(old: str, new: str) -> None:
    def changes(context: int) -> list[Line]:
        return [each for each in lines(old, new, context=context) if each.sign in ("+", "-")]

    assert changes(1) == changes(10_000)


def test_what_stays_the_same_is_left_out_and_marked() -> None:
    old = "\n".join(f"line {number}" for number in range(20))
    found = lines(old, old.replace("line 10", "line ten"), context=1)
    assert [(each.sign, each.text) for each in found] == [
        ("@", ""),
        ("", "line 9"),
        ("-", "line 10"),
        ("+", "line ten"),
        ("", "line 11"),
        ("@", ""),
    ]


def test_thousands_of_blank_lines_take_no_time() -> None:
    started = time.monotonic()
    lines("\n" * 20_000, "x\n" * 10_000)
    assert time.monotonic() - started < 2
