"""The reference memory server of MCP: JSON Lines of entities with observations, and of relations.

An observation is a memory under its entity's name. A relation between two entities is a short fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.said import gettext_noop
from integrations.importers.base import FileIn, Found, Item
from integrations.importers.parsing import json_lines, text_of


def reads(files: Sequence[FileIn]) -> bool:
    heads = [file.data[:200_000] for file in files]
    return any(b'"entityType"' in head or b'"relationType"' in head for head in heads)


def read(files: Sequence[FileIn]) -> Found:
    found = Found("mcp-memory")
    for file in files:
        for number, row in json_lines(file, found):
            kind = row.get("type")
            if kind == "entity":
                _entity(file.path, number, row, found)
            elif kind == "relation":
                _relation(file.path, number, row, found)
            else:
                said = gettext_noop("type is %(type)s, neither entity nor relation")
                found.problem(file.path, number, said, type=repr(str(kind)[:40]))
    return found


def _entity(path: str, number: int, row: Mapping[str, Any], found: Found) -> None:
    name, observations = text_of(row.get("name")), row.get("observations")
    if not name or not isinstance(observations, list):
        found.problem(path, number, gettext_noop("an entity needs a name and a list of observations"))
        return
    if not observations:
        found.unsupported["entity without observations"] += 1
    for index, observation in enumerate(observations):
        said = text_of(observation)
        if not said:
            found.problem(path, number, gettext_noop("observation %(n)s is no text"), n=index + 1)
            continue
        spoken = said if name.casefold() in said.casefold() else f"{name}: {said}"
        found.add(Item(spoken, "fact", path, number, f"{name}#{index}"))


def _relation(path: str, number: int, row: Mapping[str, Any], found: Found) -> None:
    parts = [text_of(row.get(name)) for name in ("from", "relationType", "to")]
    if not all(parts):
        found.problem(path, number, gettext_noop("a relation needs from, relationType and to"))
        return
    start, what, end = parts
    found.add(Item(f"{start} {what.replace('_', ' ')} {end}", "fact", path, number, " ".join(parts)))
