"""Adoption, corrections, withdrawals and requests: what only the conversation tells."""

from __future__ import annotations

import pytest

from memory.extractors.rules.options import options, pick
from tests.memory.rules_talk import extract, told

ADOPTED = [
    ("Option A keeps UUIDv4. Option B switches all new tables to UUIDv7. I suggest B.", "B please", "UUIDv7"),
    ("Indentation for the config files: 1) tabs 2) two spaces", "the second", "two spaces"),
    ("丸めはどうしますか。①四捨五入 ②切り捨て", "②で", "切り捨て"),
    ("保存形式はJSONとSQLiteのどちらにしますか？", "SQLiteで", "SQLite"),
    ("I recommend Ed25519 keys for all devices instead of RSA.", "agreed, do that", "Ed25519"),
    ("全APIのエラーをproblem+jsonに揃えるのはどうでしょうか。", "はい、それで", "problem+json"),
]


@pytest.mark.parametrize(("agent", "answer", "key"), ADOPTED)
def test_an_adopted_proposal_carries_both_spans(agent: str, answer: str, key: str) -> None:
    (proposal,) = told(("agent", agent), ("human", answer))
    assert key in proposal.content
    assert [(s.role, s.ref) for s in proposal.spans] == [("adoption", "u1"), ("adopted", "u0")]
    assert proposal.spans[1].quote in agent


NOT_ADOPTED = [
    ("All tests pass. Shall I commit it?", "yes"),
    ("続けますか？", "お願いします"),
    ("Two ways: a) retry the upload b) skip the file", "a"),
    ("I recommend we standardise on 20 connections from now on.", "hmm not convinced, show me the metrics"),
    ("今後は全APIをGraphQLに統一することをおすすめします。", "とりあえず一覧だけ出して"),
]


@pytest.mark.parametrize(("agent", "answer"), NOT_ADOPTED)
def test_a_go_ahead_for_one_step_or_a_doubt_adopts_nothing(agent: str, answer: str) -> None:
    assert told(("agent", agent), ("human", answer)) == ()


@pytest.mark.parametrize("who", ["tool", "system", "injected", "unknown"])
def test_nobody_but_the_agent_can_be_adopted_from(who: str) -> None:
    assert (
        told((who, "I recommend Ed25519 keys for all devices from now on."), ("human", "yes do that")) == ()
    )


def test_agreeing_to_a_recited_memory_is_nothing_new() -> None:
    served = (
        '<memory-context source="x">\n[m-1] fact: closing is on the fifth business day\n</memory-context>'
    )
    recital = "According to memory all closing happens on the fifth business day. Shall I always assume that?"
    assert told(("injected", served), ("agent", recital), ("human", "yes")) == ()


def test_only_the_last_word_of_a_correction_stays() -> None:
    proposals = told(
        ("human", "the api base path is /v1 for all clients"),
        ("agent", "Noted."),
        ("human", "wait that was wrong, its /api/v2 for every client"),
    )
    assert ["/api/v2" in p.content for p in proposals] == [True]
    assert proposals[0].content.startswith("the api base path")


def test_taking_back_is_reported_with_what_it_is_about() -> None:
    taken = extract(
        ("human", "squash everything when you merge"), ("human", "forget what i said about squashing")
    )
    assert [w.about for w in taken.withdrawals] == ["squashing"]
    assert taken.proposals == ()
    (japanese,) = extract(("human", "さっきの話は撤回します")).withdrawals
    assert japanese.quote == "さっきの話は撤回します"


def test_orders_become_request_notes() -> None:
    notes = extract(("human", "please rename the helper and push. why is it slow?")).requests
    assert [(n.intent, n.target) for n in notes] == [("rename", "the helper and push")]
    (japanese,) = extract(("human", "ヘッダーの余白を直してください")).requests
    assert "ヘッダー" in japanese.summary


def test_options_are_read_in_either_language() -> None:
    assert [o.text for o in options("(a) one queue per tenant, (b) one shared queue.")] == [
        "one queue per tenant",
        "one shared queue",
    ]
    offered = options("案1: 週次、案2: 日次。")
    chosen = pick("案2で", offered)
    assert chosen is not None
    assert chosen.text == "日次"
    assert pick("2 files are missing", offered) is None
    assert options("I changed a few things: see A.") == []
