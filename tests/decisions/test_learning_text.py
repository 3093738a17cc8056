"""Labels, answers, templates, categories and danger (design section 5, "Readings")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decisions.learning import (
    CATEGORIES,
    OTHER,
    categorise,
    is_sensitive,
    labels_clash,
    likeness,
    marked_default,
    match_answer,
    normalise_label,
    option_key,
    template_of,
)
from decisions.learning.types import OptionIn, Question


def asked(text: str, *labels: str, header: str = "", description: str = "") -> Question:
    return Question(
        text, tuple(OptionIn(label, description) for label in labels or ("yes", "no")), header=header
    )


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("Tier M (Recommended)", "Tier M"),
        ("Tier M（推奨）", "Tier M"),
        ("Tier M (推奨) — 直近の選択 60% に基づく", "Tier M"),
        ("【おすすめ】Tier M", "Tier M"),
        ("Tier M（お勧め）", "Tier M"),
        ("［推薦］ Tier M [RECOMMENDED]", "Tier M"),
        ("(권장) Tier M", "Tier M"),
        ("Tier M 〔추천〕", "Tier M"),
        ("Tier M (推荐) fast", "Tier M"),
        ("Ｔｉｅｒ　Ｍ", "Tier M"),
        ("Recommended settings", "Recommended settings"),
        ("推奨設定", "推奨設定"),
        ("Keep (fast)", "Keep (fast)"),
        ("(Recommended)", "(Recommended)"),
    ],
)
def test_only_bracketed_markers_leave_a_label(label: str, plain: str) -> None:
    assert normalise_label(label) == plain


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(label: str) -> None:
    once = normalise_label(label)
    assert normalise_label(once) == once
    assert bool(once) == bool(" ".join(label.split()))


words = st.text("abcxyz日本語 ,", min_size=1, max_size=8).filter(lambda s: option_key(s) != "")


@given(words, st.sampled_from(["{} (Recommended)", "（推奨）{}", "{} [おすすめ] because", "  {}"]))
def test_a_marker_never_changes_which_option_it_is(label: str, form: str) -> None:
    label = label.strip(" ,")
    if label:
        assert option_key(form.format(label)) == option_key(label)


OPTIONS = [OptionIn("Tests, lint"), OptionIn("Tests"), OptionIn("Docs (Recommended)"), OptionIn("配布、公開")]


@pytest.mark.parametrize(
    ("answer", "chosen", "other"),
    [
        ("Tests, lint", ("tests, lint",), ""),
        ("Tests, Docs", ("tests", "docs"), ""),
        ("Tests, Tests, lint", ("tests", "tests, lint"), ""),
        ("Docs (Recommended), 配布、公開", ("docs", "配布、公開"), ""),
        (["Tests, lint", "Docs"], ("tests, lint", "docs"), ""),
        ("Tests, and my own idea, really", ("tests", OTHER), "and my own idea, really"),
        ("Something Else", (OTHER,), "Something Else"),
        ("", (), ""),
        ([], (), ""),
    ],
)
def test_several_answers_are_read_longest_label_first(
    answer: str | list[str], chosen: tuple[str, ...], other: str
) -> None:
    told = match_answer(answer, OPTIONS, multi=True)
    assert (told.chosen, told.other) == (chosen, other)


@pytest.mark.parametrize(
    ("labels", "answer", "chosen", "other"),
    [
        (("A", "A, B", "B, C"), "A, B, C", ("a", "b, c"), ""),
        (("A, B", "B, C", "C, D", "A"), "A, B, C, D", ("a, b", "c, d"), ""),
        (("A", "A, B", "B, C"), "A, B, and more", ("a, b", OTHER), "and more"),
        (("テスト", "テスト、確認", "確認,公開"), "テスト, 確認,公開", ("テスト", "確認,公開"), ""),
    ],
)
def test_labels_that_share_words_are_read_so_that_nothing_is_left(
    labels: tuple[str, ...], answer: str, chosen: tuple[str, ...], other: str
) -> None:
    told = match_answer(answer, [OptionIn(label) for label in labels], multi=True)
    assert (told.chosen, told.other) == (chosen, other)


@given(
    st.lists(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(", ".join),
        min_size=2,
        max_size=5,
        unique=True,
    ),
    st.data(),
)
def test_no_answer_made_of_labels_leaves_anything_over(labels: list[str], data: st.DataObject) -> None:
    picked = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=4, unique=True))
    told = match_answer(", ".join(picked), [OptionIn(label) for label in labels], multi=True)
    assert told.other == ""
    assert OTHER not in told.chosen


def test_a_lone_answer_is_a_label_or_other_and_never_guessed() -> None:
    assert match_answer("docs", OPTIONS).chosen == ("docs",)
    assert match_answer("Docs（推奨）", OPTIONS).chosen == ("docs",)
    assert match_answer("Doc", OPTIONS).chosen == (OTHER,)
    assert match_answer("Tests, Docs", OPTIONS).chosen == (OTHER,)


def test_what_we_displayed_is_matched_as_well() -> None:
    shown = {"Docs — what you usually pick": "docs", "Gone — of another question": "gone"}
    assert match_answer("Docs — what you usually pick", OPTIONS, displays=shown).chosen == ("docs",)
    assert match_answer("Gone — of another question", OPTIONS, displays=shown).chosen == (OTHER,)


plain = st.lists(st.text("abc日本, ", min_size=1, max_size=6), min_size=1, max_size=4).map(
    lambda labels: [label.strip(" ,") for label in labels]
)


@given(plain, st.data())
def test_joined_labels_are_found_again(labels: list[str], data: st.DataObject) -> None:
    labels = list(dict.fromkeys(label for label in labels if option_key(label)))
    if not labels or any("," in label for label in labels):
        return
    picked = data.draw(st.lists(st.sampled_from(labels), min_size=1, unique_by=option_key))
    told = match_answer(", ".join(picked), [OptionIn(label) for label in labels], multi=True)
    assert told.chosen == tuple(option_key(label) for label in picked)
    assert told.other == ""


def test_equal_labels_clash_and_the_askers_default_is_found() -> None:
    assert labels_clash(asked("?", "Keep", "ｋｅｅｐ (Recommended)"))
    assert not labels_clash(asked("?", "Keep", "Drop"))
    assert marked_default(asked("?", "A", "B（推奨）")) == "b"
    assert marked_default(asked("?", "A", "B")) is None
    assert marked_default(Question("?", (OptionIn("A"), OptionIn("B")), default="a")) == "a"
    assert marked_default(Question("?", (OptionIn("A"), OptionIn("B")), default="C")) is None


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Which tier for SPEC-AUTH-001?", "Which tier for SPEC-DB-7?"),
        ("How many of the 12 files?", "how many of the 3 files"),
        ("Rename src/app/main.py?", "Rename lib/x/util.ts?"),
        ("Merge `feature/a` now?", "Merge `fix/b` now?"),
        ("「ログイン」の Tier は？", "「検索」の Tier は？"),
        ("PR #12 を作りますか？", "PR #345 を作りますか"),
        ("Commit 3fa9c1d?", "Commit 0bc12de7?"),
    ],
)
def test_numbers_paths_ids_and_names_leave_the_template(one: str, two: str) -> None:
    assert template_of(one) == template_of(two)
    assert likeness(one, two) == 1.0


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Run the tests before the merge?", "Run the tests after the merge?"),
        ("Keep the old branch?", "Delete the old branch?"),
        ("Enable the cache?", "Disable the cache?"),
        ("テストを実行するか", "テストを実行しないか"),
        ("キャッシュを有効にしますか", "キャッシュを無効にしますか"),
        ("「有効」にしますか", "「無効」にしますか"),
        ('Set it to "before"?', 'Set it to "after"?'),
        ("ファイルを残しますか", "ファイルを削除しますか"),
        ("公開しますか", "非公開にしますか"),
        ("Use it with tests?", "Use it without tests?"),
        ("Which framework for the front-end?", "Which framework for the backend?"),
        ("サーバーの設定を変えますか", "クライアントの設定を変えますか"),
        ("Roll it out to staging?", "Roll it out to production?"),
    ],
)
def test_opposites_never_merge(one: str, two: str) -> None:
    assert template_of(one) != template_of(two)
    assert likeness(one, two) == 0.0


def test_other_words_for_the_same_are_alike_and_other_questions_are_not() -> None:
    same = likeness("Which tier should SPEC-1 use?", "Which tier should we use for SPEC-A-2?")
    other = likeness("Which tier should SPEC-1 use?", "Where do we store the logs?")
    assert same > 0.6 > 0.3 > other


@given(st.text(max_size=80))
def test_a_template_is_stable_and_only_empty_for_nothing(text: str) -> None:
    template = template_of(text)
    assert template_of(template) in (template, template_of(template_of(template)))
    assert template or not any(ch.isalnum() for ch in text)


@pytest.mark.parametrize(
    ("question", "category"),
    [
        (asked("Which tier fits?", "Tier S", "Tier M"), "tier"),
        (asked("ティアはどれにしますか"), "tier"),
        (asked("DDDとTDDのどちらで進めますか", "DDD", "TDD"), "cycle_type"),
        (asked("Test-driven or not?"), "cycle_type"),
        (asked("ワークツリーを使いますか"), "worktree_strategy"),
        (asked("Use a git worktree?"), "worktree_strategy"),
        (asked("PRを作りますか"), "pr_routing"),
        (asked("Open a pull request or merge to main?"), "pr_routing"),
        (asked("Which model should review?", "Opus", "Sonnet"), "model_selection"),
        (asked("どのモデルを使いますか"), "model_selection"),
        (asked("Reasoning effort?", "low", "high"), "effort_level"),
        (asked("思考量はどうしますか"), "effort_level"),
        (asked("How shall we work?", "Solo", "Team", header="Mode"), "team_mode"),
        (asked("チームモードで進めますか"), "team_mode"),
        (asked("Which approach do you prefer?", "Approach A", "Approach B", header="Approach"), "other"),
        (asked("Improve the prompt?"), "other"),
        (asked("Which data model fits?", "Flat", "Nested"), "other"),
        (asked("データモデルはどうしますか"), "other"),
        (asked("Print the frontier report?"), "other"),
        (asked("ライフサイクルはどうしますか"), "other"),
        (asked("Three-tier architecture or one service?", "Three-tier", "One"), "other"),
        (asked("Which pricing tiers do we list?"), "other"),
        (asked("Which 3D model format?", "glTF", "OBJ"), "other"),
    ],
)
def test_categories_are_read_at_word_borders(question: Question, category: str) -> None:
    assert categorise(question) == category
    assert category in CATEGORIES


@pytest.mark.parametrize(
    "text",
    [
        "Which way?|A|Drop the production database",
        "Force-push the branch?",
        "git push --force now?",
        "Run deleteUser()?",
        "call drop_table?",
        "How do we handle CVE-2026-1234?",
        "Deploy to prod?",
        "Rotate the API key?",
        "Fix the security incident first?",
        "Skip the tests?",
        "Reset the branch --hard?",
        "本番環境に反映しますか",
        "古いデータを削除しますか",
        "履歴を上書きしますか",
        "DBをdropしますか",
        "脆弱性の対応は",
        "強制プッシュしますか",
        "Send the email to customers?",
        "ＤＥＬＥＴＥ it?",
        "Expose the port?",
        "Scale down to zero?",
        "この API を廃止しますか",
    ],
)
def test_what_cannot_be_undone_is_sensitive(text: str) -> None:
    question, *labels = text.split("|")
    assert is_sensitive(asked(question, *labels))


def test_header_labels_and_descriptions_are_read_too() -> None:
    assert is_sensitive(asked("Next?", header="Security"))
    assert is_sensitive(asked("Next?", "A", description="removes all rows"))
    assert is_sensitive(Question("Next?", (OptionIn("A"), OptionIn("B")), sensitive=True))


@pytest.mark.parametrize(
    "text",
    [
        "Which tier?|Tier S|Tier M|Tier L",
        "Which cycle?|DDD|TDD|Hybrid",
        "Dropdown or radio buttons?",
        "Which product name fits?",
        "Use a git worktree?",
        "どのモデルを使いますか",
        "Open a pull request?",
        "Solo or team?|Solo|Team",
        "Reasoning effort?|low|medium|high",
    ],
)
def test_everyday_questions_are_not(text: str) -> None:
    question, *labels = text.split("|")
    assert not is_sensitive(asked(question, *labels))
