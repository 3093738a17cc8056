"""What the night thinks, without a database: pairs, clusters, neighbours, what has had its time."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.night.clusters import Pair, changes
from knowledge.night.endings import ends_on
from knowledge.night.facts import Fact
from knowledge.night.fading import Standing, faded
from knowledge.night.neighbours import CROWD, PARTNERS, candidate_pairs
from knowledge.night.noise import is_noise
from knowledge.night.pairs import Finding, Judged, judge
from knowledge.night.protection import kept_share, may_rewrite
from memory import dedupe

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def fact(text: str, *, day: float = 0, used: float | None = None, number: int | None = None) -> Fact:
    return Fact(
        id=uuid.uuid4() if number is None else uuid.UUID(int=number),
        version=1,
        kind="fact",
        text=text,
        language="ja" if not text.isascii() else "en",
        trust="human",
        said_at=NOW - timedelta(days=100 - day),
        since=NOW,
        used_at=None if used is None else NOW - timedelta(days=used),
        features=dedupe.features(text),
    )


@pytest.mark.parametrize(
    ("old", "new", "cosine", "finding"),
    [
        ("Use ripgrep for searching the code.", "For searching code, use ripgrep.", None, "merge"),
        ("コミットメッセージは英語で書く。", "コミットのメッセージは英語で書くこと。", None, "merge"),
        ("Secrets are kept in Vault.", "We keep secrets in Vault.", 0.9, "merge"),
        ("Secrets are kept in Vault.", "We keep secrets in Vault.", None, "none"),
        ("The index is rebuilt at 2.", "The index is rebuilt at 4 instead of 2.", 0.99, "supersede"),
        ("CI runs on Jenkins.", "We moved CI from Jenkins to Buildkite.", None, "supersede"),
        ("画像はFastlyから配信する。", "画像はFastlyではなくCloudflareから配信する。", None, "supersede"),
        ("Python 3.11 runs the API.", "Python 3.12 runs the API.", 0.99, "conflict"),
        ("Deploy on Tuesday.", "Deploy on Thursday.", 0.99, "supersede"),
        ("Deploy to staging on Tuesday.", "Deploy to production on Tuesday.", 0.99, "conflict"),
        ("The billing service logs to Loki.", "The search service logs to Loki now.", 0.95, "none"),
        ("Use mocks in unit tests.", "Do not use mocks in integration tests.", 0.95, "conflict"),
        # Words that no thesaurus knows: moved phrases, compounds, one denial read wider, forms of one word.
        ("Plots have a white background.", "Slides have a white background.", 0.9, "none"),
        (
            "Loans of the museum run 21 days, maps excepted.",
            "Maps excepted, museum loans run 21 days.",
            0.7,
            "merge",
        ),
        (
            "The greenhouse pumps must never run while the vents are closed.",
            "Never run the greenhouse pumps with the vents closed.",
            0.8,
            "merge",
        ),
        (
            "For the thesis I cite rulings in APA style.",
            "Citations of rulings in the thesis follow APA style.",
            0.85,
            "merge",
        ),
        ("天体観測のデータはFITSで毎晩保管する。", "天体の観測のデータは毎晩FITSで保管する。", 0.95, "merge"),
        ("図のキャプションは短くまとめる。", "図のキャプションは短くすること。", None, "merge"),
        (
            "The bus feed gets refreshed at quarter past four each morning.",
            "Each morning at quarter past four the bus feed is refreshed.",
            None,
            "merge",
        ),
        ("Mika reviews the maps of Omar.", "Omar reviews the maps of Mika.", 0.97, "none"),
        ("インポートはFalconチームが持っている。", "インポートはFalconチームが書いた。", 0.92, "none"),
        # What is named as over, in part of the old words, in other units, or set aside before and chosen now.
        (
            "The grace period of a lot is five minutes.",
            "The grace period of a lot was cut from five minutes to two.",
            None,
            "supersede",
        ),
        (
            "Guides stay under ninety seconds.",
            "Guides may run up to two minutes now, the ninety seconds are history.",
            None,
            "supersede",
        ),
        (
            "The thermostat is flashed over JTAG, not over the air.",
            "The thermostat is flashed over the air since v2.",
            None,
            "supersede",
        ),
        (
            "ステージのデザインは西村さんが確認する。",
            "ステージのデザインの確認は西村さんから大谷さんに引き継がれた。",
            None,
            "supersede",
        ),
        ("振り返りは48時間以内に書く。", "振り返りは2年間保存する。", 0.7, "conflict"),
    ],
)
def test_pairs_are_told_apart(old: str, new: str, cosine: float | None, finding: str) -> None:
    earlier, later = fact(old), fact(new, day=30)
    judged = judge(earlier, later, cosine=cosine)
    assert judged.finding == finding
    assert judge(later, earlier, cosine=cosine) == judged
    if finding == "supersede":
        assert (judged.old, judged.newer) == (earlier, later)


def test_a_contradiction_said_on_one_day_is_left_to_people() -> None:
    assert judge(fact("Deploy on Tuesday."), fact("Deploy on Thursday."), cosine=0.99).finding == "conflict"


def test_an_older_text_never_replaces_a_newer_one() -> None:
    judged = judge(
        fact("We moved CI from Jenkins to Buildkite."), fact("CI runs on Jenkins.", day=30), cosine=0.8
    )
    assert judged.finding != "supersede" or (
        judged.newer is not None and judged.newer.text == "CI runs on Jenkins."
    )


_words = st.sampled_from(
    ["deploy", "index", "cache", "secret", "vault", "port", "token", "branch", "review", "log"]
)
_texts = st.lists(_words, min_size=1, max_size=6).map(" ".join)


@given(_texts, _texts, st.one_of(st.none(), st.floats(0, 1)), st.integers(-40, 40))
def test_judging_is_symmetric(a: str, b: str, cosine: float | None, gap: int) -> None:
    one, other = fact(a, number=1), fact(b, day=gap, number=2)
    assert judge(one, other, cosine=cosine) == judge(other, one, cosine=cosine)


@given(st.floats(0.0, 1.0))
def test_no_cosine_makes_other_names_or_numbers_one_memory(cosine: float) -> None:
    for a, b in (
        ("The api listens on port 8080.", "The api listens on port 8081."),
        ("Alice reviews the api.", "Bob reviews the api."),
        ("Never push to main.", "Always push to main."),
    ):
        assert judge(fact(a), fact(b, day=9), cosine=cosine).finding != "merge"


_KINDS: tuple[Finding, ...] = ("merge", "supersede", "conflict")
_FINDINGS = st.sampled_from(_KINDS)


@st.composite
def _judged_pairs(draw: st.DrawFn) -> list[Pair]:
    facts = [fact("some text", day=draw(st.integers(0, 9)), number=n + 1) for n in range(7)]
    found: list[Pair] = []
    for i, a in enumerate(facts):
        for b in facts[i + 1 :]:
            if not draw(st.booleans()):
                continue
            finding = draw(_FINDINGS)
            old, new = (a, b) if a.said_at <= b.said_at else (b, a)
            found.append(Pair(a, b, Judged(finding, 0.9, "same", old, new)))
    return found


@given(_judged_pairs(), st.sets(st.integers(1, 7)), st.sets(st.integers(1, 7)), st.integers(0, 5))
def test_a_memory_leaves_once_and_what_leaves_never_stays(
    pairs: list[Pair], leaving: set[int], staying: set[int], limit: int
) -> None:
    gone = {uuid.UUID(int=n) for n in leaving}
    kept = {uuid.UUID(int=n) for n in staying}
    found = [pair for pair in pairs if pair.judged.finding != "conflict"]
    apart = {frozenset((p.a.id, p.b.id)) for p in pairs if p.judged.finding == "conflict"}
    result = changes(found, now=NOW, limit=limit, apart=apart, leaving=gone, staying=kept)
    leaves = [each.id for change in result.found for each in change.leaves]
    stays = {change.stays.id for change in result.found}
    assert len(leaves) == len(set(leaves))
    assert not set(leaves) & (stays | gone | kept)
    assert not stays & gone
    assert len(result.found) <= limit
    apart |= {frozenset((p.a.id, p.b.id)) for p in found if p.judged.finding == "supersede"}
    for change in result.found:
        if change.kind == "merge":
            members = [change.stays.id, *(each.id for each in change.leaves)]
            assert not any(
                frozenset((a, b)) in apart for i, a in enumerate(members) for b in members[i + 1 :]
            )


def test_what_was_too_much_for_one_night_is_carried_over() -> None:
    a, b, c, d = (fact("text", number=n) for n in range(1, 5))
    pairs = [Pair(a, b, Judged("merge", 0.9, "same")), Pair(c, d, Judged("merge", 0.9, "same"))]
    result = changes(pairs, now=NOW, limit=1)
    named = {each.id for change in result.found for each in (change.stays, *change.leaves)}
    assert named | result.later == {a.id, b.id, c.id, d.id}
    assert result.left["enough"] == 1


def test_a_used_text_is_not_replaced_by_one_that_drops_over_half_of_it() -> None:
    used = fact("The cookie expires after 12 hours and is renewed by every click.", used=3)
    short = fact("The cookie expires after 8 hours now.", day=30)
    pair = Pair(used, short, Judged("supersede", 0.9, "says_so", used, short))
    assert changes([pair], now=NOW, limit=9).left == {"protected": 1}
    idle = fact(used.text, used=31)
    pair = Pair(idle, short, Judged("supersede", 0.9, "says_so", idle, short))
    assert len(changes([pair], now=NOW, limit=9).found) == 1


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_keeps_all_of_itself(old: str, new: str) -> None:
    assert kept_share(old, old) == 1
    assert 0 <= kept_share(old, new) <= 1
    assert may_rewrite(old=old, new=new, used_at=None, now=NOW)


_blocks = st.dictionaries(
    st.integers(0, 60), st.lists(st.integers(0, 12), max_size=8, unique=True), min_size=1, max_size=40
)


@given(_blocks, st.data())
def test_candidate_pairs_touch_something_changed_and_come_once(
    blocks: dict[int, list[int]], data: st.DataObject
) -> None:
    touched = data.draw(st.sets(st.sampled_from(sorted(blocks))))
    pairs = list(candidate_pairs(blocks, touched))
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    for a, b in pairs:
        assert a in touched
        assert a != b
        assert set(blocks[a]) & set(blocks[b])
    assert len(pairs) <= PARTNERS * len(touched)


def test_equal_texts_find_each_other_however_many_there_are() -> None:
    blocks = {n: [1, 2, 3] for n in range(CROWD * 3)}
    found = list(candidate_pairs(blocks, [CROWD * 3 - 1]))
    assert len(found) == PARTNERS


def test_the_work_for_a_text_does_not_grow_with_the_corpus() -> None:
    for size in (200, 800):
        blocks = {n: [n % 7, 100 + n % 11, 1000 + n % 13, 10_000 + n] for n in range(size)}
        assert len(list(candidate_pairs(blocks, range(10)))) <= PARTNERS * 10


def standing(text: str = "Use ripgrep.", **fields: Any) -> Standing:
    given: dict[str, Any] = {"said_at": NOW - timedelta(days=200), "since": NOW - timedelta(days=200)}
    return Standing(text, **{**given, **fields})


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def test_unused_means_ninety_days_without_use_or_showing() -> None:
    def category(**fields: Any) -> str | None:
        found = faded(standing(**fields), now=NOW, lively=True)
        return found.category if found else None

    assert category() == "unused"
    assert category(since=ago(90)) == "unused"
    assert category(since=ago(89)) is None
    assert category(shown_at=ago(89)) is None
    assert category(shown_at=ago(91)) == "unused"
    assert category(used_at=ago(89)) is None
    assert faded(standing(), now=NOW, lively=False) is None


def test_explicit_use_in_the_last_thirty_days_protects_whatever_else_is_true() -> None:
    text = "The freeze lasts until 2026-01-31."
    assert faded(standing(text, used_at=ago(29), replaced=True), now=NOW, lively=True) is None
    found = faded(standing(text, used_at=ago(31)), now=NOW, lively=True)
    assert found is not None
    assert (found.category, found.until) == ("outdated", date(2026, 1, 31))


def test_the_category_is_named_in_the_order_of_its_weight() -> None:
    noisy = faded(standing("Merged PR #123."), now=NOW, lively=True)
    replaced = faded(standing("Merged PR #123.", replaced=True), now=NOW, lively=True)
    assert noisy is not None
    assert noisy.category == "noisy"
    assert replaced is not None
    assert replaced.category == "superseded"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The freeze lasts until 2026-03-31.", date(2026, 3, 31)),
        ("Use the old key until March 15.", date(2026, 3, 15)),
        ("Use the old key until 15th March 2027.", date(2027, 3, 15)),
        ("Deploys are frozen through the end of April.", date(2026, 4, 30)),
        ("Staging is read-only until January.", date(2026, 1, 31)),
        ("本番は3月末まで凍結する。", date(2026, 3, 31)),
        ("2027年2月10日まで旧キーを使う。", date(2027, 2, 10)),
        ("Do not deploy until 2026-03-31.", None),
        ("3月末までに移行する。", None),
        ("Keep logs until the disk is full.", None),
        ("Retry until it may work.", None),
        ("Wait until 2026-13-45.", None),
    ],
)
def test_an_end_that_the_text_names_is_read(text: str, end: date | None) -> None:
    assert ends_on(text, said_on=date(2025, 12, 20)) == end


@pytest.mark.parametrize(
    "text",
    ["Done.", "ok", "了解です。", "Merged PR #123.", "Created src/app.py.", "PR #45 was merged",
     "Fixed the failing tests in api/users.py", "All tests passed.",
     "users.pyを更新しました。", "すべてのテストが通った。",
     "PR #12をマージした。", "!!"],
)  # fmt: skip
def test_noise_is_heard(text: str) -> None:
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    ["Created records are never deleted.", "Merge pull requests by squashing.", "Run all tests before a push.",
     "Use ripgrep.", "テストはpytestで書く。", "PRはマージ前にスカッシュする。",
     "設定はconfig.pyに書く。", "日本語で答える。",
     "Fixed-width numbers are right-aligned.", "Closed issues are not reopened."],
)  # fmt: skip
def test_what_holds_is_no_noise(text: str) -> None:
    assert not is_noise(text)


@given(st.text(max_size=200), st.dates(date(2020, 1, 1), date(2030, 1, 1)))
def test_any_text_can_be_asked_for_its_end_and_its_noise(text: str, said_on: date) -> None:
    ends_on(text, said_on=said_on)
    is_noise(text)
