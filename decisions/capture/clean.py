"""Before anything is judged: secrets out, and nothing that the database could not hold."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from core.redact import redact
from decisions.capture.limits import MAX_DEPTH

_MOST = sys.float_info.max
_MOST_WHOLE = 10**300


class TooDeep(ValueError):
    """Nested deeper than any payload that a client sends."""


def redacted(value: Any) -> Any:
    """The same JSON value with every string (keys too) redacted. No value changes its type.

    A number that no database holds becomes the nearest one that it does. Judging comes after this, so that a question
    and its key in ``answers`` lose the same secret. Raises TooDeep.
    """
    return _redacted(value, 0, {})


def _redacted(value: Any, depth: int, seen: dict[str, str]) -> Any:
    """``seen``: what this call redacted before; a payload says most of its texts two or three times."""
    if depth > MAX_DEPTH:
        raise TooDeep
    if isinstance(value, str):
        if not value:
            return value
        if value not in seen:
            seen[value] = redact(value).text
        return seen[value]
    if isinstance(value, Mapping):
        return {
            _redacted(str(key), depth, seen): _redacted(inner, depth + 1, seen)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_redacted(inner, depth + 1, seen) for inner in value]
    if isinstance(value, float):  # 1e999 is JSON, and infinite
        return min(max(value, -_MOST), _MOST)
    if isinstance(value, int) and not isinstance(value, bool):
        return min(max(value, -_MOST_WHOLE), _MOST_WHOLE)
    return value
