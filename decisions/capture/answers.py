"""One question's entry in ``answers`` and in ``annotations``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from decisions.capture import limits, reasons
from decisions.capture.questions import text_of
from decisions.capture.shapes import Asked, Odd


def answer_of(asked: Asked, raw: Any) -> str | tuple[str, ...] | None:
    """A string, or an array of strings (older clients); None when nothing is in it. Raises Odd."""
    parts = [raw] if isinstance(raw, str) else raw
    if parts is None:
        return None
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise Odd(reasons.ANSWER_TYPE, f"answers: {asked.text}")
    if sum(map(len, parts)) > limits.MAX_TYPED_CHARS:
        raise Odd(reasons.TOO_LONG, f"answers: {asked.text}")
    filled = tuple(part for part in parts if part.strip())
    if not filled:
        return None
    return raw if isinstance(raw, str) else filled


def notes_of(asked: Asked, raw: Any, index: int) -> Asked:
    """``notes``, ``unanswered`` and ``afkTimeoutMs`` of one question. Raises Odd."""
    where = f"annotations[{index}]"
    if raw is None:
        return asked
    if not isinstance(raw, Mapping):
        raise Odd(reasons.SHAPE, where)
    note = text_of(raw.get("notes"), f"{where}.notes", limits.MAX_TYPED_CHARS, optional=True).strip()
    unanswered = raw.get("unanswered")
    if unanswered is not None and unanswered not in reasons.UNANSWERED:
        raise Odd(reasons.SHAPE, f"{where}.unanswered")
    skip = reasons.IDLE if raw.get("afkTimeoutMs") is not None else str(unanswered or "")
    return replace(asked, note=note, skip=skip)
