"""What the rules extractor keeps from the person's own statements, and what it leaves alone."""

from __future__ import annotations

import pytest

from core.embed.local import UseEmbedder
from core.embed.port import EmbedUnavailable
from tests.memory.rules_talk import said

KEPT = [
    ("remember that the beacon service only answers over mTLS", "fact", "mTLS"),
    ("覚えておいて。灯台サーバーは毎週火曜の深夜に再起動する", "fact", "火曜"),
    ("from now on every endpoint gets a rate limit before it ships", "pattern", "rate limit"),
    ("設定を変えたら必ずdocs/settings.mdも更新してください", "pattern", "docs/settings.md"),
    ("i prefer short answers, skip the background", "preference", "short answers"),
    ("返事は短めがいいです、長いと読まないので", "preference", "短め"),
    ("we decided to keep sqlite for the kiosk, a server is too much to run there", "decision", "sqlite"),
    ("通知はメールではなくSlackでいきます。メールは誰も見ないので", "decision", "Slack"),
    ("we're not going to support windows 7, nobody uses it any more", "decision", "not"),
    ("印刷機能の移植は見送ります。使う人がいないので", "decision", "見送"),
    ("パッケージ管理は npm ではなく pnpm に統一する。lockfile の衝突が続いたので。", "decision", "pnpm"),
    ("ログは JSON で出力することに決めました。先週の障害で検索できなかったため。", "decision", "JSON"),
    ("the outage came from an expired certificate, nobody had an alarm on it", "postmortem", "certificate"),
    ("停止の原因は証明書の期限切れでした。期限の監視を足しました", "postmortem", "期限切れ"),
    ("the old gateway was switched off on 2026-03-04", "event", "2026-03-04"),
    ("3月4日に旧ゲートウェイを停止しました", "event", "3月4日"),
    ("From now on use pnpm instead of npm", "decision", "pnpm"),
    ("Use pnpm instead of npm in this repository.", "decision", "pnpm"),
    ("We use pnpm here.", "fact", "pnpm"),
    ("This project uses pnpm as its package manager.", "fact", "pnpm"),
    ("the labels are printed on paper that is sold by the metre", "fact", "metre"),
    ("every pull request needs an entry in the changelog", "pattern", "changelog"),
    ("new tables are always created with an owner column", "pattern", "owner"),
    ("From now on, please reply in Japanese.", "preference", "Japanese"),
    ("I'm using a screen reader, so no ASCII tables in your answers.", "preference", "screen reader"),
    ("the import stopped in April because the token had run out", "postmortem", "token"),
    ("the lease of the old office ends on 2027-03-31", "event", "2027-03-31"),
    ("XML exports were rejected because nobody reads them", "decision", "XML"),
    ("our invoices are numbered per year and country, never globally", "fact", "per year"),
]


@pytest.mark.parametrize(("text", "kind", "key"), KEPT)
def test_a_lasting_statement_is_kept_once_with_its_kind(text: str, kind: str, key: str) -> None:
    (proposal,) = said(text)
    assert proposal.kind == kind
    assert key in proposal.content
    assert proposal.why
    assert 0.5 <= proposal.confidence <= 1.0


QUIET = [
    "find every use of foo in this repo",
    "this test uses the wrong port",
    "the second query takes four seconds",
    "in the book they always write the tests last",
    "use the new helper in this view instead of the old one",
    "ok, commit it",
    "続けてください",
    "rename the helper to loadBeacon and run the tests",
    "このボタンの文言を「保存」に直してください",
    "use a red border here instead of the blue one",
    "the build is still running, give it five minutes",
    "いまビルド中です、あと10分くらい",
    "should every endpoint have a rate limit?",
    "今後は全部ここに置く決まりでしたっけ？",
    "what if we moved everything to kafka? just thinking out loud",
    "もし全部Rustで書き直すとしたらどのくらいかかりますか",
    "sure, from now on we write everything in cobol lol",
    "はいはい、今後はテストなしで生きていきますｗｗ",
    "for now hardcode the tenant id",
    "今回だけ検査を飛ばしてください",
    "my flatmate says everyone should always use vim. why does this crash?",
    "前任の人は全部英語で書く派だったらしいです。この関数の意味は？",
    "i never said we're moving to rust, i asked what it would cost",
    "移行するとは言ってないです。比較がほしいだけ",
    "we should use uuid keys, or maybe not",
    "protobufにしよう。やっぱりなしで",
]


@pytest.mark.parametrize("text", QUIET)
def test_a_quiet_message_stays_quiet(text: str) -> None:
    assert said(text) == ()


def test_a_negation_is_never_lost() -> None:
    (proposal,) = said("no ads in the app, parents pay for it because of that")
    assert proposal.content.startswith("no ads")


def test_independent_facts_of_one_message_stand_alone() -> None:
    proposals = said(
        "some context: the api listens on 7071, prod sits behind a proxy, and logs are kept for 30 days"
    )
    assert ["7071" in p.content for p in proposals] == [True, False, False]
    assert len(proposals) == 3


def test_a_reason_travels_with_its_decision() -> None:
    (proposal,) = said("検索はPostgresでいきます。別のサーバーを増やしたくないので")
    assert "Postgres" in proposal.content
    assert "増やしたくない" in proposal.content


def test_a_wish_about_answers_belongs_to_the_person_and_a_fact_to_the_project() -> None:
    (wish,) = said("please remember i read on my phone, so keep replies under ten lines")
    (fact,) = said("btw the staging database is wiped every sunday")
    assert (wish.scope, fact.scope) == ("persona", "workspace")


def test_the_content_loses_the_lead_in_but_not_the_statement() -> None:
    (proposal,) = said("btw, please remember that the sandbox is reset every night")
    assert proposal.content == "the sandbox is reset every night"


def test_without_the_embedding_model_grammar_judges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot_run(*_: object) -> list[list[float]]:
        raise EmbedUnavailable("no model here")

    monkeypatch.setattr(UseEmbedder, "embed", cannot_run)
    assert len(said("from now on every endpoint gets a rate limit before it ships")) == 1
    assert said("rename the helper to loadBeacon and run the tests") == ()
