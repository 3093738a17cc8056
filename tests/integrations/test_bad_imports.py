"""Every importer against every kind of bad file: a plain sentence with its place, and nothing half-done."""

from __future__ import annotations

import json
import re
import stat
import sys
import zipfile

import pytest

from core.encoding import as_utf8, likely_encoding
from integrations.importers import FORMATS, read
from integrations.importers.base import FileIn, Found
from integrations.importers.words import Unreadable
from tests.integrations.bad_files import (
    DOCUMENTS,
    RAW,
    SPOILED,
    STORES,
    TALKS,
    mutated,
    store_files,
    talk,
    zipped,
)
from transcripts.readers import read as read_talk

door = sys.modules["integrations.importers.read"]  # the package exports the function under the same name


def outcome(files: list[FileIn], format: str) -> tuple[Found | None, list[str]]:
    """What was found, and every sentence that was said; None where nothing can be read at all."""
    try:
        found = read(files, format=format)
    except Unreadable as error:
        return None, [str(error)]
    return found, [problem.reason for problem in found.problems]


def taken(found: Found | None) -> int:
    return len(found.items) + len(found.choices) + len(found.conversations) if found else 0


@pytest.mark.parametrize("asked", ["named", "auto"])
@pytest.mark.parametrize("damage", SPOILED)
@pytest.mark.parametrize("name", STORES)
def test_every_store_says_plainly_what_is_wrong_with_every_bad_file(
    name: str, damage: str, asked: str
) -> None:
    spoil, may_be_read = SPOILED[damage]
    files = [FileIn(file.path, spoil(file.data)) for file in store_files(name)]
    found, said = outcome(files, STORES[name] if asked == "named" else "auto")
    assert not [each for each in said if re.search(RAW, each)]
    assert said or taken(found) or sum(found.unsupported.values() if found else [])
    if not may_be_read:
        assert said
        assert taken(found) == 0


@pytest.mark.parametrize("damage", SPOILED)
@pytest.mark.parametrize("name", TALKS)
def test_every_transcript_says_plainly_what_is_wrong_with_every_bad_file(name: str, damage: str) -> None:
    spoil, may_be_read = SPOILED[damage]
    if name.endswith(".md") and damage == "no zip":
        damage, may_be_read = "a line of prose", True  # before the first session: counted
    data = talk(name) * (3 if damage == "Latin-1" else 1)
    result = read_talk(spoil(data), filename=name, speaks_for_person=True)
    said = [problem.reason for problem in result.problems]
    assert not [each for each in said if re.search(RAW, each)]
    assert said or result.sessions or result.skipped
    if not may_be_read:
        assert said
        assert result.sessions == ()


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_document_that_is_cut_off_is_named_as_what_it_is_and_where(name: str, part: float) -> None:
    [file] = store_files(name)
    whole = file.data.rstrip()
    cut = whole[: int(len(whole) * part)]
    while cut[-1] & 0x80:  # not within a character: that would be another encoding
        cut = cut[:-1]
    found, said = outcome([FileIn(name, cut)], "auto")
    assert found is not None
    assert found.format == STORES[name]
    assert taken(found) == 0
    [problem] = found.problems
    assert problem.line == cut.count(b"\n") + 1
    assert re.match(rf"looks like .* that is cut off after {len(cut):,} bytes", said[0])


def test_one_document_of_our_own_that_is_cut_off_is_one_problem_and_leaves_nothing() -> None:
    data = talk("plain_sessions.json")
    cut = data[: data.rindex(b"}]}")]
    result = read_talk(cut, filename="plain_sessions.json")
    assert result.sessions == ()
    [problem] = result.problems
    assert problem.line == cut.count(b"\n") + 1
    assert f"cut off here, after {len(cut):,} bytes" in problem.reason


@pytest.mark.parametrize("name", ["mem0.json", "claude_mem.json", "moai_session.json", "conversations.json"])
def test_a_value_of_any_type_in_any_place_of_a_document_is_read_or_named(name: str) -> None:
    [file] = store_files(name)
    for value in mutated(json.loads(file.data)):
        _found, said = outcome([FileIn(name, json.dumps(value).encode())], STORES[name])
        assert not [each for each in said if re.search(RAW, each)], value


@pytest.mark.parametrize("name", ["mcp_memory.jsonl", "decisions.jsonl"])
def test_a_value_of_any_type_in_any_place_of_a_line_is_read_or_named(name: str) -> None:
    [file] = store_files(name)
    good = [json.loads(line) for line in file.data.splitlines()[:3]]
    for row in good:
        lines = "\n".join(json.dumps(value) for value in mutated(row))
        _found, said = outcome([FileIn(name, lines.encode())], STORES[name])
        assert not [each for each in said if re.search(RAW, each)]


@pytest.mark.parametrize("format", ["claude-memory", "basic-memory"])
@pytest.mark.parametrize(
    "front",
    [
        "type: [1]\npermalink: {a: 1}\ncreated: [2026]\nmodified: {}",
        "created: 9999-12-31\nmodified: 2026-02-30T99:00",
        'permalink: "a\\ud800b"\nname: "x\\0y"',
        "type: &a [*a]",
        "type: user\ntype: project",
        "[" * 2_000,
        "- a list",
        "created: !!python/object:os.system {}",
    ],
)
def test_front_matter_of_any_kind_is_read_or_named(format: str, front: str) -> None:
    note = f"---\n{front}\n---\n\nThe kettle stands left of the sink.\n"
    found, said = outcome([FileIn("note.md", note.encode())], format)
    assert found is not None
    assert not [each for each in said if re.search(RAW, each)]
    assert said or len(found.items) == 1


LINK = zipfile.ZipInfo("memory/link.md")
LINK.external_attr = (stat.S_IFLNK | 0o777) << 16


@pytest.mark.parametrize("name", STORES)
def test_no_store_takes_an_entry_that_leads_out_of_its_zip(name: str) -> None:
    good = store_files(name)
    entries = [(file.path, file.data) for file in good]
    odd = [(f"{path}{file.path}", file.data) for path in ("../", "/", "a/../../", "C:/") for file in good[:1]]
    packed = zipped(*entries, *odd, (LINK, b"../../etc/passwd"))
    plain, (found, said) = read(good, format=STORES[name]), outcome([packed], STORES[name])
    assert found is not None
    assert taken(found) == taken(plain)
    assert sum("leads out of its folder" in each for each in said) == 4
    assert sum("link or a device" in each for each in said) == 1


@pytest.mark.parametrize("name", STORES)
def test_no_store_takes_a_file_of_a_zip_twice(name: str) -> None:
    entries = [(file.path, file.data) for file in store_files(name)]
    with pytest.warns(UserWarning, match="Duplicate name"):
        packed = zipped(*entries, entries[0])
    found, said = outcome([packed], STORES[name])
    assert taken(found) == taken(read(store_files(name), format=STORES[name]))
    assert any("stands twice in the zip" in each for each in said)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_bomb_of_another_packing_is_not_unpacked(method: int) -> None:
    bomb = zipped(("MEMORY.md", b"\0" * 50_000_000), method=method)
    found, said = outcome([bomb], "auto")
    assert found is None
    assert "packed in a way that is not read" in said[0]


def test_several_zips_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MAX_BYTES", 1_000)
    half = [zipped((f"{name}.md", b"- a" * 200)) for name in "ab"]
    assert outcome(half[:1], "rules")[0] is not None
    found, said = outcome(half, "rules")
    assert found is None
    assert "larger than" in said[0]


@pytest.mark.parametrize("data", [b"no zip at all", b"PK\x03\x04 and nothing more", b"PK\x05\x06"])
def test_what_is_named_a_zip_and_is_none_is_refused_in_words(data: bytes) -> None:
    found, said = outcome([FileIn("a.zip", data)], "auto")
    assert found is None
    assert "a.zip" in said[0]
    assert not re.search(RAW, said[0])


def test_every_format_stands_in_the_table() -> None:
    assert set(STORES.values()) == set(FORMATS)


@pytest.mark.parametrize(
    ("text", "name"),
    [("「承認」は必ず通す。\n", "Shift_JIS"), ("Déjà vu: für, œuvre é à\n" * 9, ""), ("plain", "")],
)
def test_the_encoding_is_guessed_only_where_it_shows(text: str, name: str) -> None:
    data = text.encode("cp932" if name else "cp1252")
    assert likely_encoding(data) == name
    assert as_utf8(data) == data


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ['{"memory": "承認　フロー"}', "# aider chat started at\n\n#### はい\n"])
def test_utf_16_is_told_with_and_without_its_mark(codec: str, text: str) -> None:
    assert as_utf8(text.encode(codec)).decode() == text
