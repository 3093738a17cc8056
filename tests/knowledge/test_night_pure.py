"""What the night thinks about notes and summaries, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import language, tokens
from knowledge.night import answers, phrases
from knowledge.night.asking import recurring
from knowledge.night.drafting import draft
from knowledge.night.material import Asked, Drafted, Held, Piece
from knowledge.night.reusing import reusable
from knowledge.night.summarising import Line, digest, refresh, without
from knowledge.night.topics import topics
from knowledge.night.updating import belonging, change
from knowledge.night.words import ascii_word, keys
from knowledge.notes import slugs
from knowledge.notes.fields import Note, flaws

DAY = datetime(2026, 3, 1, tzinfo=UTC)
SAID = (
    ("pattern", "Tag the release before every deploy to production."),
    ("decision", "Deploys to production happen from the main branch only."),
    ("postmortem", "A deploy failed because the migrations ran too late; migrate first."),
    ("pattern", "請求書のPDFを変更したら、サンプルを3件目視で確認する。"),
    ("decision", "請求書のPDFはWeasyPrintで作る。"),
    ("fact", "The office plant is called Fern."),
)


def piece(kind: str, text: str, number: int = 0) -> Piece:
    return Piece("memory", f"m{number}", 1, kind, text, language(text), DAY + timedelta(days=number))


def asked(text: str, number: int) -> Asked:
    return Asked(f"r{number}", f"s{number}", text, language(text), DAY + timedelta(days=number))


PIECES = [piece(kind, text, number) for number, (kind, text) in enumerate(SAID)]
ALL = frozenset(each.id for each in PIECES)


def made(pieces: Sequence[Piece] = PIECES, requests: Sequence[Asked] = ()) -> list[Drafted]:
    found: list[Drafted] = []
    taken: set[str] = set()
    for topic in topics(pieces, free=frozenset(each.id for each in pieces), recurring=recurring(requests)):
        found.append(draft(topic, taken=taken))
        taken.add(found[-1].slug)
    return found


def test_both_languages_share_their_subjects() -> None:
    assert keys("ステージングへのデプロイ") == keys("deploys to staging")
    assert [ascii_word(key) for key in ("invoice", "order_thing", "返品")] == ["invoice", "order", ""]


def test_what_belongs_together_becomes_a_note_in_its_own_language() -> None:
    english, japanese = made()
    assert {each.id for each in english.pieces} == {"m0", "m1", "m2"}
    assert (english.language, english.slug) == ("en", "deploy-production")
    assert "Read it before you work on" in english.description
    assert (japanese.language, japanese.slug) == ("ja", "invoice-pdf")
    assert "作業の前に読む。" in japanese.description
    assert all(f"- {piece.text}" in english.body for piece in english.pieces)


def test_titles_read_like_titles_in_both_languages() -> None:
    english, japanese = made()
    assert english.title == "Deploy to production: rules and decisions"
    assert japanese.title == "請求書のPDFのルールと決定事項"
    assert english.description.startswith("Rules, decisions and lessons about deploy to production. ")
    lone = [piece("fact", "Loki keeps logs for 30 days."), piece("fact", "Loki log lines are JSON.", 1)]
    more = [*lone, piece("fact", "Loki queries time out after a minute.", 2)]
    more.append(piece("fact", "Loki runs beside the collector.", 3))
    assert [each.title for each in made(more)] == ["Loki: good to know"]


@pytest.mark.parametrize(
    ("question", "answer", "spoken", "title"),
    [
        (
            "Which model should write the tests?",
            "Sonnet",
            "en",
            "Usual choice: which model should write the tests",
        ),
        ("依存の更新はどう進めますか？", "一つずつ", "ja", "いつもの選択：依存の更新はどう進めますか"),
    ],
)
def test_a_usual_choice_is_called_after_its_question_and_counts_as_no_memory(
    question: str, answer: str, spoken: str, title: str
) -> None:
    habit = Piece("point", "p1", 1, "habit", phrases.habit(question, answer, spoken), spoken, DAY)
    (found,) = made([habit])
    assert found.title == title
    last = found.body.split("\n")[-1]
    assert phrases.MADE_FROM.match(last)
    assert "1" not in last


def test_a_lone_fact_is_no_note_and_an_event_never_is() -> None:
    alone = [piece("fact", "The office plant is called Fern.")]
    over = [piece("event", f"Release {n} went out.", n) for n in range(5)]
    assert made(alone) == []
    assert made(over) == []


def test_what_is_asked_for_again_and_again_says_when_to_read() -> None:
    requests = [
        asked(text, n)
        for n, text in enumerate(
            ["Please deploy to production", "deploy to production!", "deploy production now"]
        )
    ]
    first = made(requests=requests)[0]
    assert "“deploy to production”" in first.description
    assert first.confidence > made()[0].confidence
    assert not recurring(requests[:2])
    talk = [Asked(each.id, "one session", each.summary, "en", each.at) for each in requests]
    assert not recurring(talk)


def test_a_slug_is_free_and_ascii_even_where_no_word_is() -> None:
    title = "返品の手順"
    assert slugs.problem(slugs.suggest(title, ())) == ""
    assert made()[0].slug == "deploy-production"
    topic = next(topics(PIECES, free=ALL))
    assert draft(topic, taken={"deploy-production"}).slug == "deploy-production-2"


_texts = st.text(
    alphabet=st.sampled_from("deploy staging 本番 デプロイ 請求書 test logs. 。#-*\n 3.11"),
    min_size=3,
    max_size=120,
)
_kinds = st.sampled_from(["pattern", "decision", "postmortem", "fact", "preference", "event"])
_pieces = st.lists(st.tuples(_kinds, _texts), max_size=12).map(
    lambda said: [piece(kind, reusable(text), n) for n, (kind, text) in enumerate(said)]
)


@given(_pieces)
def test_every_draft_can_be_saved_and_each_piece_stands_in_one_at_most(pieces: list[Piece]) -> None:
    found = made(pieces)
    for each in found:
        assert flaws(Note(each.title, each.slug, each.description, each.body)) == []
        assert 0 <= each.confidence <= 1
    used = [piece.id for each in found for piece in each.pieces]
    assert len(used) == len(set(used))
    assert found == made(pieces)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("From now on, tag the release.", "Tag the release."),
        ("We decided to deploy from main.", "Deploy from main."),
        ("We decided to be careful.", "We decided to be careful."),
        ("Never deploy on Friday.", "Never deploy on Friday."),
        ("請求書はWeasyPrintで作ることに決めた。", "請求書はWeasyPrintで作る。"),
        ("番号は連番で振るルールにしている。", "番号は連番で振る。"),
        ("今後はnpmを使わないことにする。", "npmを使わない。"),
        ("Right. Images are served from the bucket.", "Images are served from the bucket."),
        ("actually no, scratch that. plain context does for one cart", "plain context does for one cart"),
        ("やっぱりか。送信前にロックを取る。", "送信前にロックを取る。"),
        ("No floats in prices.", "No floats in prices."),
    ],
)
def test_the_frame_of_the_moment_goes_and_what_holds_stays(said: str, kept: str) -> None:
    assert reusable(said) == kept


@given(_texts)
def test_a_sentence_that_can_be_used_again_stays_as_it_is(text: str) -> None:
    once = reusable(text)
    assert reusable(once) == once


class TestChanges:
    NOTE = Held(
        "n",
        1,
        "Deploying",
        "deploying",
        "How to deploy to production; read it before you do.",
        "Typed by hand.\n\n## Rules and steps\n\n- Deploys run from trunk.\n\n"
        "_Made from 1 approved memory, 2026-03-01._",
        frozenset({"old"}),
    )

    def test_new_pieces_go_to_the_note_that_they_belong_to(self) -> None:
        found = belonging([self.NOTE], [PIECES[0], PIECES[4]], ALL)
        assert {note: [each.id for each in found[note]] for note in found} == {"n": ["m0"]}
        assert not belonging([self.NOTE], [PIECES[0]], frozenset())

    def test_only_lines_come_and_go(self) -> None:
        changed = change(
            self.NOTE,
            added=[PIECES[0], PIECES[2]],
            gone={"Deploys run from trunk.": "Deploys run from main."},
            language="en",
        )
        assert changed is not None
        assert changed.body == (
            "Typed by hand.\n\n## Rules and steps\n\n- Deploys run from main.\n"
            "- Tag the release before every deploy to production.\n\n## Lessons learned\n\n"
            "- A deploy failed because the migrations ran too late; migrate first.\n\n"
            "_Made from 1 approved memory, 2026-03-01._"
        )
        assert changed.description.startswith(self.NOTE.description)

    def test_what_was_wrong_leaves_without_a_trace(self) -> None:
        changed = change(self.NOTE, added=[], gone={"Deploys run from trunk.": ""}, language="en")
        assert changed is not None
        assert "trunk" not in changed.body
        assert "Typed by hand." in changed.body

    def test_nothing_new_changes_nothing(self) -> None:
        assert change(self.NOTE, added=[], gone={}, language="en") is None
        assert change(self.NOTE, added=[], gone={"Something else.": "x"}, language="en") is None


class TestSummary:
    def write(self, body: str, lines: Sequence[Line] = (), pieces: Sequence[Piece] = PIECES):  # type: ignore[no-untyped-def]
        return refresh(body, lines=lines, pieces=pieces, budget=400, characters=2_000, language="en")

    def test_holds_what_was_approved_and_is_then_at_rest(self) -> None:
        first = self.write("")
        assert all(f"- {each.text}" in first.body for each in PIECES)
        assert self.write(first.body, first.lines) is None

    def test_one_thing_that_is_a_fact_and_a_decision_takes_one_line(self) -> None:
        told = (
            ("fact", "消費税の端数は明細ごとではなく、請求書の合計で一回だけ切り捨てる（インボイス制度）。"),
            (
                "decision",
                "端数は明細ごとじゃなく請求書の合計で一回だけ切り捨てる。インボイス制度の決まりなので",
            ),
        )
        pieces = [piece(kind, text, number) for number, (kind, text) in enumerate(told)]
        found = self.write("", pieces=pieces)
        assert found.body.count("インボイス") == 1
        assert self.write(found.body, found.lines, pieces) is None
        shorter = "- Every image slot is 4:3."
        assert self.write(shorter, pieces=[piece("fact", "every image slot in the shop is 4:3.")]) is None
        other = self.write(shorter, pieces=[piece("fact", "every image slot in the shop is 16:9.")])
        assert "16:9" in other.body
        apart = [piece("fact", f"Deploys of the shop front need {n} green checks.", n) for n in (2, 3)]
        assert self.write("", pieces=apart).body.count("green checks") == 2

    def test_a_persons_lines_stay_where_they_are(self) -> None:
        first = self.write("")
        mine = first.body.replace("- Tag the release", "Read this first.\n\n- Tag the release")
        newer = piece("pattern", "Watch the logs after a deploy.", 9)
        second = self.write(mine, first.lines, [*PIECES, newer])
        assert "Read this first." in second.body
        assert f"- {newer.text}" in second.body
        without_new = [line for line in second.body.split("\n") if line != f"- {newer.text}"]
        assert without_new == mine.split("\n")

    def test_a_line_that_a_person_took_out_does_not_come_back(self) -> None:
        first = self.write("")
        shorter = "\n".join(line for line in first.body.split("\n") if "Fern" not in line)
        newer = piece("pattern", "Watch the logs after a deploy.", 9)
        second = self.write(shorter, first.lines, [*PIECES, newer])
        assert newer.text in second.body
        assert "Fern" not in second.body

    def test_what_is_no_longer_true_goes(self) -> None:
        first = self.write("")
        second = self.write(first.body, first.lines, PIECES[1:])
        assert PIECES[0].text not in second.body
        assert (second.added, second.removed) == (0, 1)

    @given(_pieces, st.integers(20, 300))
    def test_never_costs_more_than_allowed_and_comes_to_rest(self, pieces: list[Piece], budget: int) -> None:
        first = refresh("", lines=(), pieces=pieces, budget=budget, characters=600, language="ja")
        if first is None:
            return
        assert tokens(first.body) <= budget
        assert len(first.body) <= 600
        assert (
            refresh(
                first.body, lines=first.lines, pieces=pieces, budget=budget, characters=600, language="ja"
            )
            is None
        )

    def test_a_deleted_memorys_line_can_be_taken_out_of_any_text(self) -> None:
        first = self.write("")
        left = without(first.body, {digest(PIECES[5].text): None})
        assert "Fern" not in left
        assert PIECES[0].text in left


class TestModelsWords:
    DRAFT = made()[0]

    def answer(self, **changed: object) -> answers.NoteAnswer:
        good: dict[str, object] = {
            "title": "Deploying to production",
            "description": "Order of a deploy. Read it before you deploy to production.",
            "body": "1. Run the migrations first: a deploy failed because they ran too late.\n"
            "2. Tag the release.\n3. Deploy to production from the main branch only.",
            "used": [1, 2, 3],
        }
        return answers.NoteAnswer.model_validate(good | changed)

    def test_a_founded_answer_is_taken(self) -> None:
        assert answers.problem(self.answer(), self.DRAFT) == ""
        assert answers.used(self.answer(used=[2, 3]), self.DRAFT) == self.DRAFT.pieces[1:]

    @pytest.mark.parametrize(
        "changed",
        [
            {"title": ""},
            {"title": "two\nlines"},
            {"body": ""},
            {"body": "x" * 8_001},
            {"description": "All about deploys."},
            {
                "description": "本番へのデプロイの手順。デプロイの前に読む。",
                "body": "- 先にマイグレーションを実行する。",
            },
            {"used": []},
            {"used": [1, 2, 9]},
            {"used": [3]},
            {"body": "Ask the platform team about everything.", "used": [1, 2, 3]},
            {
                "body": "Tag release 4.2 before a deploy to production from main. Migrate first: late ones failed."
            },
            {
                "body": "Run `rm -rf`, then deploy to production; tag the release. Main only. Late migrations failed."
            },
        ],
    )
    def test_anything_else_is_dropped_whole(self, changed: dict[str, object]) -> None:
        assert answers.problem(self.answer(**changed), self.DRAFT) != ""

    def test_the_question_names_each_source_within_the_cap(self) -> None:
        said = answers.question(self.DRAFT, cap=10_000)
        assert "[3] lesson: A deploy failed" in said
        assert len(answers.question(self.DRAFT, cap=150)) <= 150


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Please deploy it again.", "deploy it"),
        ("could you run the tests now", "run the tests"),
        ("直してください。", "直してください"),
    ],
)
def test_an_order_is_quoted_without_its_courtesies(said: str, order: str) -> None:
    assert phrases.order(said) == order
