"""Claude Code transcripts that are damaged, still growing, or cut out of a longer one."""

import json

import pytest

from tests.transcripts.reading import HUMAN, line, lines_of, messages, read_lines, texts
from transcripts.readers.base import read


@pytest.mark.parametrize(
    "damage", ['{"type":"user","mess', "garbage", "[1, 2]", "\x00\x00", '{"parentUuid":']
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_broken_line_imports_the_rest_and_is_named(damage: str, at: int) -> None:
    lines = lines_of("claude_code_2.1.263_resume.jsonl")
    del lines[2]  # the title has no place in the chain
    whole = texts(read_lines(lines))
    result = read_lines([*lines[:at], damage, *lines[at + 1 :]])
    assert texts(result) == [*whole[:at], *whole[at + 1 :]]
    assert [problem.line for problem in result.problems] == [at + 1]


def test_garbage_at_the_end_is_named() -> None:
    result = read_lines([*lines_of("claude_code_2.1.263_resume.jsonl"), "garbage"])
    assert [problem.line for problem in result.problems] == [6]
    assert len(result.sessions[0].turns) == 2


def test_a_line_cut_in_the_middle_keeps_its_place_next_to_a_rewind() -> None:
    lines = lines_of("claude_code_2.1.293_rewind.jsonl")
    lines[6] = lines[6][:200]  # the first line of the live branch after the rewind
    result = read_lines(lines)
    assert not any("MongoDB" in text for text in texts(result))
    assert texts(result)[:2] == ["Set up the API project.", "Created a FastAPI skeleton."]
    assert [problem.line for problem in result.problems] == [7]


@pytest.mark.parametrize("keep", [40, 300, -1])
def test_a_half_written_last_line_is_no_problem(keep: int) -> None:
    lines = lines_of("claude_code_2.1.263_resume.jsonl")
    data = ("\n".join(lines[:-1]) + "\n").encode() + lines[-1].encode()[:keep]
    result = read(data, filename="s.jsonl")
    assert result.problems == ()
    assert result.skipped["half_written_last_line"] == 1
    assert len(result.sessions[0].turns) == 2


def test_reading_a_longer_copy_gives_the_same_keys_again() -> None:
    lines = lines_of("claude_code_2.1.293_every_row.jsonl")
    whole = {m.key: m for m in messages(read_lines(lines).sessions[0])}
    for count in range(4, len(lines)):
        for session in read_lines(lines[:count]).sessions:
            for message in messages(session):
                assert whole[message.key] == message


def test_a_slice_that_starts_in_mid_turn_is_read() -> None:
    lines = lines_of("claude_code_2.1.293_every_row.jsonl")
    result = read_lines(lines[7:])
    turn = result.sessions[0].turns[0]
    assert turn.key == json.loads(lines[7])["promptId"]
    assert turn.messages[0].text.startswith("package-lock.json")


def test_an_unknown_line_type_is_named_once() -> None:
    lines = [line("user", "u", None, "Hello.", **HUMAN)]
    lines += [json.dumps({"type": "hologram", "uuid": f"h{n}", "parentUuid": "u"}) for n in range(5)]
    result = read_lines(lines)
    assert [(problem.line, "hologram" in problem.reason) for problem in result.problems] == [(2, True)]
    assert result.skipped["unknown_type"] == 5
    assert texts(result) == ["Hello."]


def test_unstorable_characters_are_replaced_and_named() -> None:
    result = read_lines([line("user", "u", None, "a\x00b\ud800c", **HUMAN).replace("\ud800", "\\ud800")])
    assert texts(result) == ["a\ufffdb\ufffdc"]
    assert [problem.line for problem in result.problems] == [1]


def test_a_line_written_twice_is_read_once() -> None:
    lines = lines_of("claude_code_2.1.263_resume.jsonl")
    result = read_lines([*lines, *lines[:2]])
    assert texts(result) == texts(read_lines(lines))
    assert result.skipped["duplicate_line"] == 2


def test_a_file_of_one_subagent_holds_no_session() -> None:
    result = read_lines(
        [line("user", "u", None, "x", isSidechain=True), line("assistant", "a", "u", "y", isSidechain=True)]
    )
    assert result.sessions == ()
    assert result.skipped["sidechain"] == 2
