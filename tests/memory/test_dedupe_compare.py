"""Properties of the judgement, and the reasons it gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.dedupe import FILES, load
from memory.dedupe import calibrate, compare, features

SENTENCES = sorted({text for path in FILES for pair in load(path) for text in (pair.a, pair.b)})
WITH_NUMBERS = [text for text in SENTENCES if re.search(r"(?<![\w.])\d+(?![\w.])", text) and text.isascii()]
sentences = st.sampled_from(SENTENCES)
similarities = st.none() | st.floats(0, 1)


def relation(a: str, b: str, cosine: float | None = 0.9) -> str:
    return compare(features(a), features(b), cosine=cosine).relation


@given(sentences | st.text(max_size=80), sentences | st.text(max_size=80), similarities)
def test_the_order_of_the_two_texts_does_not_matter(a: str, b: str, cosine: float | None) -> None:
    one, other = (compare(features(x), features(y), cosine=cosine) for x, y in ((a, b), (b, a)))
    assert one.relation == other.relation
    assert one.score == pytest.approx(other.score)


@given(sentences | st.text(min_size=1, max_size=80).filter(str.isalnum), similarities)
def test_a_text_repeats_itself_whatever_a_model_says(text: str, cosine: float | None) -> None:
    assert relation(text, text, cosine) == "same"


@given(sentences, sentences, similarities)
def test_every_verdict_gives_a_reason_and_a_score_from_0_to_1(a: str, b: str, cosine: float | None) -> None:
    verdict = compare(features(a), features(b), cosine=cosine)
    assert verdict.reasons
    assert 0 <= verdict.score <= 1


@given(st.sampled_from(WITH_NUMBERS), st.integers(1, 99_999), similarities)
def test_a_changed_number_is_never_the_same(text: str, number: int, cosine: float | None) -> None:
    found = re.search(r"(?<![\w.])\d+(?![\w.])", text)
    assert found is not None
    other = text[: found.start()] + str(int(found.group()) + number) + text[found.end() :]
    assert relation(text, other, cosine) != "same"


@given(sentences, st.floats(0, 1))
def test_a_cosine_alone_never_merges(text: str, cosine: float) -> None:
    stranger = "Zyxgloop quambles vortn"
    assert relation(text, stranger, cosine) != "same"


@given(st.text(max_size=300))
def test_any_text_can_be_compiled(text: str) -> None:
    assert features(text) == features(text)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("Use Python 3.11", "Use Python 3.12", "other number: 3.11 / 3.12"),
        ("金曜日にデプロイする", "金曜日にデプロイしない", "denied on one side only"),
        ("Deploy to staging", "Deploy to production", "other environment: staging / production"),
        ("Enable caching", "Disable caching", "opposite: enable / disable"),
        ("Use npm instead of pnpm", "Use pnpm instead of npm", "rejected on one side, chosen on the other"),
        ("Run tests before deploying", "Run tests after deploying", "before / after"),
        ("田中さんが佐藤さんを呼ぶ", "佐藤さんが田中さんを呼ぶ", "roles changed"),
        ("Settings live in a.yaml", "Settings live in b.yaml", "other identifier: a.yaml / b.yaml"),
    ],
)
def test_a_contradiction_is_a_conflict_with_its_reason(a: str, b: str, reason: str) -> None:
    verdict = compare(features(a), features(b), cosine=0.95)
    assert verdict.relation == "conflict"
    assert any(reason in given_reason for given_reason in verdict.reasons)


def test_one_choice_told_four_ways_is_one_memory() -> None:
    told = ["Use pnpm instead of npm", "pnpm, not npm", "Don't use npm; use pnpm", "npm ではなく pnpm を使う"]
    assert {relation(a, b) for a in told for b in told} == {"same"}


def test_unrelated_texts_are_different() -> None:
    assert relation("Deploys happen on Tuesday", "The user prefers tabs", 0.1) == "different"


def test_a_narrower_rule_is_similar_and_not_the_same() -> None:
    assert relation("Use tabs for indentation", "Use tabs for indentation in Go files", 0.95) == "similar"


@pytest.mark.parametrize("space", ["use-multilingual-v3/512", "multilingual-e5-small-q4/384", "someone/1536"])
def test_calibration_is_monotone_from_0_to_1(space: str) -> None:
    values = [calibrate(step / 200, space) for step in range(-200, 201)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)
