"""Recognising what we served ourselves (pure)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import sentences
from transcripts.served import MOST_OF_FEW, Served, prints

WORDS = [
    "deploy",
    "billing",
    "release",
    "branch",
    "staging",
    "本番",
    "反映",
    "テスト",
    "確認する",
    "コード",
    "3.2",
    "never",
]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join) | st.text(max_size=200)
RULE = "The nightly export of the billing service runs at 3:15 and is kept for 14 days on the second disk."
REGEL = "夜間のバックアップは3時15分に実行し、14日間は二台目のディスクに必ず残すこと。"


def served(*served_texts: str) -> Served:
    kept = [prints(text) for text in served_texts]
    return Served(
        frozenset(print_ for each in kept for print_ in each),
        frozenset(tuple(each) for each in kept if len(each) < MOST_OF_FEW),
    )


@given(texts, texts)
def test_a_text_is_recognised_whole_among_others(text: str, other: str) -> None:
    assert served(other, text).holds(text)
    assert served(other, text).ranges(text) == [(0, len(text))]


@given(texts, texts, texts)
def test_ranges_are_whole_sentences_in_order_without_overlap(text: str, one: str, two: str) -> None:
    ranges = served(one, two).ranges(text)
    starts = {0, *(start for start, _end in sentences(text))}
    ends = {len(text), *(end for _start, end in sentences(text))}
    assert all(start in starts and end in ends for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


@given(texts)
def test_nothing_served_marks_nothing_longer_than_a_few_letters(text: str) -> None:
    nothing = Served(frozenset())
    assert not nothing
    assert not nothing.holds(text)


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (RULE, RULE.replace("3:15", "4:15")),
        (RULE, RULE.replace("14", "30")),
        (RULE, RULE.replace("runs", "never runs")),
        (RULE, RULE.replace("is kept", "is not kept")),
        (REGEL, REGEL.replace("15分", "45分")),
        (REGEL, REGEL.replace("残すこと", "残さないこと、という決まりは禁止")),
    ],
)
def test_another_number_or_a_negation_makes_it_a_correction(memory: str, said: str) -> None:
    assert served(memory).holds(memory)
    assert not served(memory).holds(said)


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (RULE, RULE.upper()),
        (RULE, f"> **{RULE}**"),
        (RULE, RULE.replace(" on the second disk", "")),
        (REGEL, REGEL.replace("、", " ")),
        (REGEL, f"- {REGEL}"),
    ],
)
def test_decoration_and_small_changes_do_not_hide_it(memory: str, said: str) -> None:
    assert served(memory).holds(said)


def test_a_short_text_counts_only_when_it_is_the_served_one() -> None:
    assert served("Use tabs.").holds("use tabs")
    assert not served("Use tabs for indentation in all Makefiles of this repository.").holds("Use tabs.")
