"""Reactions, answers and moments: what the rules extractor makes of them, and how the text reads."""

from __future__ import annotations

import pytest

from memory.extractors.rules import judge, meaning
from memory.extractors.rules.content import tidy
from memory.extractors.rules.features import cues
from memory.extractors.rules.options import alternatives, echoed_option
from memory.extractors.rules.segment import units
from memory.extractors.rules.voice import own_pieces
from tests.memory.rules_talk import said, told


def heard_as(text: str) -> frozenset[str]:
    return frozenset().union(*(cues(unit) for unit in units(text, own_pieces(text))))


@pytest.mark.parametrize(
    ("agent", "person", "key"),
    [
        ("Wonderful idea! Let me explain at length.", "skip the praise, it slows me down", "praise"),
        ("三つの表にまとめました。", "表ばかりだと頭に入らないんだよね。文章でもらえると助かる", "文章"),
        ("I answered in metric units.", "i grew up with inches, please answer in those", "inches"),
    ],
)
def test_a_reaction_to_how_the_agent_serves_is_a_wish_of_the_person(
    agent: str, person: str, key: str
) -> None:
    (proposal,) = told(("agent", agent), ("human", person))
    assert (proposal.kind, proposal.scope) == ("preference", "persona")
    assert key in proposal.content


@pytest.mark.parametrize(
    "text",
    [
        "printer is jammed again, ten people ahead of me",
        "本日は棚卸しのため、午後は返信できません",
        "for tonight use the old lamps, we go back to the new ones tomorrow",
        "can you go through every shelf in the list and mark the empty ones",
        "no borders in the example, this is for the slides",
        "今度の展示のやつだけでいいので、題名を全部ひらがなにしてください",
    ],
)
def test_a_moment_or_a_single_task_is_left_alone(text: str) -> None:
    assert said(text) == ()


@pytest.mark.parametrize(
    "answer",
    [
        "i was only describing how the old one worked, that's all",
        "やめたいわけではなく、遅い理由が知りたいという意味です",
    ],
)
def test_clearing_up_a_misreading_states_nothing(answer: str) -> None:
    assert told(("agent", "Since you want it gone, I removed the exporter."), ("human", answer)) == ()


@pytest.mark.parametrize(
    ("question", "answer", "chosen"),
    [
        ("Lamp data: one file per lamp, or one file per day?", "per lamp", "one file per lamp"),
        ("記録は「毎時」と「毎分」のどちらにしますか。", "後者で", "毎分"),
        ("記録はJSONかYAMLのどちらにしますか", "yamlで", "YAML"),
        ("Should we either refuse late forms or take them with a fee?", "the latter", "take them with a fee"),
    ],
)
def test_an_answer_picks_an_unlabelled_alternative(question: str, answer: str, chosen: str) -> None:
    option = echoed_option(answer, question)
    assert option is not None
    assert option.text == chosen
    assert question[option.start : option.end] == chosen


def test_a_sentence_without_alternatives_offers_none() -> None:
    assert alternatives("I moved the lamps to the second floor.") == []


def test_an_adopted_proposal_does_not_end_in_a_question() -> None:
    (proposal,) = told(
        ("agent", "ログの先頭に種を書くようにすると再現できます。全ケースこの方式にしますか？"),
        ("human", "はい、そうしてください。再現できないと困るので"),
    )
    assert "種" in proposal.content
    assert not proposal.content.endswith(("か", "？", "?"))


def test_the_last_word_after_the_agent_acted_replaces_the_first() -> None:
    proposals = told(
        ("human", "貸出期間は14日に統一します"),
        ("agent", "14日にしました。"),
        ("human", "運営会議で変わりました、貸出期間は21日で統一します。延長の手間が多いので"),
    )
    assert ["21日" in p.content for p in proposals] == [True]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("right. the tide table is in local time", "the tide table is in local time"),
        ("ugh, ok so the tide table is in local time", "the tide table is in local time"),
        ("うん、潮汐表は現地時間で書かれている", "潮汐表は現地時間で書かれている"),
        ("あ、ちなみに潮汐表は現地時間で書かれている🙏", "潮汐表は現地時間で書かれている"),
        ("memo for you: the tide table is in local time", "the tide table is in local time"),
        ("the tide table is in local time. ok, print it please", "the tide table is in local time."),
    ],
)
def test_fillers_and_tasks_around_a_statement_are_cut(raw: str, clean: str) -> None:
    assert tidy(raw) == clean


def test_a_refusal_keeps_its_no() -> None:
    (proposal,) = said("from now on no carousels on any page, a plain grid everywhere")
    assert "no carousels" in proposal.content


def test_a_want_that_gives_the_reason_of_a_choice_is_about_the_project() -> None:
    (proposal,) = said("we decided to let the bank host the form because i don't want card data on our disks")
    assert (proposal.kind, proposal.scope) == ("decision", "workspace")


def test_japanese_polite_verbs_are_not_the_word_now() -> None:
    assert "momentary" not in heard_as("書庫は地下にございます。鍵は受付が持っています。")


def test_a_request_in_question_form_is_not_a_question() -> None:
    assert "question" not in heard_as("反映する前に見せてもらえますか、毎回戻すのがつらいです")


class Counting:
    """Stands in for the sentence model and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[0.1] * len(meaning.directions()[meaning.KEPT]) for _ in texts]


def test_only_what_grammar_leaves_open_is_embedded_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Counting()
    monkeypatch.setattr(meaning, "_model", lambda: model)
    monkeypatch.setattr(meaning, "_known", {})
    clear = [(frozenset({"question"}), "vetoed"), (frozenset({"bare_order", "order", "short"}), "an order")]
    middle = next(
        frozenset({name})
        for name in judge.weights()[0].by_name
        if judge.CLEARLY_QUIET < judge.weights()[0].grammar(frozenset({name})) < judge.CLEARLY_KEPT
        and not judge.vetoed(frozenset({name}))
    )
    judge.probabilities([*clear, (middle, "open"), (middle, "open")])
    judge.probabilities([(middle, "open")])
    assert model.asked == ["open"]
