"""Whether a habit can ever be "well known" at the pace at which its question comes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from review.pace import LEAST, Pace, too_slow

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)


def every(days: float, count: int) -> list[datetime]:
    return [NOW - timedelta(days=days * number) for number in range(count)]


def slow(moments: list[datetime]) -> Pace | None:
    return too_slow(moments, now=NOW, keep_days=90, needed=20)


def test_one_answer_a_week_makes_thirteen_in_ninety_days() -> None:
    assert slow(every(7, 10)) == Pace(days=7, most=13, needed=20)


def test_a_daily_question_is_fast_enough() -> None:
    assert slow(every(1, 30)) is None


def test_a_few_answers_are_no_rhythm() -> None:
    assert slow(every(7, LEAST - 1)) is None


def test_bursts_say_nothing_about_the_weeks() -> None:
    assert slow(every(0.01, 40)) is None


@given(st.floats(1, 60), st.integers(LEAST, 60))
def test_what_it_says_fits_is_what_fits(days: float, count: int) -> None:
    found = slow(every(days, count))
    fitting = sum(1 for moment in every(days, 200) if NOW - moment < timedelta(days=90))
    assert (found is None) == (fitting > 20)
    assert found is None or found.most == fitting


@given(st.lists(st.floats(0, 400), max_size=30))
def test_the_order_of_the_log_does_not_matter(ages: list[float]) -> None:
    moments = [NOW - timedelta(days=age) for age in ages]
    shuffled = sorted(moments)
    assert slow(moments) == slow(shuffled)
