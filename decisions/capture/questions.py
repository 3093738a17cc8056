"""``questions`` of AskUserQuestion: shape, and what no dialog could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.text import fold
from decisions.capture import limits, reasons
from decisions.capture.shapes import Asked, Odd
from decisions.learning.labels import option_key
from decisions.learning.types import OptionIn


def questions_of(raw: Any, where: str) -> tuple[Asked, ...]:
    """Raises Odd."""
    if not isinstance(raw, list) or not raw:
        raise Odd(reasons.SHAPE, where)
    if len(raw) > limits.MAX_QUESTIONS:
        raise Odd(reasons.MANY_QUESTIONS, where)
    asked = tuple(_question(item, f"{where}[{index}]") for index, item in enumerate(raw))
    if len({fold(each.text) for each in asked}) < len(asked):
        raise Odd(reasons.EQUAL_QUESTIONS, where)
    return asked


def _question(raw: Any, where: str) -> Asked:
    if not isinstance(raw, Mapping):
        raise Odd(reasons.SHAPE, where)
    multi = raw.get("multiSelect")
    if multi is not None and not isinstance(multi, bool):
        raise Odd(reasons.SHAPE, f"{where}.multiSelect")
    options = raw.get("options")
    if not isinstance(options, list):
        raise Odd(reasons.SHAPE, f"{where}.options")
    return Asked(
        text=text_of(raw.get("question"), f"{where}.question", limits.MAX_QUESTION_CHARS),
        header=text_of(raw.get("header"), f"{where}.header", limits.MAX_HEADER_CHARS, optional=True),
        options=options_of(
            [_option(item, f"{where}.options[{index}]") for index, item in enumerate(options)],
            f"{where}.options",
        ),
        multi=bool(multi),
    )


def _option(raw: Any, where: str) -> OptionIn:
    if not isinstance(raw, Mapping):
        raise Odd(reasons.SHAPE, where)
    return OptionIn(
        text_of(raw.get("label"), f"{where}.label", limits.MAX_LABEL_CHARS),
        text_of(raw.get("description"), f"{where}.description", limits.MAX_DESCRIPTION_CHARS, optional=True),
    )


def options_of(options: Sequence[OptionIn], where: str) -> tuple[OptionIn, ...]:
    """At least two, and no two that are one after normalising. Raises Odd."""
    keys = [option_key(option.label) for option in options]
    if len(options) < limits.MIN_OPTIONS:
        raise Odd(reasons.FEW_OPTIONS, where)
    if len(options) > limits.MAX_OPTIONS:
        raise Odd(reasons.SHAPE, where)
    if len(set(keys)) < len(keys):
        raise Odd(reasons.EQUAL_OPTIONS, where)
    for index, key in enumerate(keys):
        if not key:
            raise Odd(reasons.SHAPE, f"{where}[{index}]")
        if len(key.encode()) > limits.MAX_LABEL_BYTES:
            raise Odd(reasons.TOO_LONG, f"{where}[{index}]")
    return tuple(options)


def text_of(raw: Any, where: str, most: int, *, optional: bool = False) -> str:
    """A string with something in it; ``optional``: may be missing, null or empty. Raises Odd."""
    if raw is None and optional:
        return ""
    if not isinstance(raw, str) or not (raw.strip() or optional):
        raise Odd(reasons.SHAPE, where)
    if len(raw) > most:
        raise Odd(reasons.TOO_LONG, where)
    return raw
