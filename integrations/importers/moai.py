"""MoAI: entries of its session JSON, and ``decisions.jsonl``.

A line with its options becomes a choice, as ``manage.py import_choices`` takes it. An entry without options says what
was decided but not against what: it is shown as a decision to review, and stays outside the statistics.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found, Item
from integrations.importers.parsing import document, json_lines, moment, text_of

NO_OPTIONS = "no options"
_ANSWERS = ("user_choice", "choice", "answer", "selected", "decision")
_QUESTIONS = ("question", "header", "topic")
_TIMES = ("timestamp", "at", "created_at", "updated_at")


def reads(files: Sequence[FileIn]) -> bool:
    return any(_is_ours(file) for file in files)


def read(files: Sequence[FileIn]) -> Found:
    found = Found("moai")
    for file in files:
        for number, entry in _entries(file, found):
            _take(file.path, number, entry, found)
    return found


def _is_ours(file: FileIn) -> bool:
    head = file.data[:200_000]
    if file.path.endswith("decisions.jsonl") or b'"user_choice"' in head:
        return True
    return b'"entries"' in head and any(f'"{name}"'.encode() in head for name in (*_QUESTIONS, *_ANSWERS))


def _entries(file: FileIn, found: Found) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if file.path.endswith(".jsonl"):
        yield from json_lines(file, found)
        return
    value = document(file, found)
    held = value.get("entries", value) if isinstance(value, dict) else value
    if isinstance(held, dict):  # by header: one entry each
        held = [{"header": name, **entry} for name, entry in held.items() if isinstance(entry, dict)]
    if value is not None and not isinstance(held, list):
        found.problem(file.path, 0, gettext_noop("holds no list of entries"))
        return
    for number, entry in enumerate(held or [], start=1):
        if isinstance(entry, dict):
            yield number, entry
        else:
            found.problem(file.path, number, gettext_noop("is no entry"))


def _take(path: str, number: int, entry: Mapping[str, Any], found: Found) -> None:
    options = entry.get("all_options") or entry.get("options")
    if isinstance(options, list) and len(options) > 1 and text_of(entry.get("question")):
        line = {**entry, "all_options": options, "user_choice": _answer(entry)}
        found.choose(json.dumps(line, ensure_ascii=False))
        return
    question = next(filter(None, (text_of(entry.get(name)) for name in _QUESTIONS)), "")
    answer = _answer(entry)
    said = ", ".join(answer) if isinstance(answer, list) else answer
    if not question or not said:
        found.problem(path, number, gettext_noop("names no question, or no answer"))
        return
    raw = next((entry[name] for name in _TIMES if entry.get(name)), None)
    ref = text_of(entry.get("decision_id")) or text_of(entry.get("id"))
    at = moment(raw, path, number, found)
    found.add(Item(f"{question} → {said}", "decision", path, number, ref, at, NO_OPTIONS))


def _answer(entry: Mapping[str, Any]) -> str | list[str]:
    for name in _ANSWERS:
        value = entry.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return list(value)
    return ""
