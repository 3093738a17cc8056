"""A line of ``decisions.jsonl`` may have passed through other hands: what no capture stores is refused. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from core.text import fold
from decisions.capture import limits, reasons
from decisions.exchange import Beside, Line
from decisions.learning.types import OTHER

_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LONGER: Final = 2  # times what capture takes: a secret that is found only now leaves a longer word behind
_STRENGTHS: Final = ("", "strong", "medium", "weak", "neutral")


def require_sound(line: Line, beside: Beside) -> None:
    """Raises ValueError with a sentence that names the first field that contradicts the others."""
    for fault in (*_sizes(line), *_options(line, beside), *_answer(line, beside), *_advice(beside)):
        raise ValueError(fault)


def _sizes(line: Line) -> Iterator[str]:
    if line.at < _EARLIEST:
        yield "timestamp must lie in the year 2000 or later"
    yield from _too_long("question", line.question, limits.MAX_QUESTION_CHARS)
    for label, description in zip(line.labels, line.descriptions, strict=True):
        yield from _too_long("all_options: a label", label, limits.MAX_LABEL_CHARS)
        yield from _too_long("all_options: a description", description, limits.MAX_DESCRIPTION_CHARS)


def _too_long(name: str, text: str, most: int) -> Iterator[str]:
    if len(text) > _LONGER * most:
        yield f"{name} has more than {_LONGER * most:,} characters"


def _options(line: Line, beside: Beside) -> Iterator[str]:
    keys = beside.keys
    if len(keys) != len(line.labels):
        yield "hikae.keys must name each of all_options"
    if not limits.MIN_OPTIONS <= len(keys) <= limits.MAX_OPTIONS:
        yield f"all_options must be from {limits.MIN_OPTIONS} to {limits.MAX_OPTIONS}"
    if len(set(keys)) < len(keys):
        yield "hikae.keys must differ from each other"
    if any(fold(key) != key or len(key.encode()) > limits.MAX_LABEL_BYTES for key in keys):
        yield "hikae.keys must be labels in lower case, with single spaces"
    for name, key in (("first", beside.first), ("marked", beside.marked)):
        if key and key not in keys:
            yield f"hikae.{name} must be one of hikae.keys"


def _answer(line: Line, beside: Beside) -> Iterator[str]:
    chosen, observed = beside.chosen, beside.outcome == "observed"
    if not {*chosen} <= {*beside.keys, OTHER} or len(set(chosen)) < len(chosen):
        yield "hikae.chosen must be some of hikae.keys, or other for words that were typed"
    if len(chosen) > 1 and not beside.multi:
        yield "hikae.chosen must be one where hikae.multi is false"
    if beside.other_text and OTHER not in chosen:
        yield "hikae.other_text needs other in hikae.chosen"
    if beside.outcome == "skipped" and beside.reason not in reasons.SKIPPED:
        yield f"hikae.reason must be one of {', '.join(reasons.SKIPPED)}"
    if observed and beside.reason:
        yield "hikae.reason must be empty where hikae.outcome is observed"
    yield from _too_long("hikae.other_text", beside.other_text, limits.MAX_TYPED_CHARS)
    yield from _too_long("hikae.note", beside.note, limits.MAX_TYPED_CHARS)


def _advice(beside: Beside) -> Iterator[str]:
    if beside.strength not in _STRENGTHS:
        yield f"hikae.strength must be empty or one of {', '.join(_STRENGTHS[1:])}"
    if beside.followed and not beside.labelled:
        yield "hikae.followed needs hikae.labelled"
    if beside.labelled and beside.probe:
        yield "hikae.labelled and hikae.probe exclude each other"
