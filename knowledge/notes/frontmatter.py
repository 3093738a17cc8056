"""The YAML between two lines of ``---``, read without trust. Pure: no Django (design section 6).

Plain YAML is a small language: aliases and merge keys blow a few hundred bytes up to gigabytes, and of two equal keys
the last one wins unseen. Front matter needs neither, so all three are refused.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode

from knowledge.notes.problems import Problem

MAX_FRONT = 32_000  # characters; the longest description takes a tenth of it
_FENCED = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class _Loader(yaml.SafeLoader):
    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event: Any = self.get_event()  # type: ignore[no-untyped-call]
            raise ConstructorError(None, None, "aliases are not read", event.start_mark)
        return super().compose_node(parent, index)

    def flatten_mapping(self, node: MappingNode) -> None:
        """Merge keys stay ordinary, and so unknown, fields."""


class _Twice(ConstructorError):
    pass


def _mapping(loader: _Loader, node: MappingNode) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            key = str(key_node.value)[:80] if isinstance(key_node.value, str) else "?"
        if key in found:
            raise _Twice(None, None, key, key_node.start_mark)
        found[key] = loader.construct_object(value_node, deep=True)
    return found


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
_Loader.add_constructor("tag:yaml.org,2002:merge", lambda loader, node: node.value)


def normal(text: str) -> str:
    """Without byte order marks at the head, with newlines alone."""
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split(text: str) -> tuple[dict[str, Any] | None, str, list[Problem]]:
    """(fields, body, problems) of a normalised file; None for fields that cannot be read."""
    match = _FENCED.match(text)
    if match is None:
        return None, "", [Problem("no_front_matter")]
    if len(match.group(1)) > MAX_FRONT:
        return None, "", [Problem("front_too_long", limit=MAX_FRONT)]
    try:
        # The loader is a SafeLoader: it makes plain values alone.
        front = yaml.load(match.group(1), Loader=_Loader)  # noqa: S506
    except _Twice as error:
        return None, "", [Problem("field_twice", about=str(error.problem))]
    # ValueError: a date that does not exist; RecursionError: a thousand brackets.
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        return None, "", [Problem("not_yaml", about=str(where.line + 2) if where else "")]
    if not isinstance(front, dict):
        return None, "", [Problem("not_fields")]
    return front, text[match.end() :].strip("\n"), []


def without(text: str) -> str:
    """The body alone, however many blocks of front matter stand before it: so a second reading changes nothing."""
    plain = normal(text).lstrip("\n\ufeff")
    while (match := _FENCED.match(plain)) is not None:
        plain = plain[match.end() :].lstrip("\n\ufeff")
    return plain.rstrip("\n")
