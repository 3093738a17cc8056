"""Hikae's own exchange format."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from transcripts.readers.base import ReadResult, read

DATA = Path(__file__).parents[1] / "data" / "transcripts"


def read_value(value: Any, **options: Any) -> ReadResult:
    return read(json.dumps(value).encode(), filename="x.json", **options)


def one_message(message: dict[str, Any], **options: Any) -> ReadResult:
    return read_value({"session": "s", "key": "t", "messages": [message]}, **options)


def origin_of(result: ReadResult) -> str:
    return result.sessions[0].turns[0].messages[0].origin


@pytest.fixture(scope="module")
def document() -> ReadResult:
    return read((DATA / "plain_sessions.json").read_bytes(), filename="plain_sessions.json")


def test_a_document_gives_its_sessions(document: ReadResult) -> None:
    session = document.sessions[0]
    about = (session.key, session.client, session.tz, session.persona, session.workspace)
    assert about == ("s-1", "house-agent", "Asia/Tokyo", "default", "kaimono")
    assert [(turn.key, turn.closed) for turn in session.turns] == [("t-1", True), ("t-2", False)]
    assert document.problems == ()


def test_origins_follow_roles_and_a_silent_user_is_unknown(document: ReadResult) -> None:
    first, second = document.sessions[0].turns
    assert [message.origin for message in first.messages] == ["human", "agent", "tool", "system"]
    assert [message.origin for message in second.messages] == ["unknown"]


def test_times_without_offset_are_in_the_sessions_zone(document: ReadResult) -> None:
    first = document.sessions[0].turns[0].messages
    assert first[0].at == datetime(2026, 9, 30, 15, 30, tzinfo=UTC)
    assert first[1].at == datetime(2026, 9, 30, 15, 31, tzinfo=UTC)
    assert document.sessions[0].started_at == first[0].at


def test_keys_default_to_the_index(document: ReadResult) -> None:
    assert [message.key for message in document.sessions[0].turns[0].messages] == ["0", "1", "2", "3"]


def test_json_lines_of_turns_are_read_and_broken_ones_named() -> None:
    result = read((DATA / "plain_turns.jsonl").read_bytes(), filename="plain_turns.jsonl")
    assert {session.key: [turn.key for turn in session.turns] for session in result.sessions} == {
        "s-7": ["a", "b"],
        "s-8": ["a"],
    }
    assert [(problem.line, problem.reason.split(":")[0]) for problem in result.problems] == [
        (2, "messages[1].role"),
        (3, "not valid JSON; the line was left out"),
        (4, "turns[0].messages[0].origin"),
    ]


def test_who_speaks_for_the_person_makes_a_silent_user_human() -> None:
    message = {"role": "user", "text": "Use tabs."}
    assert origin_of(one_message(message)) == "unknown"
    assert origin_of(one_message(message, speaks_for_person=True)) == "human"


@pytest.mark.parametrize("text", ["<task-notification>x", "Base directory for this skill: /opt"])
def test_the_shape_of_a_text_lowers_a_stated_human(text: str) -> None:
    message = {"role": "user", "origin": "human", "text": text}
    assert origin_of(one_message(message, speaks_for_person=True)) == "system"


def test_a_stated_injected_stays_injected() -> None:
    assert origin_of(one_message({"role": "user", "origin": "injected", "text": "x"})) == "injected"


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_human_is_for_the_user_only(role: str) -> None:
    result = one_message({"role": role, "origin": "human", "text": "x"}, speaks_for_person=True)
    assert origin_of(result) != "human"
    assert "origin" in result.problems[0].reason


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"role": "robot", "text": "x"}, "role"),
        ({"text": "x"}, "role"),
        ({"role": ["user"], "text": "x"}, "role"),
        ({"role": "user"}, "text"),
        ({"role": "user", "text": "  "}, "text"),
        ({"role": "user", "text": 7}, "text"),
        ({"role": "user", "text": "x", "origin": "god"}, "origin"),
        ({"role": "user", "text": "x", "origin": {}}, "origin"),
        ({"role": "user", "text": "x", "at": "tomorrow"}, "at"),
        ({"role": "user", "text": "a\x00b"}, "text"),
    ],
)
def test_a_wrong_message_is_named_with_its_field(message: dict[str, Any], field: str) -> None:
    assert f"messages[0].{field}:" in one_message(message).problems[0].reason


@pytest.mark.parametrize(
    "value",
    [{"sessions": {}}, {"sessions": [7]}, {"turns": [None]}, {"messages": "x"}, [[]], [3], {"a": 1}, []],
)
def test_a_wrong_shape_gives_problems_and_no_sessions(value: Any) -> None:
    result = read_value(value, format="plain_json")
    assert result.sessions == ()
    assert bool(result.problems) == (value != [])


def test_a_repeated_turn_or_message_key_is_named() -> None:
    message = {"key": "m", "role": "user", "text": "x"}
    result = read_value(
        {"turns": [{"key": "t", "messages": [message, message]}, {"key": "t", "messages": [message]}]}
    )
    assert [len(turn.messages) for turn in result.sessions[0].turns] == [1]
    assert len(result.problems) == 2


def test_a_half_written_last_line_is_no_problem() -> None:
    line = json.dumps({"session": "s", "key": "t", "messages": [{"role": "user", "text": "x"}]})
    result = read(f"{line}\n{line[:40]}".encode(), filename="turns.jsonl")
    assert result.problems == ()
    assert result.skipped["half_written_last_line"] == 1
