"""The pure parts of recall: fusion, floor, turned questions, readable words, near-duplicates."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import text
from memory.recall.collapse import Collapser
from memory.recall.fusion import Sign, above_floor, floor_of
from memory.recall.spaces import Space, space_of
from memory.recall.words import readable

number = st.floats(0, 20, allow_nan=False)
signs = st.builds(
    Sign,
    id=st.uuids(),
    kind=st.sampled_from(["fact", "decision", "postmortem", "event"]),
    bm25=number,
    coverage=st.floats(0, 1.2),
    standing=st.none() | st.floats(-5, 10),
)


@given(signs, st.floats(0.01, 5))
def test_more_of_either_half_never_lowers_a_score(sign: Sign, more: float) -> None:
    better = Sign(sign.id, sign.kind, sign.bm25, sign.coverage + more, sign.standing)
    assert better.score > sign.score
    assert Sign(sign.id, sign.kind, sign.bm25 + more, sign.coverage, sign.standing).score == sign.score
    if sign.standing is not None:
        nearer = Sign(sign.id, sign.kind, sign.bm25, sign.coverage, sign.standing + more)
        assert nearer.score > sign.score
        assert nearer.relevance > sign.relevance


@given(st.lists(signs, max_size=12, unique_by=lambda sign: sign.id), st.floats(-5, 12))
def test_the_floor_only_takes_away_and_never_the_best_without_the_rest(
    found: list[Sign], floor: float
) -> None:
    kept = above_floor(found, floor)
    assert kept == [sign for sign in found if sign in kept]  # in the order given
    seen = [sign for sign in found if sign.standing is not None]
    if any(sign in kept for sign in seen):
        assert max(seen, key=lambda sign: sign.relevance) in kept


@given(st.floats(-1, 4), st.integers(0, 10**6), st.floats(-0.8, 0.8), st.floats(0.01, 1))
def test_the_floor_rises_with_the_scope_and_falls_for_questions_about_ones_own_work(
    base: float, count: int, own: float, more: float
) -> None:
    floor = floor_of(base=base, count=count, own_work=own)
    assert floor_of(base=base, count=2 * count + 2, own_work=own) > floor
    assert floor_of(base=base, count=count, own_work=own + more) < floor


def test_a_space_whose_order_is_less_to_be_trusted_leaves_more_to_the_words() -> None:
    def order(weight: float) -> list[str]:
        near = Sign(uuid.uuid4(), coverage=0.2, standing=6.0, weight=weight)
        worded = Sign(uuid.uuid4(), coverage=0.7, standing=1.0, weight=weight)
        return ["near", "worded"] if near.score > worded.score else ["worded", "near"]

    assert order(space_of("multilingual-e5-small-q4/384").words) == ["near", "worded"]
    assert order(space_of("use-multilingual-v3/512").words) == ["worded", "near"]


def test_two_words_met_by_chance_in_a_long_question_do_not_outweigh_an_answer_in_the_other_language() -> None:
    # Of a question of ten rare words among a thousand memories: BM25 is large, the share of the question is not.
    chance = Sign(uuid.uuid4(), bm25=12.0, coverage=0.2, standing=0.5)
    answer = Sign(uuid.uuid4(), bm25=0.0, coverage=0.0, standing=3.0)
    assert answer.score > chance.score


def test_decision_and_postmortem_come_before_a_fact_of_equal_relevance_but_not_before_a_better_one() -> None:
    def of(kind: str, standing: float = 4.0) -> float:
        return Sign(uuid.uuid4(), kind, bm25=5.0, coverage=0.5, standing=standing).score

    assert of("decision") == of("postmortem") > of("fact") == of("event") == of("preference") == of("pattern")
    assert of("fact", 4.5) > of("decision")


@pytest.mark.parametrize("name", ["use-multilingual-v3/512", "multilingual-e5-small-q4/384"])
def test_a_measured_space_is_whole(name: str) -> None:
    space = space_of(name)
    dims = int(name.rpartition("/")[2])
    assert len(space.centre) == len(space.asks) == dims
    assert space.mean is not None
    assert space.deviation
    for place, direction in enumerate(space.languages):
        assert len(direction) == dims
        assert sum(x * x for x in direction) == pytest.approx(1, abs=1e-3)
        for other in space.languages[:place]:
            assert sum(a * b for a, b in zip(direction, other, strict=True)) == pytest.approx(0, abs=1e-3)


def test_turning_takes_out_what_all_texts_share_and_the_language() -> None:
    space = Space(centre=(0.0, 0.0, 0.0), languages=((0.0, 0.0, 1.0),))
    turned = space.turned([1.0, 1.0, 1.0], centroid=[1.0, 0.0, 0.0], count=20)
    assert turned == pytest.approx([1 - 0.7 / 2, 1.0, 0.0])


def test_in_an_unmeasured_space_the_scope_tells_what_stands_out() -> None:
    space = space_of("somebody's-model/3")
    many = space.standing(0.9, mean=0.5, deviation=0.1, count=10_000)
    assert many == pytest.approx(4, abs=0.05)
    assert (
        space.standing(0.9, mean=0.9, deviation=0.0, count=1) > 3
    )  # one memory is no crowd to stand out from


def test_overlapping_pairs_are_read_as_one_word() -> None:
    asked = text.terms("認証フローの期限は SAML2.0 で?", query=True)
    assert readable(asked, ["認証", "証フ", "フロ", "期限", "saml"]) == ("認証フロ", "期限", "saml")
    assert readable(asked, []) == ()


@given(st.text(max_size=60))
def test_readable_words_come_from_the_question(question: str) -> None:
    asked = list(dict.fromkeys(text.terms(question, query=True)))
    words = readable(asked, asked)
    assert len(words) <= len(asked)
    assert all(words)


def test_a_shorter_text_that_an_earlier_one_holds_repeats_it() -> None:
    told = Collapser()
    assert not told.repeats("The export runs at two in the morning. It writes parquet files.")
    assert told.repeats("The export runs at two in the morning.")
    assert told.repeats("the EXPORT runs at two in the morning")
    assert not told.repeats(
        "The export runs at two in the morning. It writes parquet files. Ask Mei if it fails."
    )


def test_other_numbers_or_a_negation_are_no_repeat() -> None:
    told = Collapser()
    assert not told.repeats("夜間バッチは Python 3.11 で動かし、結果は経理の共有フォルダに毎朝置く。")
    assert not told.repeats("夜間バッチは Python 3.12 で動かし、結果は経理の共有フォルダに毎朝置く。")
    assert not told.repeats("夜間バッチは Python 3.11 で動かし、結果は経理の共有フォルダに毎朝置かない。")
