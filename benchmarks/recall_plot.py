"""How recall's time and what it stores grow with the number of memories, as SVG, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Protocol

WIDTH, HEIGHT = 1000, 460
TOP, BOTTOM = 140, 56
LEFT, GAP, RIGHT = 64, 96, 28
PANEL = (WIDTH - LEFT - GAP - RIGHT) / 2
INK, FAINT, PAPER = "#22303a", "#dde3e7", "#ffffff"
# Apart for colour-blind readers too (Okabe and Ito), and by their marks.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d00")
Place = Callable[[float], float]


class Point(Protocol):
    """One measured size. ``megabytes``: of the tables that recall reads, indexes included."""

    @property
    def memories(self) -> int: ...
    @property
    def where(self) -> str: ...
    @property
    def embedding(self) -> str: ...
    @property
    def p50(self) -> float: ...
    @property
    def p95(self) -> float: ...
    @property
    def megabytes(self) -> float: ...


def curves(points: Sequence[Point], *, subtitle: str = "") -> str:
    """Left: milliseconds of a question, p95 drawn through and p50 dotted. Right: megabytes. Memories logarithmic."""
    sizes = sorted({point.memories for point in points})
    lines = [
        (name, sorted(line, key=lambda point: point.memories))
        for name, line in groupby(sorted(points, key=_name), key=_name)
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        "<title>Recall as it grows</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        f'<text x="{LEFT}" y="30" font-size="18" font-weight="600">Recall as it grows</text>',
        f'<text x="{LEFT}" y="50" fill="#5a6872">{escape(subtitle)}</text>',
    ]
    parts += _times(lines, sizes)
    parts += _stored({point.memories: point.megabytes for point in points}, sizes)
    return "\n".join([*parts, "</svg>", ""])


def _name(point: Point) -> str:
    return f"{point.where}, vector {point.embedding}"


def _times(lines: Sequence[tuple[str, Sequence[Point]]], sizes: Sequence[int]) -> Iterator[str]:
    ticks = _ticks(max(point.p95 for _name, line in lines for point in line))
    x, y = _across(sizes, LEFT), _up(0, ticks[-1])
    yield from _frame("ms a question, the whole request", LEFT, sizes, x, ticks, y)
    for place, (name, line) in enumerate(lines):
        colour = COLOURS[place % len(COLOURS)]
        column, row = divmod(place, 2)
        at = LEFT + column * 306, 76 + row * 18
        yield f'<path d="M{at[0]} {at[1] - 4}h22" stroke="{colour}" stroke-width="2.5"/>'
        yield f'<text x="{at[0] + 30}" y="{at[1]}" font-size="12">{escape(name)}</text>'
        upper = [(x(point.memories), y(point.p95)) for point in line]
        yield _line([(x(point.memories), y(point.p50)) for point in line], colour, "1 5")
        yield _line(upper, colour, "")
        yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in upper)
    yield f'<text x="{WIDTH - RIGHT}" y="50" text-anchor="end" fill="#5a6872">p95 drawn through, p50 dotted</text>'


def _stored(megabytes: dict[int, float], sizes: Sequence[int]) -> Iterator[str]:
    left = LEFT + PANEL + GAP
    powers = [math.log10(max(size, 0.1)) for size in megabytes.values()]
    low = math.floor(min(powers))
    high = max(math.ceil(max(powers)), low + 1)
    x, rising = _across(sizes, left), _up(low, high)

    def y(value: float) -> float:
        return rising(math.log10(max(value, 0.1)))

    yield from _frame(
        "MB stored, indexes included", left, sizes, x, [10.0**power for power in range(low, high + 1)], y
    )
    at = [(x(size), y(megabytes[size])) for size in sizes]
    yield _line(at, INK, "")
    for (across, up), size in zip(at, sizes, strict=True):
        yield f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5"/>'
        anchor = "start" if size == sizes[0] and len(sizes) > 1 else "end"
        shift = 9 if anchor == "start" else -9
        yield (
            f'<text x="{across + shift:.1f}" y="{up - 9 if anchor == "end" else up + 18:.1f}"'
            f' text-anchor="{anchor}">{megabytes[size]:,.0f} MB</text>'
        )


def _frame(
    title: str, left: float, sizes: Sequence[int], x: Place, ticks: Sequence[float], y: Place
) -> Iterator[str]:
    yield f'<text x="{left}" y="{TOP - 12}" font-weight="600">{escape(title)}</text>'
    for tick in ticks:
        yield f'<path d="M{left} {y(tick):.1f}h{PANEL:.1f}" stroke="{FAINT}"/>'
        yield f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{_plain(tick)}</text>'
    for size in sizes:
        yield f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{size:,}</text>'
    yield f'<text x="{left + PANEL / 2:.1f}" y="{HEIGHT - 12}" text-anchor="middle">memories</text>'


def _across(sizes: Sequence[int], left: float) -> Place:
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])

    def place(memories: float) -> float:
        share = (math.log10(memories) - low) / (high - low) if high > low else 0.5
        return left + 26 + share * (PANEL - 52)

    return place


def _up(low: float, high: float) -> Place:
    return lambda value: HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - BOTTOM - TOP)


def _line(at: Sequence[tuple[float, float]], colour: str, dashes: str) -> str:
    style = f'stroke-dasharray="{dashes}" stroke-linecap="round" ' if dashes else ""
    along = " ".join(f"{across:.1f},{up:.1f}" for across, up in at)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="2.5" {style}points="{along}"/>'


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:g}"


def _ticks(top: float) -> list[float]:
    """Round numbers from 0 to just above ``top``, four to seven of them."""
    step = 10.0 ** math.floor(math.log10(max(top, 1)))
    while top / step < 3:
        step /= 2
    return [step * count for count in range(math.ceil(top / step) + 1)]


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
