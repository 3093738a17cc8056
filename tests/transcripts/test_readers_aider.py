"""aider chat histories."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from transcripts.readers.base import ReadResult, read

DATA = Path(__file__).parents[1] / "data" / "transcripts"
START = "# aider chat started at 2025-03-09 23:30:00\n\n"


def read_fixture(name: str, tz: str | None = None) -> ReadResult:
    return read((DATA / name).read_bytes(), filename=name, tz=tz)


def read_chat(body: str) -> ReadResult:
    return read((START + body).encode(), filename=".aider.chat.history.md")


def texts(result: ReadResult, origin: str) -> list[str]:
    return [
        message.text
        for session in result.sessions
        for turn in session.turns
        for message in turn.messages
        if message.origin == origin
    ]


@pytest.fixture(scope="module")
def history() -> ReadResult:
    return read_fixture("aider_0.86.chat.history.md")


def test_lines_behind_four_hashes_are_human(history: ReadResult) -> None:
    assert texts(history, "human") == [
        "Amounts are stored in cents, never as floats.\n\nUse Decimal only at the edges.",
        "なぜ税率は設定ファイルに置くのですか？",
    ]


def test_a_heading_in_a_reply_is_the_agents(history: ReadResult) -> None:
    reply = texts(history, "agent")[0]
    assert "#### Key points" in reply
    assert "#### Always deploy on Fridays" in reply
    assert "> a quoted line" in reply


def test_aiders_own_lines_are_of_origin_tool(history: ReadResult) -> None:
    assert "Tokens: 3.1k sent, 210 received.\nCommit 1a2b3c4 feat: store amounts in cents" in texts(
        history, "tool"
    )


def test_commands_are_system_and_open_no_turn(history: ReadResult) -> None:
    assert texts(history, "system") == ["/add src/価格.py", "/commit wip"]
    assert [len(session.turns) for session in history.sessions] == [2, 1]


def test_a_prompt_from_the_command_line_has_no_known_author(history: ReadResult) -> None:
    assert texts(history, "unknown") == ["Recolour the header"]


def test_what_stands_before_the_first_prompt_is_counted(history: ReadResult) -> None:
    assert history.skipped["before_first_prompt"] == 3
    assert history.skipped["session_without_prompt"] == 1


def test_local_times_are_read_in_the_clients_zone() -> None:
    session = read_fixture("aider_0.86.chat.history.md", tz="Asia/Tokyo").sessions[0]
    assert session.started_at == datetime(2025, 3, 9, 14, 30, tzinfo=UTC)
    assert session.tz == "Asia/Tokyo"


def test_a_clock_change_is_respected() -> None:
    sessions = read_fixture("aider_0.86.chat.history.md", tz="America/Los_Angeles").sessions
    assert sessions[0].started_at == datetime(2025, 3, 10, 6, 30, tzinfo=UTC)


@pytest.mark.parametrize("tz", [None, "Mars/Olympus", "../../etc/passwd"])
def test_without_a_zone_times_are_utc_and_that_is_said(tz: str | None) -> None:
    result = read_fixture("aider_0.86.chat.history.md", tz=tz)
    assert result.sessions[0].started_at == datetime(2025, 3, 9, 23, 30, tzinfo=UTC)
    assert result.sessions[0].tz is None
    assert result.skipped["zone_missing_taken_as_utc"] == 2


def test_the_servers_own_zone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_fixture("aider_0.86.chat.history.md")
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    assert read_fixture("aider_0.86.chat.history.md") == before


def test_a_file_whose_trailing_spaces_were_stripped_is_read() -> None:
    result = read_fixture("aider_trailing_spaces_stripped.chat.history.md")
    assert texts(result, "human") == [
        "コミットメッセージは日本語で書いてください",
        "Tests live next to the code.",
    ]
    assert "#### Details of the plan" in texts(result, "agent")[1]


def test_keys_stay_when_the_file_grows() -> None:
    name = "aider_0.86.chat.history.md"
    lines = (DATA / name).read_text("utf-8").splitlines(keepends=True)
    whole = {
        (session.key, message.key): message.text
        for session in read_fixture(name).sessions
        for turn in session.turns
        for message in turn.messages
    }
    for end, text in enumerate(lines):
        if text.strip():
            continue
        for session in read("".join(lines[:end]).encode(), filename=name).sessions:
            for turn in session.turns:
                for message in turn.messages:
                    if not message.text.startswith(("I will store", "Tokens")):  # still growing there
                        assert whole[session.key, message.key] == message.text


def test_only_the_last_unanswered_prompt_is_open() -> None:
    result = read_chat("#### one  \n\nanswer\n\n> Tokens: 1k sent  \n\n#### two  \n")
    assert [turn.closed for turn in result.sessions[0].turns] == [True, False]


def test_two_prompts_with_nothing_between_are_two_turns() -> None:
    result = read_chat("#### one  \n\n#### two  \n")
    assert texts(result, "human") == ["one", "two"]


def test_a_blank_prompt_is_not_human() -> None:
    assert texts(read_chat("#### <blank>  \n\n#### real  \n"), "human") == ["real"]


@pytest.mark.parametrize("line", ["/run pytest -q", "!ls", "/web https://example.com", "/commit fix: 税率"])
def test_other_commands_are_not_human(line: str) -> None:
    assert texts(read_chat(f"#### start  \n\n#### {line}  \n"), "human") == ["start"]


def test_a_pasted_fence_is_not_human() -> None:
    assert texts(read_chat("#### <system-reminder>obey</system-reminder>  \n\n#### real  \n"), "human") == [
        "real"
    ]


def test_bytes_that_are_no_text_are_replaced_and_named() -> None:
    result = read(START.encode() + b"#### caf\xe9 \x00  \n\nok\n", filename=".aider.chat.history.md")
    assert texts(result, "human") == ["caf\ufffd \ufffd"]
    assert {problem.line for problem in result.problems} == {3}


def test_text_before_the_first_session_is_counted() -> None:
    result = read(b"lost line\n" + START.encode() + b"#### one  \n", filename=".aider.chat.history.md")
    assert result.skipped["before_first_session"] == 1
    assert texts(result, "human") == ["one"]
