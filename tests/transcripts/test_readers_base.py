"""The door to the readers: finding out the format, limits, and surviving any bytes at all."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transcripts.readers import read
from transcripts.readers.base import FORMATS, ReadResult, TooLarge, UnknownFormat, sniff
from transcripts.readers.lines import MAX_PROBLEMS, is_storable
from transcripts.readers.shapes import ORIGINS, ROLES

DATA = Path(__file__).parents[1] / "data" / "transcripts"
FIXTURES = sorted(path for path in DATA.iterdir() if path.is_file())


def check(result: ReadResult) -> None:
    """What holds for every result, whatever was read."""
    for session in result.sessions:
        assert session.key
        assert session.turns
        keys = [turn.key for turn in session.turns]
        assert len(keys) == len(set(keys))
        assert session.started_at is None or session.started_at.utcoffset() is not None
        for turn in session.turns:
            assert turn.messages
            for message in turn.messages:
                assert message.role in ROLES
                assert message.origin in ORIGINS
                assert message.text.strip()
                assert is_storable(message.text)
                assert is_storable(message.key)
                assert message.origin != "human" or message.role == "user"
    assert all(problem.line >= 1 and is_storable(problem.reason) for problem in result.problems)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_the_content_tells_the_format(path: Path) -> None:
    expected = next(name for name in FORMATS if path.name.startswith(name.split("_json")[0]))
    assert sniff(path.read_bytes(), filename="upload") == expected
    check(read(path.read_bytes(), filename="upload"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(path: Path) -> None:
    data = path.read_bytes()
    assert read(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), filename="x") == read(data, filename="x")


def test_utf_16_is_read() -> None:
    text = (DATA / "aider_0.86.chat.history.md").read_text("utf-8")
    assert read(text.encode("utf-16"), filename="x") == read(text.encode(), filename="x")


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UnknownFormat, match="claude_code, aider, plain_json"):
        read(b"", filename="x", format="cursor")


def test_a_file_that_is_too_large_is_refused_with_both_sizes() -> None:
    with pytest.raises(TooLarge, match="11 bytes; at most 10"):
        read(b"x" * 11, filename="x", max_bytes=10)


@pytest.mark.parametrize("data", [b"plain prose", b"PK\x03\x04\x00\x00", b"\x89PNG\r\n"])
def test_a_file_of_another_kind_is_said_to_be_one(data: bytes) -> None:
    result = read(data, filename="x.bin")
    assert result.sessions == ()
    assert "known format" in result.problems[0].reason


def test_an_empty_file_is_said_to_be_one() -> None:
    [problem] = read(b"\n \n", filename="x.jsonl").problems
    assert problem.reason == "the file is empty"


def test_problems_are_capped_and_the_rest_counted() -> None:
    result = read(b"x\n" * 1_000, filename="x.jsonl", format="claude_code")
    assert len(result.problems) == MAX_PROBLEMS
    assert result.skipped["more_problems"] == 1_000 - MAX_PROBLEMS


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=400), format=st.sampled_from(["auto", *FORMATS]))
def test_any_bytes_give_a_result(data: bytes, format: str) -> None:
    check(read(data, filename="x", format=format, speaks_for_person=True))


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(FIXTURES),
    cut=st.floats(0, 1),
    length=st.integers(0, 3_000),
    splice=st.one_of(
        st.binary(max_size=40), st.sampled_from([b"\x00", b"\\ud800", b"\n", b'"', b"null", b"[]", b"{}"])
    ),
    format=st.sampled_from(["auto", *FORMATS]),
)
def test_any_damage_to_a_transcript_gives_a_result(
    path: Path, cut: float, length: int, splice: bytes, format: str
) -> None:
    data = path.read_bytes()
    at = int(cut * len(data))
    check(read(data[:at] + splice + data[at + length :], filename=path.name, format=format, tz="Asia/Tokyo"))


NAMES = [
    "type",
    "uuid",
    "parentUuid",
    "message",
    "content",
    "role",
    "text",
    "id",
    "origin",
    "kind",
    "promptId",
    "attachment",
    "prompt",
    "toolUseResult",
    "questions",
    "answers",
    "annotations",
    "sessions",
    "turns",
    "messages",
    "session",
    "key",
    "tz",
    "at",
    "timestamp",
    "forkedFrom",
    "sessionId",
    "compactMetadata",
]
WORDS = ["user", "assistant", "system", "attachment", "text", "tool_use", "tool_result", "queued_command"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES), inner | st.sampled_from(WORDS), max_size=6)
    ),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(values=st.lists(json_values, max_size=5), format=st.sampled_from(["claude_code", "plain_json"]))
def test_any_json_gives_a_result(values: list[object], format: str) -> None:
    data = "\n".join(json.dumps(value) for value in values).encode()
    check(read(data, filename="x", format=format, speaks_for_person=True))


def test_deep_nesting_and_huge_numbers_are_only_broken_lines() -> None:
    data = b"[" * 200_000 + b"\n" + b'{"type":' + b"9" * 10_000 + b"}\n"
    assert [problem.line for problem in read(data, filename="x", format="claude_code").problems] == [1, 2]


def test_twenty_megabytes_take_less_than_three_seconds() -> None:
    lines, parent = [], None
    for index in range(6_000):
        base = {
            "sessionId": "s",
            "parentUuid": parent,
            "timestamp": "2026-10-05T01:00:00Z",
            "isSidechain": False,
        }
        if index % 3 == 0:
            body = {
                "type": "user",
                "promptId": f"p{index}",
                "promptSource": "typed",
                "origin": {"kind": "human"},
            }
            body["message"] = {"role": "user", "content": "税率の表を直してください。" * 20}
        else:
            body = {
                "type": "assistant",
                "message": {"id": f"m{index}", "role": "assistant", "content": "x" * 4_600},
            }
        parent = f"u{index}"
        lines.append(json.dumps(base | body | {"uuid": parent}, ensure_ascii=False))
    data = "\n".join(lines).encode()
    assert len(data) > 20_000_000
    began = time.process_time()
    result = read(data, filename="s.jsonl")
    assert time.process_time() - began < 3
    assert len(result.sessions[0].turns) == 2_000


def test_a_large_file_that_is_no_transcript_is_given_up_early() -> None:
    began = time.process_time()
    result = read(b"{\n" * 3_000_000, filename="s.jsonl", format="claude_code")
    assert time.process_time() - began < 1
    assert result.skipped["reading_stopped"] == 1


def test_hundreds_of_compactions_are_read_in_one_pass() -> None:
    lines, parent = [], None
    for index in range(20_000):
        base = {"sessionId": "s", "parentUuid": parent, "uuid": f"u{index}"}
        body: dict[str, object] = {"type": "user", "message": {"content": f"message {index}"}}
        if index % 20 == 0:
            body = {
                "type": "system",
                "subtype": "compact_boundary",
                "parentUuid": None,
                "logicalParentUuid": parent,
            }
        parent = f"u{index}"
        lines.append(json.dumps(base | body))
    began = time.process_time()
    session = read("\n".join(lines).encode(), filename="s.jsonl").sessions[0]
    assert time.process_time() - began < 3
    assert (len(session.compactions), len(session.turns)) == (1_000, 19_000)
