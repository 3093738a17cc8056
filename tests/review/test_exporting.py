"""How an export is written: nothing a text holds may break a line, an item or a file's name."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review.exporting import Told, file_name, json_line, markdown, unique

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200)
DAY = date(2026, 11, 30)


@given(st.dictionaries(st.text(max_size=20), TEXTS | st.integers() | st.none() | st.lists(TEXTS)))
def test_a_record_is_one_line_and_reads_back(record: dict[str, object]) -> None:
    line = json_line(record)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert json.loads(line) == record


def test_times_and_ids_are_text_and_strange_things_are_refused() -> None:
    at = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
    line = json_line({"at": at, "day": DAY, "id": UUID(int=7)})
    assert json.loads(line) == {"at": at.isoformat(), "day": "2026-11-30", "id": str(UUID(int=7))}
    with pytest.raises(TypeError, match="set has no place"):
        json_line({"x": {1, 2}})


@given(st.lists(TEXTS.filter(lambda text: bool(text.strip())), min_size=1, max_size=6))
def test_every_memory_is_one_item_whatever_its_text(texts: list[str]) -> None:
    body = b"".join(markdown("workspace:shop", [Told("fact", text, DAY) for text in texts])).decode()
    tokens = MarkdownIt("commonmark").parse(body)
    assert [each.tag for each in tokens if each.type == "heading_open"] == ["h1", "h2"]
    assert sum(each.type == "list_item_open" for each in tokens) == len(texts)
    assert sum(each.type == "bullet_list_open" for each in tokens) == 1


def test_markdown_is_grouped_by_kind_with_notes() -> None:
    told = [Told("fact", "One.\nTwo.", DAY), Told("pattern", "# Three", DAY, ("superseded",))]
    assert b"".join(markdown("persona:default", told)).decode() == (
        "# persona:default\n\n## fact\n\n- One.\n  Two. (2026-11-30)\n"
        "\n## pattern\n\n- \\# Three (2026-11-30, superseded)\n"
    )


@given(TEXTS)
def test_a_name_is_safe_on_any_disk(reference: str) -> None:
    name = file_name(reference)
    assert 1 <= len(name) <= 100
    assert not set(name) & set('/\\:*?"<>| \n\r\t')
    assert not name.startswith(".")
    assert name not in (".", "..")


def test_letters_of_any_script_stay_and_twins_are_numbered() -> None:
    assert file_name("persona:仕事") == "persona-仕事"
    taken: set[str] = set()
    assert [unique(name, taken) for name in ("a", "A", "a", "a-2")] == ["a", "A-2", "a-3", "a-2-2"]
