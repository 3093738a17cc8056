"""Recall by words alone, in Japanese and English (lessons row 15)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from core.models import Namespace
from memory.recall.lexical import lexical, wanted_terms
from memory.recall.sizes import sizes_of
from tests import build
from tests.memory.recalling import DATA, ask, load, model, remember, row, texts

pytestmark = pytest.mark.django_db

NOTES = [
    "承認フローは課長までで、部長の承認は要らない。",
    "夜間バッチは gen-itgc を使って統制の証跡を作る。",
    "課金は月末締めで、翌月10日に引き落とす。",
    "サーバーの監視は Grafana で行う。",
    "ﾃｽﾄ環境の URL は社内だけで開ける。",
    "図は draw.io で描き、茶の線は使わない。",
    "認証は SAML2.0 と OIDC の両方に対応する。",
    "請求書の宛名は経理部の田中さんに確認する。",
    "The cache is invalidated whenever a price changes.",
    "Python 3.12 is the version in production.",
    "電話での問い合わせは平日だけ受ける。",
    "ログの保管期間は180日とする。",
]


@pytest.fixture(autouse=True)
def _words_alone() -> Iterator[None]:
    with model("none"):
        yield


@pytest.fixture
def api(alice: User) -> Namespace:
    load(alice, [row(f"n{number}", content) for number, content in enumerate(NOTES)])
    return Namespace.objects.get(owner=alice, name="api")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("茶", "茶の線"),
        ("課金", "課金"),
        ("認証", "認証は"),
        ("承認フロー", "承認フロー"),
        ("承認フローについて教えて", "承認フロー"),
        ("gen-itgc", "gen-itgc"),
        ("itgc の証跡", "gen-itgc"),
        ("ＧＥＮ－ＩＴＧＣ", "gen-itgc"),
        ("テスト環境", "ﾃｽﾄ環境"),
        ("てすと", "ﾃｽﾄ環境"),
        ("サーバ", "サーバー"),
        ("サーバーの監視", "Grafana"),
        ("SAML 2.0", "SAML2.0"),
        ("ｓａｍｌ", "SAML2.0"),
        ("田中さん", "田中"),
        ("invalidating caches", "cache is invalidated"),
        ("3.12", "Python 3.12"),
        ("問い合わせ", "問い合わせ"),
        ("保管期間は何日?", "180日"),
        ("draw.io", "draw.io"),
    ],
)
def test_words_of_any_length_and_width_are_found(api: Namespace, question: str, found: str) -> None:
    result = ask(question, api)
    assert found in texts(result)[0]
    assert result.degraded


def test_a_memory_is_found_at_once_after_its_approval_without_a_worker(alice: User) -> None:
    api = build.workspace(alice)
    remember(api, "Use pnpm instead of npm.")
    assert texts(ask("pnpm", api)) == ["Use pnpm instead of npm."]


def test_the_answer_says_which_words_matched(api: Namespace) -> None:
    (hit,) = ask("承認フローはどうなっている?", api).hits[:1]
    assert hit.why.terms == ("承認フロは",)  # as the index holds it: without the long vowel
    assert hit.why.lexical > 0
    assert hit.why.meaning is None


def test_a_question_of_other_things_finds_nothing(api: Namespace) -> None:
    assert not ask("富士山の高さ", api).hits
    assert not ask("Who won the football match yesterday?", api).hits


def test_pasted_code_does_not_drown_the_question(api: Namespace) -> None:
    code = "`def refresh(self): store.flush(); bus.emit(EV_42); tpl = loader.pick(ctx, lang)`"
    question = f"The page shows the old price after I wrote {code}. When is the cache invalidated?"
    assert texts(ask(question, api)) == [NOTES[8]]
    assert not ask(f"How do I sort a list in Ruby? I have {code}.", api).hits


def test_stop_words_alone_find_only_what_has_them(api: Namespace) -> None:
    assert wanted_terms("what is the") == ["what", "is", "the"]
    assert wanted_terms("what is the cache") == ["cach"]
    assert not ask("why not", api).hits


def test_rarity_is_that_of_the_scope(alice: User) -> None:
    """A word that is common elsewhere and rare here decides here."""
    load(
        alice,
        [
            row("a", "deploy rollback", namespace="workspace:one"),
            row("b", "deploy canary", namespace="workspace:one"),
            *[row(f"x{n}", f"rollback number {n}", namespace="workspace:two") for n in range(30)],
        ],
    )
    one = Namespace.objects.get(owner=alice, name="one")
    scope = Namespace.objects.filter(pk=one.pk).scope()
    found = lexical(
        scope=scope, sizes=sizes_of(scope=scope, space=""), terms=["deploy", "rollback"], limit=10
    )
    assert found.entries == 2
    assert len(found.words) == 2
    assert max(words.score for words in found.words.values()) > 0.8


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE memory_memory; --",
        "a & b | !c <-> (d:*)",
        'pnpm" OR "1"="1',
        "%_\\%s %(namespaces)s {0}",
        "((((((",
        "🎉🎉🎉",
        "مرحبا abc עברית",
        "x" * 10_000,
        "認証 " * 2_500,
        "\u202e\u200b",
    ],
)
def test_hostile_questions_are_only_text(api: Namespace, question: str) -> None:
    ask(question, api)
    assert texts(ask("課金", api)) == [NOTES[2]]


@pytest.mark.parametrize("name", ["ja_words.tsv", "ja_field.tsv"])
def test_japanese_words_of_every_kind_are_found(alice: User, name: str) -> None:
    """The questions of ``benchmarks.recall_japanese``, here without its four hundred other memories."""
    asked = [line.split("\t") for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    contents = list(dict.fromkeys(content for _kind, _question, content in asked))
    load(alice, [row(f"w{n}", content) for n, content in enumerate(contents)])
    home = Namespace.objects.get(owner=alice, name="api")
    found = [content in texts(ask(question, home, k=5, floor=False)) for _kind, question, content in asked]
    assert sum(found) / len(found) >= 0.95
