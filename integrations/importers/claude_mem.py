"""claude-mem: the JSON of its export, ``{"observations": […], "summaries": […], "sessions": […], "prompts": […]}``.

An observation with facts gives one memory a fact, else its narrative. What a summary says was learned is one more.
Sessions, prompts, and what was merely done are logs: counted, not taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found, Item
from integrations.importers.parsing import document, moment, text_of

_KINDS = {
    "decision": "decision",
    "bugfix": "postmortem",
    "discovery": "fact",
    "pattern": "pattern",
    "refactor": "event",
    "feature": "event",
    "change": "event",
}


def reads(files: Sequence[FileIn]) -> bool:
    heads = [file.data[:200_000] for file in files if file.path.endswith(".json")]
    return any(
        b'"observations"' in head and (b'"exportedAt"' in head or b'"summaries"' in head) for head in heads
    )


def read(files: Sequence[FileIn]) -> Found:
    found = Found("claude-mem")
    for file in files:
        value = document(file, found)
        if value is None:
            continue
        if not isinstance(value, dict):
            found.problem(file.path, 0, gettext_noop("is not the export of claude-mem"))
            continue
        for number, row in _rows(file.path, value, "observations", found):
            _observation(file.path, number, row, found)
        for number, row in _rows(file.path, value, "summaries", found):
            _summary(file.path, number, row, found)
        for name in ("sessions", "prompts"):
            held = value.get(name)
            found.unsupported[f"{name} (a log)"] += len(held) if isinstance(held, list) else 0
    return found


def _rows(
    path: str, value: Mapping[str, Any], name: str, found: Found
) -> list[tuple[int, Mapping[str, Any]]]:
    held = value.get(name) or []
    if not isinstance(held, list):
        found.problem(path, 0, gettext_noop("%(name)s is no list"), name=name)
        return []
    for number, row in enumerate(held, start=1):
        if not isinstance(row, dict):
            found.problem(path, number, gettext_noop("is no object in %(name)s"), name=name)
    return [(number, row) for number, row in enumerate(held, start=1) if isinstance(row, dict)]


def _observation(path: str, number: int, row: Mapping[str, Any], found: Found) -> None:
    at = moment(row.get("created_at_epoch") or row.get("created_at"), path, number, found)
    kind = _KINDS.get(text_of(row.get("type")), "fact")
    facts = _list(row.get("facts"))
    told = facts or list(filter(None, [text_of(row.get("narrative")) or text_of(row.get("text"))]))
    if not told and text_of(row.get("title")):
        told = [text_of(row.get("title"))]
    if not told:
        found.problem(path, number, gettext_noop("has neither facts nor a narrative"))
    ref = f"observation-{row.get('id', number)}"
    for index, said in enumerate(told):
        found.add(Item(said, kind, path, number, f"{ref}-{index}" if index else ref, at))


def _summary(path: str, number: int, row: Mapping[str, Any], found: Found) -> None:
    at = moment(row.get("created_at_epoch") or row.get("created_at"), path, number, found)
    learned = text_of(row.get("learned"))
    if learned:
        found.add(Item(learned, "fact", path, number, f"summary-{row.get('id', number)}", at))
    found.unsupported["what was merely done (a log)"] += sum(
        1 for name in ("request", "investigated", "completed", "next_steps") if text_of(row.get(name))
    )


def _list(value: Any) -> list[str]:
    """A list, or a list written as JSON in a text, as the tool stores it."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value.strip()] if value.strip() else []
    return [text_of(each) for each in value if text_of(each)] if isinstance(value, list) else []
