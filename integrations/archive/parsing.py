"""Read an archive whole and check it line by line, before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from core.models import Namespace
from core.moments import in_utc
from integrations.archive.columns import Column, columns_of
from integrations.archive.container import Reader, Unreadable
from integrations.archive.tables import TABLES

MAX_PROBLEMS = 200


@dataclass(frozen=True)
class Problem:
    """What is wrong in one line of one file."""

    file: str
    line: int
    reason: str


@dataclass
class Parsed:
    """Rows by table, in the order of the file; with ``problems`` they are not complete."""

    about: Mapping[str, Any]
    columns: dict[str, tuple[Column, ...]] = field(default_factory=dict)
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def parse(reader: Reader) -> Parsed:
    """Raises Unreadable where the archive as a whole is damaged; what is wrong in a line is a problem of that line."""
    parsed = Parsed(_about(reader))
    for table in TABLES:
        columns = parsed.columns[table.name] = columns_of(table)
        rows = parsed.rows[table.name] = []
        has_id = any(column.name == "id" for column in columns)
        seen: set[Any] = set()
        for line in reader.lines(table.file):
            row, reason = _row(columns, line.value) if line.value is not None else ({}, line.problem)
            if not reason and has_id and row["id"] in seen:
                reason = f"id {row['id']} stands in an earlier line too"
            if reason:
                parsed.problems.append(Problem(table.file, line.number, reason))
                if len(parsed.problems) >= MAX_PROBLEMS:
                    return parsed
                continue
            if has_id:
                seen.add(row["id"])
            rows.append(row)
    return parsed


def _row(columns: Sequence[Column], value: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The row, and why it is none."""
    names = {column.name for column in columns}
    odd = sorted(names ^ set(value))
    if odd:
        return {}, f"{odd[0]} is {'missing' if odd[0] in names else 'no field of this file'}"
    row: dict[str, Any] = {}
    for column in columns:
        try:
            row[column.name] = column.read(value[column.name])
        except (ValueError, TypeError, OverflowError) as error:
            return {}, f"{column.name}: {error}"
    return row, ""


def _about(reader: Reader) -> Mapping[str, Any]:
    lines = list(reader.lines("namespace.jsonl"))
    value = lines[0].value if len(lines) == 1 else None
    if value is None:
        raise Unreadable("namespace.jsonl must hold exactly one record.")
    wanted = {"type": str, "name": str, "id": str, "created_at": str, "fingerprints": list, "aliases": list}
    for name, kind in wanted.items():
        if not isinstance(value.get(name), kind):
            raise Unreadable(f"namespace.jsonl: {name} is missing or of another type.")
    if value["type"] not in (Namespace.PERSONA, Namespace.WORKSPACE):
        raise Unreadable("namespace.jsonl: type must be persona or workspace.")
    moments = [value["created_at"], *([value["paused_at"]] if value.get("paused_at") else [])]
    for each in (*value["fingerprints"], *value["aliases"]):
        if not isinstance(each, dict) or not all(isinstance(inner, str) for inner in each.values()):
            raise Unreadable("namespace.jsonl: fingerprints and aliases must be lists of objects.")
        moments.append(each.get("created_at", ""))
    for raw in moments:
        moment(raw)
    return value


def moment(raw: str) -> datetime:
    """Raises Unreadable."""
    try:
        found = parse_datetime(raw)
        if found is not None:
            return in_utc(found)
    except ValueError:
        pass
    raise Unreadable(f"namespace.jsonl: {raw[:40]!r} is no time with an offset.")
