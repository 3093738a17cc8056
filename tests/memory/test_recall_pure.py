"""The pure parts of recall: fusion, floor, turned questions, readable words, near-duplicates."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import text
from memory.recall.collapse import Collapser
from memory.recall.fusion import ACROSS, Floor, Sign, above_floor, floor_of, floor_of_words
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
    kept = above_floor(found, Floor(relevance=floor))
    assert kept == [sign for sign in found if sign in kept]  # in the order given
    seen = [sign for sign in found if sign.standing is not None]
    if any(sign in kept for sign in seen):
        assert max(seen, key=lambda sign: sign.relevance) in kept


@given(st.lists(signs, max_size=12, unique_by=lambda sign: sign.id), st.floats(-5, 12), st.floats(0, 8))
def test_the_less_the_best_stands_out_from_the_scope_the_less_comes_with_it(
    found: list[Sign], typical: float, more: float
) -> None:
    few = above_floor(found, Floor(relevance=-5.0, typical=typical + more))
    many = above_floor(found, Floor(relevance=-5.0, typical=typical))
    assert [sign for sign in many if sign in few] == few


def test_a_question_near_to_everything_gets_what_is_nearest_and_one_that_is_answered_twice_gets_both() -> (
    None
):
    def near(standing: float) -> Sign:
        return Sign(uuid.uuid4(), standing=standing)

    best, second, third = near(3.0), near(2.4), near(2.2)
    assert above_floor([best, second, third], Floor(relevance=1.0, typical=2.0)) == [best]
    assert above_floor([best, second, third], Floor(relevance=1.0, typical=-1.0)) == [best, second, third]


def test_the_mean_of_few_memories_says_little_of_what_is_typical() -> None:
    space = space_of("multilingual-e5-small-q4/384")

    def typical(count: int) -> float:
        return space.typical(likeness=0.25, mean=0.0, deviation=0.0, count=count)

    assert typical(0) == 0
    assert 0 < typical(3) < typical(50) < typical(5_000)
    assert typical(5_000) == pytest.approx(
        space.standing(0.25, mean=0.0, deviation=0.0, count=5_000), rel=0.01
    )


@given(st.floats(-1, 4), st.integers(0, 10**6), st.floats(-0.8, 0.8), st.floats(0.01, 1))
def test_the_floor_rises_with_the_scope_and_falls_for_questions_about_ones_own_work(
    base: float, count: int, own: float, more: float
) -> None:
    floor = floor_of(base=base, count=count, own_work=own)
    assert floor_of(base=base, count=2 * count + 2, own_work=own) > floor
    assert floor_of(base=base, count=count, own_work=own + more) < floor
    assert floor_of(base=base, count=count, own_work=own, typical=more) > floor


@given(signs)
def test_a_memory_in_the_other_language_is_spared_what_it_cannot_hold_but_only_where_its_meaning_was_read(
    sign: Sign,
) -> None:
    across = replace(sign, across=True)
    if sign.standing is None:
        assert (across.score, across.relevance) == (sign.score, sign.relevance)
    else:
        assert across.score - sign.score == pytest.approx(ACROSS)
        assert across.relevance - sign.relevance == pytest.approx(ACROSS)


def test_what_is_near_to_a_question_that_is_near_to_everything_is_kept_back() -> None:
    sign = Sign(uuid.uuid4(), standing=2.5)
    for typical, kept in ((0.0, [sign]), (1.5, [])):
        floor = floor_of(base=0.7, count=5, own_work=0.0, typical=typical)
        assert above_floor([sign], Floor(relevance=floor, typical=typical)) == kept


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_by_words_alone_more_has_to_be_shown_among_more(count: int, more: int) -> None:
    assert floor_of_words(0) == floor_of_words(40) <= floor_of_words(count) <= floor_of_words(count + more)
    worded = Sign(uuid.uuid4(), coverage=0.35)
    assert above_floor([worded], Floor(words=floor_of_words(40))) == [worded]
    assert above_floor([worded], Floor(words=floor_of_words(1_000))) == []


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
    assert readable(asked, ["認証", "証フ", "フロ", "期限", "saml"], "") == ("認証フロ", "期限", "saml")
    assert readable(asked, [], "") == ()


def test_a_stem_is_shown_as_the_word_that_was_asked() -> None:
    question = "Where are the Caches that we met in gen-itgc?"
    asked = text.terms(question, query=True)
    assert readable(asked, ["meet", "cach", "gen-itgc", "itgc"], question) == (
        "Caches",
        "met",
        "gen-itgc",
        "itgc",
    )


@given(st.text(max_size=60))
def test_readable_words_come_from_the_question(question: str) -> None:
    asked = list(dict.fromkeys(text.terms(question, query=True)))
    words = readable(asked, asked, question)
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
