"""One line of ``decisions.jsonl``: a plain record that any tool can read, and under ``hikae`` what we know beside.

Without ``hikae`` it is a record as ``POST decisions/`` takes it. Pure.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from core.json_faults import is_cut_off, unstorable_escapes
from core.moments import in_utc
from core.text import clean


@dataclass(frozen=True)
class Beside:
    """Columns of a choice that the plain record has no name for. ``keys``: the option keys in shown order."""

    id: str
    workspace: str
    outcome: str
    reason: str
    source: str
    dedupe: str
    digest: str
    tool_use_id: str
    decision_id: str
    index: int
    header: str
    multi: bool
    keys: tuple[str, ...]
    chosen: tuple[str, ...]
    other_text: str
    note: str
    first: str
    marked: str
    marked_by: str
    strength: str
    labelled: bool
    followed: bool
    probe: bool
    received_at: str
    archived_at: str
    reset_at: str


@dataclass(frozen=True)
class Line:
    """``beside`` None: a plain record of another tool."""

    session: str
    at: datetime
    question: str
    labels: tuple[str, ...]
    descriptions: tuple[str, ...]
    context: Mapping[str, Any]
    beside: Beside | None
    raw: Mapping[str, Any]


def line_of(
    *,
    session: str,
    at: datetime,
    question: str,
    offered: Sequence[Mapping[str, str]],
    context: Mapping[str, str],
    beside: Beside,
) -> str:
    """The same row always gives the same bytes."""
    labels = {each["key"]: each["label"] for each in offered}
    said = [labels[key] for key in beside.chosen if key in labels]
    said += [beside.other_text] if beside.other_text else []
    record = {
        "decision_id": beside.decision_id or beside.id,
        "timestamp": at.isoformat(),
        "session": session,
        "question": question,
        "user_choice": said if beside.multi else "\n".join(said),
        "all_options": [
            {"label": each["label"], "description": each.get("description", "")} for each in offered
        ],
        "context": dict(sorted(context.items())),
        "hikae": asdict(beside),
    }
    return json.dumps(record, ensure_ascii=False)


def parse(text: str) -> Line:
    """Raises ValueError with a sentence that names the field."""
    raw = loaded(text)
    if not isinstance(raw, dict):
        raise ValueError("a line is one JSON object")
    beside = raw.get("hikae")
    options, context = raw.get("all_options"), raw.get("context")
    if not isinstance(options, list) or not options:
        raise ValueError("all_options must list the options that were offered")
    pairs = [each if isinstance(each, dict) else {"label": each} for each in options]
    return Line(
        session=_text(raw, "session", ""),
        at=_instant(raw.get("timestamp"), "timestamp"),
        question=_text(raw, "question"),
        labels=tuple(_text(each, "label") for each in pairs),
        descriptions=tuple(_text(each, "description", "") for each in pairs),
        context=context if isinstance(context, dict) else {},
        beside=None if beside is None else _beside(beside),
        raw=raw,
    )


def loaded(text: str) -> Any:
    """The JSON of a line. Raises ValueError with a sentence of ours."""
    clean(text)
    if any(unstorable_escapes(text)):
        raise ValueError("the line holds characters that cannot be stored: NUL, or half of a surrogate pair")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = "is cut off in the middle of its JSON" if is_cut_off(error, text) else "is not valid JSON"
        raise ValueError(f"the line {cut}, at character {error.colno}") from error
    except ValueError as error:
        raise ValueError("the line holds a number of more than 4,300 digits") from error
    except RecursionError as error:
        raise ValueError("the line is nested too deeply to be read") from error


def _beside(raw: Any) -> Beside:
    names = [field.name for field in fields(Beside)]
    if not isinstance(raw, dict) or set(raw) != set(names):
        raise ValueError(f"hikae must hold exactly {', '.join(names)}")
    given: dict[str, Any] = {}
    for field in fields(Beside):
        value = raw[field.name]
        if field.name in ("keys", "chosen"):
            if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
                raise ValueError(f"hikae.{field.name} must be a list of option keys")
            given[field.name] = tuple(value)
        elif type(value).__name__ != field.type:
            raise ValueError(f"hikae.{field.name} must be of type {field.type}")
        else:
            given[field.name] = value
    try:
        uuid.UUID(given["id"])
    except ValueError as error:
        raise ValueError("hikae.id must be a UUID") from error
    return Beside(**given)


def _text(raw: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = raw.get(name, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise ValueError(f"{name} must be a text")
    return value


def _instant(raw: Any, name: str) -> datetime:
    try:
        found = datetime.fromisoformat(raw) if isinstance(raw, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise ValueError(f"{name} must be a date and time with an offset")
    return in_utc(found)


def instant_or_none(raw: str, name: str) -> datetime | None:
    """An empty text is None. Raises ValueError."""
    return _instant(raw, name) if raw else None
