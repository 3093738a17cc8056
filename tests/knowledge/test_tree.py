"""A namespace as files: what is read, and everything that hostile or careless files get told."""

from __future__ import annotations

import bz2
import io
import struct
import tracemalloc
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.notes import packing
from knowledge.notes.fields import says_when
from knowledge.notes.files import NoteFile, write
from knowledge.notes.packing import FileIn, from_folder, unzip, zipped
from knowledge.notes.tree import Tree, in_order, read_tree, write_tree
from tests.knowledge.make import note

NOW = datetime(2026, 5, 20, tzinfo=UTC)


def file(slug: str, by: str = "", **fields: object) -> NoteFile:
    status = "replaced" if by else "active"
    return NoteFile(note(slug, **fields), status, by)


def packed(*names: str, data: bytes = b"x") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), data)
    return held.getvalue()


def codes(tree: Tree) -> list[tuple[str, str]]:
    return [(each.code, each.path) for each in tree.problems if each.is_error]


def read(**files: str) -> Tree:
    return read_tree([FileIn(f"knowledge/{name}.md", text.encode()) for name, text in files.items()])


def test_what_is_written_is_read_again_with_its_summary() -> None:
    notes = [file("old-way", "new-way"), file("new-way")]
    tree = read_tree([FileIn(*each) for each in write_tree(notes, "# 概要")])
    assert tree.is_sound
    assert tree.by_slug() == {each.note.slug: each for each in notes}
    assert tree.summary == "# 概要"


def test_equal_files_make_equal_zips_whenever_they_are_packed() -> None:
    files = list(write_tree([file("a-note"), file("b-note")], "s"))
    assert zipped(files, at=NOW) == zipped(files, at=NOW)
    assert [(each.path, each.data) for each in unzip(zipped(files, at=NOW)).files] == files


@pytest.mark.parametrize(
    "paths",
    [
        ["knowledge/a.md", "memory/summary.md"],
        ["api/knowledge/a.md", "api/memory/summary.md"],
        ["a.md", "summary.md"],
    ],
)
def test_a_folder_around_and_lone_files_find_their_place(paths: list[str]) -> None:
    tree = read_tree([FileIn(paths[0], write(file("a")).encode()), FileIn(paths[1], b"About.\n")])
    assert (list(tree.notes), tree.summary, codes(tree)) == (["knowledge/a.md"], "About.", [])


def test_a_file_without_a_slug_takes_its_name_and_another_slug_is_remarked() -> None:
    text = write(file("b"))
    assert list(read(a=text.replace("slug: b\n", "")).by_slug()) == ["a"]
    other = read(a=text)
    assert list(other.by_slug()) == ["b"]
    assert [(each.code, each.level) for each in other.problems] == [("other_name", "warning")]


def test_everything_wrong_in_all_files_is_said_at_once() -> None:
    tree = read_tree(
        [
            FileIn("knowledge/手順.md", write(file("x")).replace("slug: x\n", "").encode()),
            FileIn("knowledge/long.md", write(file("long", body="字" * 8_001)).encode()),
            FileIn("knowledge/broken.md", b"---\ntitle: [\n---\n"),
            FileIn("knowledge/odd.md", write(file("odd")).replace("---\n\n", "mood: good\n---\n\n").encode()),
            FileIn("knowledge/sjis.md", write(file("sjis", title="手順")).encode("shift_jis")),
            FileIn("knowledge/utf16.md", write(file("utf16")).encode("utf-16")),
            FileIn("knowledge/nul.md", b"---\n\0---\n"),
            FileIn("knowledge/one.md", write(file("same")).encode()),
            FileIn("knowledge/two.md", write(file("same")).encode()),
            FileIn("knowledge/two.md", write(file("two")).encode()),
            FileIn("knowledge/p.md", write(file("p", "q")).encode()),
            FileIn("knowledge/q.md", write(file("q", "r")).encode()),
            FileIn("knowledge/r.md", write(file("r", "p")).encode()),
            FileIn("knowledge/deeper/a.md", write(file("a")).encode()),
            FileIn("memory/summary.md", ("あ" * 20_001).encode()),
            FileIn("notes.txt/x", b""),
        ]
    )
    assert codes(tree) == [
        ("not_yaml", "knowledge/broken.md"),
        ("not_in_tree", "knowledge/deeper/a.md"),
        ("too_long", "knowledge/long.md"),
        ("not_storable", "knowledge/nul.md"),
        ("unknown_field", "knowledge/odd.md"),
        ("not_utf8", "knowledge/sjis.md"),
        ("path_twice", "knowledge/two.md"),
        ("not_utf8", "knowledge/utf16.md"),
        ("characters", "knowledge/手順.md"),
        ("too_long", "memory/summary.md"),
        ("not_in_tree", "notes.txt/x"),
        ("slug_twice", "knowledge/two.md"),
        ("circle", "knowledge/p.md"),
    ]
    circle = next(each for each in tree.problems if each.code == "circle")
    assert circle.about == "p → q → r → p"


def test_one_file_with_many_flaws_has_all_of_them_named() -> None:
    text = "---\ntitle: a\nslug: 手順\nmood: x\nreplaced_by: b\n---\n" + "x" * 8_001
    assert [(each.code, each.field) for each in read(a=text).problems if each.is_error] == [
        ("unknown_field", "mood"),
        ("missing", "description"),
        ("replaced_by_whom", "replaced_by"),
        ("too_long", "body"),
        ("characters", "slug"),
    ]


def test_slugs_that_people_confuse_and_descriptions_without_a_when_are_remarks() -> None:
    tree = read(a=write(file("deploy-note")), b=write(file("deploy-notes", description="Steps.")))
    assert tree.is_sound
    assert {each.code for each in tree.problems} == {"other_name", "easily_confused", "says_no_when"}


@pytest.mark.parametrize(
    "text", ["Read it before a deploy.", "デプロイの前に読む", "障害のとき", "When tests fail"]
)
def test_a_description_says_when(text: str) -> None:
    assert says_when(text)


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")))
def test_in_order_a_note_comes_before_what_replaces_it_or_the_circle_is_found(chain: dict[str, str]) -> None:
    notes = {slug: file(slug, by) for slug, by in chain.items() if slug != by}
    order = in_order(notes)
    assert sorted(order) == sorted(notes)
    tree = read_tree([FileIn(f"knowledge/{slug}.md", write(each).encode()) for slug, each in notes.items()])
    if "circle" not in {each.code for each in tree.problems}:
        for slug in notes:
            by = notes[slug].replaced_by
            assert by not in notes or order.index(slug) < order.index(by)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.md",
        "/etc/passwd",
        "knowledge/../../x.md",
        "knowledge\\..\\x.md",
        "C:/x.md",
        "a//b.md",
        "a\nb.md",
    ],
)
def test_no_path_of_a_zip_leads_out_of_it(name: str) -> None:
    found = unzip(packed(name, "knowledge/a.md"))
    assert [each.path for each in found.files] == ["knowledge/a.md"]
    assert [each.code for each in found.problems] == ["unsafe_path"]


def test_links_encrypted_files_and_strange_methods_in_a_zip_are_refused() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        link = zipfile.ZipInfo("knowledge/link.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        device = zipfile.ZipInfo("knowledge/device.md")
        device.external_attr = 0o020666 << 16
        archive.writestr(device, "")
        archive.writestr("knowledge/bz.md", "x" * 100, compress_type=zipfile.ZIP_BZIP2)
        archive.writestr("knowledge/lz.md", "x" * 100, compress_type=zipfile.ZIP_LZMA)
        archive.writestr("knowledge/secret.md", "x")
        archive.writestr("__MACOSX/knowledge/._a.md", "x")
    data = bytearray(held.getvalue())
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"knowledge/secret.md"))
    data[at + 8] |= 1  # the bit that says: encrypted
    found = unzip(bytes(data))
    assert found.files == []
    assert [each.code for each in found.problems] == [
        "symlink",
        "no_file",
        "packed_strangely",
        "packed_strangely",
        "encrypted",
    ]


def test_ten_gigabytes_of_zeros_are_never_unpacked() -> None:
    """The entry tells the truth about its size, then it lies; either way memory stays small."""
    block = zlib_zeros(40_000_000)
    honest = entry("knowledge/bomb.md", block, size=10 * 2**30 % 2**32)
    lying = entry("knowledge/bomb.md", block, size=1_000)
    tracemalloc.start()
    assert [each.code for each in unzip(honest).problems] == ["file_too_large"]
    assert [each.code for each in unzip(lying).problems] == ["damaged"]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


def test_many_small_bombs_stop_at_the_limit_of_all_files() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(300):
            archive.writestr(f"knowledge/{number}.md", b"\0" * packing.MAX_FILE)
    found = unzip(held.getvalue())
    assert [each.code for each in found.problems] == ["too_large"]
    assert found.total <= packing.MAX_TOTAL


def test_more_files_than_anybody_keeps_are_refused() -> None:
    found = unzip(packed(*(f"knowledge/{number}.md" for number in range(packing.MAX_FILES + 5))))
    assert [each.code for each in found.problems] == ["too_many_files"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"not a zip", bz2.compress(b"x" * 99)])
def test_what_is_no_zip_is_said_to_be_none(data: bytes) -> None:
    assert [each.code for each in unzip(data).problems] == ["not_a_zip"]


@given(st.binary(max_size=400), st.integers(0, 300))
def test_a_damaged_zip_never_raises(noise: bytes, at: int) -> None:
    data = bytearray(packed("knowledge/a.md", "memory/summary.md", data=b"some text " * 9))
    data[at : at + len(noise) // 8] = noise[: len(noise) // 8]
    read_tree(unzip(bytes(data)).files, unzip(bytes(data)).problems)


def test_links_in_a_folder_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    root = tmp_path / "tree"
    (root / "knowledge").mkdir(parents=True)
    (root / "knowledge" / "a.md").write_text(write(file("a")))
    (root / "knowledge" / ".hidden").write_text("x")
    (root / "knowledge" / "b.md").symlink_to(outside / "secret.md")
    (root / "memory").symlink_to(outside)
    found = from_folder(root)
    assert [each.path for each in found.files] == ["knowledge/a.md"]
    assert [(each.code, each.path) for each in found.problems] == [
        ("symlink", "knowledge/b.md"),
        ("symlink", "memory"),
    ]


def zlib_zeros(count: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(squeeze.compress(b"\0" * 1_000_000) for _ in range(count // 1_000_000)) + squeeze.flush()


def entry(name: str, block: bytes, *, size: int) -> bytes:
    """A zip of one deflated entry that claims ``size`` bytes."""
    raw = name.encode()
    common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, 0, len(block), size, len(raw), 0)
    local = b"PK\x03\x04" + common + raw + block
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + raw
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end
