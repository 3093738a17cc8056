"""The zip of an archive: equal bytes for equal content, limits for everything else."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.archive import container
from integrations.archive.container import Reader, Unreadable, Writer, is_archive

LINES = st.lists(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=3), max_size=5)


def written(**files: list[dict[str, str]]) -> bytes:
    target = io.BytesIO()
    writer = Writer(target)
    for name, records in files.items():
        writer.add(f"{name}.jsonl", [json.dumps(record).encode() + b"\n" for record in records])
    writer.close()
    return target.getvalue()


@given(LINES)
def test_what_is_written_is_read_and_written_alike(records: list[dict[str, str]]) -> None:
    data = written(a=records)
    assert data == written(a=records)
    assert is_archive(io.BytesIO(data))
    assert [line.value for line in Reader(io.BytesIO(data)).lines("a.jsonl")] == records


@given(LINES.filter(bool), st.data())
def test_a_truncated_archive_is_never_taken_for_a_whole_one(
    records: list[dict[str, str]], draw: st.DataObject
) -> None:
    data = written(a=records)
    cut = data[: draw.draw(st.integers(0, len(data) - 1))]
    with pytest.raises(Unreadable):
        list(Reader(io.BytesIO(cut)).lines("a.jsonl"))


def test_a_zip_that_unpacks_to_too_much_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_BYTES", 1_000)
    with pytest.raises(Unreadable, match="larger"):
        Reader(io.BytesIO(written(a=[{"zeros": "0" * 10_000}])))


def test_a_line_that_never_ends_is_refused_before_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_LINE", 500)
    with pytest.raises(Unreadable, match="longer"):
        list(Reader(io.BytesIO(written(a=[{"zeros": "0" * 10_000}]))).lines("a.jsonl"))


def test_a_zip_that_lies_about_its_sizes_gives_no_more_than_it_said() -> None:
    data = written(a=[{"zeros": "0" * 100_000}])
    size = zipfile.ZipFile(io.BytesIO(data)).getinfo("a.jsonl").file_size
    lying = data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(Unreadable):
        list(Reader(io.BytesIO(lying)).lines("a.jsonl"))


@pytest.mark.parametrize(
    "manifest", [b"{", b"[]", b'{"format": "zip"}', b'{"format": "hikae-namespace", "version": 9}']
)
def test_a_manifest_of_something_else_is_refused(manifest: bytes) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("manifest.json", manifest)
    with pytest.raises(Unreadable):
        Reader(io.BytesIO(target.getvalue()))


def test_very_many_files_are_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        for number in range(200):
            made.writestr(f"{number}.jsonl", b"")
    with pytest.raises(Unreadable, match="200"):
        Reader(io.BytesIO(target.getvalue()))
