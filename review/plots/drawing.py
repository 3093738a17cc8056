"""The sheet that pictures are drawn on."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree as Tree

from core.text import width

LEFT, RIGHT = 2.0, 98.0  # percent: room for half a dot at both ends
CUT = "…"


class Drawing(str):
    """SVG text. Templates print it as it is: the writer of elements has escaped every text in it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


@dataclass(frozen=True)
class Said:
    """What a picture says to those who do not see it. ``key`` makes its ids unique on the page."""

    key: str
    title: str
    description: str


class Sheet:
    """One picture of a fixed height in pixels, as wide as its place. Heights count from the top, in pixels."""

    def __init__(self, said: Said, *, height: int, kind: str) -> None:
        title, about = f"{said.key}-title", f"{said.key}-about"
        self.root = Tree.Element(
            "svg",
            {
                "class": f"plot {kind}",
                "width": "100%",
                "height": str(height),
                "role": "img",
                "aria-labelledby": title,
                "aria-describedby": about,
            },
        )
        Tree.SubElement(self.root, "title", {"id": title}).text = said.title
        Tree.SubElement(self.root, "desc", {"id": about}).text = said.description

    def rect(self, css: str, x: tuple[float, float], y: tuple[float, float]) -> None:
        self._add(
            "rect",
            css,
            x=_percent(x[0]),
            width=_percent(x[1] - x[0]),
            y=_short(y[0]),
            height=_short(y[1] - y[0]),
        )

    def line(self, css: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """From (percent, pixel) to (percent, pixel)."""
        self._add(
            "line", css, x1=_percent(start[0]), y1=_short(start[1]), x2=_percent(end[0]), y2=_short(end[1])
        )

    def sample(self, css: str, length: float, y: float) -> None:
        """How a line looks, at the left edge before its name."""
        self._add("line", css, x1="0", y1=_short(y), x2=_short(length), y2=_short(y))

    def dot(self, css: str, x: float, y: float, radius: float, said: str = "") -> None:
        """A mark that names itself when a pointer rests on it."""
        mark = self._add("circle", css, cx=_percent(x), cy=_short(y), r=_short(radius))
        if said:
            Tree.SubElement(mark, "title").text = said

    def text(
        self, css: str, x: float, y: float, words: str, *, anchor: str = "start", shift: float = 0
    ) -> None:
        """``y`` is the base line; ``shift`` moves the words by pixels to the right."""
        more = {"text-anchor": anchor} if anchor != "start" else {}
        if shift:
            more["dx"] = _short(shift)
        mark = self._add("text", css, x=_percent(x), y=_short(y), **more)
        mark.text = words

    def curve(self, css: str, points: list[tuple[float, float]], *, top: float, height: float) -> None:
        """A line through (0 to 100 from the left, 0 to 100 from the top) of the band that begins at ``top``.

        The band is a picture in the picture, stretched to its place; the stroke is not stretched with it.
        """
        band = self._add(
            "svg",
            "",
            x="0",
            y=_short(top),
            width="100%",
            height=_short(height),
            viewBox="0 0 100 100",
            preserveAspectRatio="none",
            overflow="visible",
        )
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        Tree.SubElement(
            band,
            "polyline",
            {"class": css, "points": path, "fill": "none", "vector-effect": "non-scaling-stroke"},
        )

    def drawing(self) -> Drawing:
        return Drawing(Tree.tostring(self.root, encoding="unicode"))

    def _add(self, tag: str, css: str, **attributes: str) -> Tree.Element:
        return Tree.SubElement(self.root, tag, {"class": css, **attributes} if css else attributes)


def across(part: float) -> float:
    """A part of the width (0 to 1) as percent, between the margins; what lies outside lands on the margin."""
    return LEFT + (RIGHT - LEFT) * min(max(part, 0.0), 1.0)


def shortened(words: str, columns: int) -> str:
    """At most so many columns (a full-width letter counts two); SVG neither wraps nor cuts."""
    line = " ".join(words.split())
    if width(line) <= columns:
        return line
    while line and width(line) > columns - 1:
        line = line[:-1]
    return line.rstrip() + CUT


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"


def _percent(number: float) -> str:
    return f"{_short(number)}%"
