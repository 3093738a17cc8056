"""A plot of how recall's time grows with the number of memories, as SVG, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Protocol

WIDTH, HEIGHT, EDGE = 720, 420, 60
COLOURS = ("#0b6e4f", "#b5651d", "#3a5a98", "#8e2c48", "#5b5b5b", "#9a7d0a")


class Point(Protocol):
    """One measured size."""

    @property
    def memories(self) -> int: ...
    @property
    def where(self) -> str: ...
    @property
    def embedding(self) -> str: ...
    @property
    def p95(self) -> float: ...


def curves(points: Sequence[Point]) -> str:
    """p95 in milliseconds over the number of memories (logarithmic), one line for each kind of question."""
    sizes = [point.memories for point in points]
    low, high = math.log10(min(sizes)), math.log10(max(sizes))
    top = max(point.p95 for point in points) * 1.1

    def x(memories: int) -> float:
        share = (math.log10(memories) - low) / (high - low) if high > low else 0.5
        return EDGE + share * (WIDTH - 2 * EDGE)

    def y(milliseconds: float) -> float:
        return HEIGHT - EDGE - milliseconds / top * (HEIGHT - 2 * EDGE)

    lines: dict[str, list[Point]] = {}
    for point in points:
        lines.setdefault(f"{point.where}, embedding {point.embedding}", []).append(point)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{EDGE}" y="24" font-size="14">Recall, p95 in ms over the number of memories</text>',
    ]
    for step in range(5):
        value = top * step / 4
        parts.append(f'<path d="M{EDGE} {y(value):.1f}H{WIDTH - EDGE}" stroke="#ddd"/>')
        parts.append(f'<text x="{EDGE - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>')
    for size in sorted(set(sizes)):
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT - EDGE + 20}" text-anchor="middle">{size:,}</text>')
    for place, (name, line) in enumerate(lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        at = [(x(point.memories), y(point.p95)) for point in sorted(line, key=lambda point: point.memories)]
        parts.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
            + " ".join(f"{left:.1f},{up:.1f}" for left, up in at)
            + '"/>'
        )
        parts += [f'<circle cx="{left:.1f}" cy="{up:.1f}" r="3" fill="{colour}"/>' for left, up in at]
        parts.append(f'<text x="{EDGE + 12}" y="{48 + 16 * place}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])
