"""Keys that find neighbours, and what tombstones remember."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.dedupe import FILES, load
from core.text import normal_form
from memory.dedupe import block_keys, features, keyed_hashes, lookup_keys, resembles

PAIRS = [pair for path in FILES for pair in load(path)]
KEY = b"EXAMPLE-key-for-tests"


def test_almost_every_repeat_is_found_by_its_keys() -> None:
    repeats = [pair for pair in PAIRS if pair.label == "same"]
    found = [set(lookup_keys(features(p.a))) & set(block_keys(features(p.b))) for p in repeats]
    assert sum(map(bool, found)) / len(repeats) >= 0.98


def test_both_languages_share_keys() -> None:
    assert "database" in block_keys(features("本番のデータベースは Postgres 16"))
    assert "database" in block_keys(features("The customer DB is slow"))


def test_a_contradiction_shares_keys_too() -> None:
    one, other = features("Commit generated files"), features("Never commit generated files")
    assert set(lookup_keys(one)) & set(block_keys(other))


def test_rare_keys_come_first_when_counts_are_known() -> None:
    f = features("Ask Elena about the Kafka cluster")
    assert lookup_keys(f, k=2, counts={"ask": 900, "elena": 3, "kafka": 40, "cluster": 70}) == (
        "elena",
        "kafka",
    )


@given(st.text(max_size=400), st.integers(1, 10))
def test_never_more_keys_than_asked_for(text: str, k: int) -> None:
    assert len(lookup_keys(features(text), k=k)) <= k
    assert len(block_keys(features(text))) <= 64


def test_a_rejected_text_is_recognised_from_its_normalised_form() -> None:
    stored = features(normal_form("コミットメッセージに絵文字は使わないでください。"))
    assert resembles(features("コミットメッセージに絵文字は使わない"), stored)
    assert not resembles(features("コミットメッセージに絵文字を使う"), stored)


@pytest.mark.parametrize(
    ("deleted", "again"),
    [
        ("コミットメッセージは英語で書いてください。", "コミットメッセージは英語で書く"),
        ("Never push directly to main.", "Please don't push directly to main"),
        ("ﾀｲﾑｱｳﾄは１０秒", "タイムアウトは10秒"),
        ("Run the linter before every commit.", "Before every commit, run the linter."),
    ],
)
def test_a_deleted_text_is_recognised_by_hashes_alone(deleted: str, again: str) -> None:
    assert set(keyed_hashes(deleted, KEY)) & set(keyed_hashes(again, KEY))


def test_hashes_never_confuse_a_hard_negative() -> None:
    confused = [
        (p.a, p.b)
        for p in PAIRS
        if p.label == "different" and set(keyed_hashes(p.a, KEY)) & set(keyed_hashes(p.b, KEY))
    ]
    assert confused == []


def test_another_key_gives_other_hashes_and_none_is_refused() -> None:
    assert not set(keyed_hashes("Use pnpm", KEY)) & set(keyed_hashes("Use pnpm", b"another EXAMPLE"))
    with pytest.raises(ValueError, match="key"):
        keyed_hashes("Use pnpm", b"")


@given(st.text(max_size=200))
def test_hashes_are_hex_and_tell_nothing_of_the_text(text: str) -> None:
    for value in keyed_hashes(text, KEY):
        assert len(value) == 64
        int(value, 16)
