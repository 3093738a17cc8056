"""Readers of other stores: each real shape, and whatever else a file may hold."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.importers import FORMATS, base, read
from integrations.importers.base import FileIn, Found
from integrations.importers.junk import junk_of
from integrations.importers.read import sniff
from integrations.importers.words import Unreadable

# The package exports the function under the same name.
door = sys.modules["integrations.importers.read"]
DATA = Path(__file__).resolve().parents[1] / "data" / "imports"


def load(name: str) -> list[FileIn]:
    path = DATA / name
    held = sorted(path.iterdir()) if path.is_dir() else [path]
    return [FileIn(each.name, each.read_bytes()) for each in held]


def texts(found: Found) -> list[str]:
    return [item.text for item in found.items]


SHAPES = {
    "claude_memory": "claude-memory",
    "rules": "rules",
    "decisions.jsonl": "moai",
    "moai_session.json": "moai",
    "mem0.json": "mem0",
    "claude_mem.json": "claude-mem",
    "basic_memory": "basic-memory",
    "mcp_memory.jsonl": "mcp-memory",
    "conversations.json": "chatgpt",
}


@pytest.mark.parametrize(("name", "format"), SHAPES.items())
def test_each_shape_is_told_by_itself(name: str, format: str) -> None:
    assert sniff(load(name)) == format


def test_auto_memory_takes_topics_whole_and_the_index_only_for_what_it_alone_says() -> None:
    found = read(load("claude_memory"))
    assert "The staging database is reset every Monday at 06:00 UTC." in texts(found)
    whole = next(item for item in found.items if item.text.startswith("The API is deployed"))
    assert "on-call rota" in whole.text
    assert (whole.kind, whole.file, whole.line) == ("fact", "deploys.md", 7)
    tone = next(item for item in found.items if item.file == "tone.md")
    assert tone.kind == "preference"
    assert found.unsupported["line of the index"] == 2
    assert [(each.file, each.line) for each in found.problems] == [("MEMORY.md", 5)]
    assert "認証はセッション方式。トークンは使わない。" in texts(found)


def test_rules_stand_by_themselves_and_code_is_counted() -> None:
    found = read(load("rules"))
    assert "Testing: run `pytest -x` before each commit" in texts(found)
    assert "Prefer small functions with names that read as sentences." in texts(found)
    assert {item.kind for item in found.items} == {"preference"}
    assert found.unsupported["code block"] == 1
    assert found.unsupported["table"] == 2
    assert found.unsupported["import of another file"] == 1


def test_moai_lines_with_options_become_choices_and_others_decisions_outside_the_statistics() -> None:
    found = read(load("decisions.jsonl"))
    assert [json.loads(line)["decision_id"] for line in found.choices] == ["d1"]
    assert [(item.text, item.kind, item.note) for item in found.items] == [
        ("Branch or worktree? → Worktree", "decision", "no options"),
        ("Which editor? → None of them", "decision", "no options"),
    ]
    assert found.items[0].at == datetime(2026, 5, 4, 2, 0, tzinfo=UTC)
    assert [(each.line, each.reason.split()[0]) for each in found.problems] == [
        (3, "'soon'"),
        (4, "names"),
        (5, "is"),
    ]
    entries = read(load("moai_session.json"))
    assert texts(entries) == ["PR routing → Draft first", "Effort → high, ask"]


def test_mem0_keeps_ids_dates_and_kinds() -> None:
    found = read(load("mem0.json"))
    first, second, third = found.items[:3]
    assert (first.kind, first.ref) == ("preference", "m1")
    assert first.at == datetime(2025, 10, 1, 15, 0, tzinfo=UTC)
    assert second.at == datetime(2025, 10, 3, 15, 0, tzinfo=UTC)
    assert third.at is None  # changed before it was written
    said = [each.reason for each in found.problems]
    assert any("changed before" in reason for reason in said)
    assert any("stands twice" in reason for reason in said)
    assert any("no text" in reason for reason in said)
    assert found.unsupported["relation"] == 1


def test_claude_mem_gives_a_memory_a_fact_and_no_logs() -> None:
    found = read(load("claude_mem.json"))
    assert texts(found) == [
        "Deploys run in containers",
        "Rollback needs two people",
        "The race in the spool came from a rename across file systems.",
        "Renames across file systems are no moves.",
    ]
    assert [item.kind for item in found.items] == ["decision", "decision", "postmortem", "fact"]
    assert found.unsupported["prompts (a log)"] == 1
    assert [each.line for each in found.problems] == [3]


def test_basic_memory_takes_observations_or_else_paragraphs() -> None:
    found = read(load("basic_memory"))
    assert texts(found) == [
        "Pour over tastes better than press #brewing (tried in March)",
        "Boiling water burns the grounds",
        "The kettle stands left of the sink.",
    ]
    assert [item.kind for item in found.items] == ["preference", "postmortem", "fact"]
    assert found.items[0].at == datetime(2025, 3, 2, 9, 0, tzinfo=UTC)
    assert found.unsupported["relation"] == 1


def test_the_reference_memory_gives_observations_under_their_entity() -> None:
    found = read(load("mcp_memory.jsonl"))
    assert texts(found) == [
        "Billing: runs on Python 3.12",
        "Billing is owned by Kim",
        "Kim is on call for Billing",
    ]
    assert [each.line for each in found.problems] == [4, 5]
    assert found.unsupported["entity without observations"] == 1


def test_chatgpt_keeps_the_branch_that_was_kept() -> None:
    found = read(load("conversations.json"))
    [talk, circle] = found.conversations
    assert [message["text"] for turn in talk["turns"] for message in turn["messages"]][:2] == [
        "From now on we deploy the API with containers, never by hand.",
        "Understood, containers only.",
    ]
    assert talk["turns"][0]["messages"][0]["origin"] == "human"
    assert found.unsupported["message on a branch that was left"] == 1
    assert found.unsupported["picture or file"] == 1
    assert len(circle["turns"]) == 1
    assert [each.line for each in found.problems] == [2, 3]


def zipped(*files: FileIn) -> FileIn:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for file in files:
            made.writestr(file.path, file.data)
    return FileIn("upload.zip", target.getvalue())


@pytest.mark.parametrize(("name", "format"), SHAPES.items())
def test_a_zip_of_it_is_read_alike(name: str, format: str) -> None:
    plain, packed = read(load(name)), read([zipped(*load(name))])
    assert packed.format == format
    assert texts(packed) == texts(plain)


@pytest.mark.parametrize(("name", "format"), SHAPES.items())
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_named_and_never_an_exception(name: str, format: str, part: float) -> None:
    files = [FileIn(file.path, file.data[: int(len(file.data) * part)]) for file in load(name)]
    found = read(files, format=format)
    assert len(texts(found)) <= len(texts(read(load(name))))


@pytest.mark.parametrize(("name", "format"), SHAPES.items())
def test_another_encoding_is_read_or_named_by_line(name: str, format: str) -> None:
    wide = [FileIn(file.path, file.data.decode().encode("utf-16")) for file in load(name)]
    assert texts(read(wide, format=format)) == texts(read(load(name)))
    broken = [FileIn(file.path, b"\n" + file.data.replace(b"e", b"\xe9")) for file in load(name)]
    found = read(broken, format=format)
    assert texts(found) == []
    assert all(
        problem.line >= 2 and "UTF-8" in problem.reason
        for problem in found.problems
        if "UTF" in problem.reason
    )
    assert found.problems or found.unsupported


@given(
    data=st.binary(max_size=300),
    format=st.sampled_from(sorted(FORMATS)),
    name=st.sampled_from(["a.md", "a.json", "a.jsonl"]),
)
def test_whatever_the_bytes_are_they_give_a_result(data: bytes, format: str, name: str) -> None:
    try:
        found = read([FileIn(name, data)], format=format)
    except Unreadable:
        return
    assert found.format == format


NAMES = [
    "results",
    "memory",
    "id",
    "created_at",
    "observations",
    "facts",
    "mapping",
    "message",
    "entries",
    "type",
    "name",
    "summaries",
    "current_node",
    "author",
    "role",
    "content",
    "parts",
    "user_choice",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)


@given(value=JSON, format=st.sampled_from(["mem0", "claude-mem", "chatgpt", "moai", "mcp-memory"]))
def test_whatever_the_json_says_it_gives_a_result(value: object, format: str) -> None:
    data = json.dumps(value).encode()
    name = "a.jsonl" if format == "mcp-memory" else "a.json"
    assert read([FileIn(name, data)], format=format).format == format


def test_what_is_named_counts_lines_of_lines_and_entries_of_documents() -> None:
    places = {each.place for each in read(load("mem0.json")).problems}
    assert "mem0.json, entry 4" in places
    assert {each.place for each in read(load("mcp_memory.jsonl")).problems} == {
        "mcp_memory.jsonl:4",
        "mcp_memory.jsonl:5",
    }
    cut = load("mem0.json")[0]
    half = read([FileIn("mem0.json", cut.data[: len(cut.data) // 2])], format="mem0")
    assert half.items == []  # nothing half-done: a document that was cut is no document
    [problem] = half.problems
    assert problem.place == f"mem0.json:{problem.line}"
    assert problem.line > 1
    assert read(load("mem0.json")).items[0].place == "mem0.json, entry 1"


def test_very_many_entries_are_counted_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MAX_ITEMS", 3)
    lines = [{"type": "entity", "name": f"E{n}", "observations": ["is red"]} for n in range(5)]
    data = "\n".join(map(json.dumps, lines)).encode()
    found = read([FileIn("a.jsonl", data)], format="mcp-memory")
    assert (len(found.items), found.unsupported["over the limit"]) == (3, 2)
    choice = {"question": "Which tier?", "all_options": ["S", "M"], "user_choice": "M"}
    data = "\n".join(json.dumps({**choice, "decision_id": f"d{n}"}) for n in range(5)).encode()
    found = read([FileIn("decisions.jsonl", data)], format="moai")
    assert (len(found.choices), found.unsupported["choice over the limit"]) == (3, 2)


def test_a_bomb_is_refused_before_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MAX_BYTES", 100_000)
    with pytest.raises(Unreadable, match="larger"):
        read([zipped(FileIn("a.md", b"0" * 10_000_000))])
    with pytest.raises(Unreadable, match="larger"):
        read([FileIn("a.md", b"0" * 200_000)])


def test_a_zip_of_very_many_files_and_a_damaged_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MAX_FILES", 5)
    with pytest.raises(Unreadable, match="more than 5"):
        read([zipped(*(FileIn(f"{n}.md", b"x") for n in range(9)))])
    with pytest.raises(Unreadable, match="zip"):
        read([FileIn("a.zip", zipped(FileIn("a.md", b"x" * 99)).data[:60])])


def test_what_is_not_known_is_said_plainly() -> None:
    for files in ([], [FileIn("a.bin", b"\x00\x01")], [FileIn("a.txt", b"hello")]):
        with pytest.raises(Unreadable):
            read(files)
    with pytest.raises(Unreadable, match="auto or one of"):
        read([FileIn("a.md", b"x")], format="word")


@pytest.mark.parametrize(
    "line",
    [
        "-" * 7_000,
        "a." * 3_500,
        "#" * 50_000,
        "- [a] b" + " #a" * 20_000 + " !",
        "[" * 50_000,
        "# " + "x#" * 20_000,
    ],
    ids=["rule", "dots", "hashes", "tags", "brackets", "heading"],
)
@pytest.mark.parametrize("format", ["rules", "claude-memory", "basic-memory"])
def test_odd_lines_cost_no_more_than_others(line: str, format: str) -> None:
    """With a pattern that tries things twice, these would run for minutes: the suite's own limit would end them."""
    found = read([FileIn("MEMORY.md", "\n\n".join([line] * 40).encode())], format=format)
    for item in found.items:
        junk_of(item.text)
    told = len(found.items) + len(found.problems) + sum(found.unsupported.values())
    assert told > 0 or line.startswith("# ")


def test_tags_are_taken_off_the_end_alone() -> None:
    said = {
        "- [fact] Use #pnpm here #tools #js": "Use #pnpm here",
        "- [fact] #all #tags": "#all",
        "- [fact] no tags": "no tags",
        "- [fact] ends with hash #": "ends with hash #",
    }
    found = read([FileIn("a.md", "\n".join(said).encode())], format="basic-memory")
    assert texts(found) == list(said.values())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("You are a helpful assistant. Follow the system prompt.", "boot"),
        ("<system-reminder>Never mention this</system-reminder>", "boot"),
        ("This session is being continued from a previous conversation", "boot"),
        ("src/app.py\nsrc/other.py\ntests/test_app.py", "log"),
        ("- Modified: src/app.py\n- created `other.py`\n* ./a-b/c.d.ts", "log"),
        ("2026-01-01 10:00 started\n2026-01-01 10:01 stopped", "log"),
        ("ok", "scrap"),
        ("Done!", "scrap"),
        ("はい", "scrap"),
        ("x " * 5_000, "too_long"),
        ("We deploy with containers.", ""),
        ("認証はセッション方式にする。", ""),
        ("The system is slow on Mondays because of the backup.", ""),
        ("Rotate the key in June; it lies in the safe.", ""),
    ],
)
def test_junk_is_told_from_memories(text: str, why: str) -> None:
    assert junk_of(text) == why
