"""The agreement's numbers on the shipped pairs: no false merge, at least 0.80 of the true repeats."""

from __future__ import annotations

import pytest

from benchmarks.dedupe import FILES, RECALL, Cosines, Pair, judge, load

TUNED, HELD_OUT = (load(path) for path in FILES)
EVERY = [*TUNED, *HELD_OUT]


@pytest.fixture(scope="module")
def use() -> Cosines:
    return Cosines("use", [text for pair in EVERY for text in (pair.a, pair.b)])


def recall(pairs: list[Pair], cosines: Cosines | None) -> float:
    repeats = [pair for pair in pairs if pair.label == "same"]
    return sum(judge(pair, cosines).relation == "same" for pair in repeats) / len(repeats)


def test_the_sets_are_large_enough_and_half_japanese() -> None:
    for pairs, least in ((TUNED, 100), (HELD_OUT, 40)):
        for label in ("same", "different"):
            chosen = [pair for pair in pairs if pair.label == label]
            assert len(chosen) >= least
            assert 0.35 < sum(pair.lang == "ja" for pair in chosen) / len(chosen) < 0.65


def test_no_two_pairs_are_alike() -> None:
    texts = [frozenset((pair.a, pair.b)) for pair in EVERY]
    assert len(set(texts)) == len(texts)


def test_no_hard_negative_is_merged_with_vectors(use: Cosines) -> None:
    merged = [(p.a, p.b) for p in EVERY if p.label == "different" and judge(p, use).relation == "same"]
    assert merged == []


def test_no_hard_negative_is_merged_by_words_alone() -> None:
    merged = [(p.a, p.b) for p in EVERY if p.label == "different" and judge(p, None).relation == "same"]
    assert merged == []


@pytest.mark.parametrize("pairs", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_four_of_five_repeats_are_recognised_with_vectors(pairs: list[Pair], use: Cosines) -> None:
    assert recall(pairs, use) >= RECALL


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_neither_language_is_left_behind(lang: str, use: Cosines) -> None:
    assert recall([pair for pair in EVERY if pair.lang == lang], use) >= RECALL


def test_most_repeats_are_recognised_by_words_alone() -> None:
    assert recall(EVERY, None) >= RECALL


def test_a_translation_needs_a_model_to_confirm_it(use: Cosines) -> None:
    pair = next(p for p in EVERY if p.kind == "cross" and p.label == "same")
    assert judge(pair, use).relation == "same"
    assert judge(pair, None).relation == "similar"
