"""mem0: what ``get_all`` or an export gives, ``{"results": [{"id", "memory", "created_at", …}]}`` or a bare list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found, Item
from integrations.importers.parsing import document, moment, text_of, written

_LISTS = ("results", "memories", "data")
_KINDS = {"preference": "preference", "preferences": "preference", "personal_preferences": "preference"}


def reads(files: Sequence[FileIn]) -> bool:
    heads = [file.data[:200_000] for file in files if file.path.endswith(".json")]
    return any(
        b'"memory"' in head and (b'"hash"' in head or b'"user_id"' in head or b'"results"' in head)
        for head in heads
    )


def read(files: Sequence[FileIn]) -> Found:
    found = Found("mem0")
    for file in files:
        value = document(file, found)
        rows = (
            next((value[name] for name in _LISTS if name in value), None)
            if isinstance(value, dict)
            else value
        )
        if value is not None and not isinstance(rows, list):
            found.problem(file.path, 0, gettext_noop('holds no list under "results" or "memories"'))
            continue
        for number, row in enumerate(rows or [], start=1):
            if isinstance(row, dict):
                _take(file.path, number, row, found)
            else:
                found.problem(file.path, number, gettext_noop("is no object"))
        relations = value.get("relations") if isinstance(value, dict) else None
        found.unsupported["relation"] += len(relations) if isinstance(relations, list) else bool(relations)
    return found


def _take(path: str, number: int, row: Mapping[str, Any], found: Found) -> None:
    said = text_of(row.get("memory")) or text_of(row.get("text"))
    if not said:
        found.problem(path, number, gettext_noop('has no text under "memory"'))
        return
    named = row.get("categories")
    categories = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    metadata = row.get("metadata")
    kind = text_of(metadata.get("type")) if isinstance(metadata, dict) else ""
    kinds = [_KINDS[name] for name in (kind, *categories) if name in _KINDS]
    created = moment(row.get("created_at"), path, number, found)
    updated = moment(row.get("updated_at"), path, number, found)
    found.add(
        Item(
            said,
            kinds[0] if kinds else "fact",
            path,
            number,
            text_of(row.get("id")),
            written(created, updated, path, number, found),
        )
    )
