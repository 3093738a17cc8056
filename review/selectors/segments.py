"""Cut a stored message into pieces a template can mark. Pure: no Django.

Offsets are characters into the text. The pieces put together are the text again (without the gaps).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

REDACTED = re.compile(r"\[redacted:([a-z0-9-]{1,40})\]")
Range = tuple[int, int]


@dataclass(frozen=True)
class Segment:
    """A piece of text. ``chip`` is the type of a redacted value, ``gap`` means that text was left out before it."""

    text: str
    marked: bool = False
    injected: bool = False
    chip: str = ""
    gap: bool = False


def excerpt(length: int, marks: Sequence[Range], *, around: int = 320, head: int = 700) -> list[Range]:
    """What of a long text to show: the neighbourhood of the marks, or its head when nothing is marked."""
    if length <= head:
        return [(0, length)]
    if not marks:
        return [(0, head)]
    shown: list[Range] = []
    for start, end in sorted(marks):
        low, high = max(0, start - around), min(length, end + around)
        if shown and low <= shown[-1][1]:
            shown[-1] = (shown[-1][0], max(shown[-1][1], high))
        else:
            shown.append((low, high))
    return shown


def segments(
    text: str,
    marks: Iterable[Range] = (),
    injected: Iterable[Range] = (),
    shown: Sequence[Range] | None = None,
) -> list[Segment]:
    """The pieces of ``text`` in order; ranges may overlap, be empty or reach beyond the text."""
    windows = list(shown) if shown is not None else [(0, len(text))]
    marked, foreign = _clip(marks, len(text)), _clip(injected, len(text))
    chips = {found.span(): found.group(1) for found in REDACTED.finditer(text)}
    cuts = sorted(
        {point for span in [*marked, *foreign, *chips, *windows] for point in span} | {0, len(text)}
    )
    out: list[Segment] = []
    left_out = False
    for start, end in pairwise(cuts):
        if not any(low <= start and end <= high for low, high in windows):
            left_out = True
            continue
        chip = _chip_of(chips, start, end)
        out.append(
            Segment(text[start:end], _in(marked, start, end), _in(foreign, start, end), chip, gap=left_out)
        )
        left_out = False
    if left_out:
        out.append(Segment("", gap=True))
    return out


def _chip_of(chips: Mapping[Range, str], start: int, end: int) -> str:
    return next((kind for (low, high), kind in chips.items() if low <= start and end <= high), "")


def _clip(ranges: Iterable[Range], length: int) -> list[Range]:
    clipped = [(max(0, low), min(length, high)) for low, high in ranges]
    return [(low, high) for low, high in clipped if low < high]


def _in(ranges: Sequence[Range], start: int, end: int) -> bool:
    return any(low <= start and end <= high for low, high in ranges)
