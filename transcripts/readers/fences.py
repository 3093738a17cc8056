"""Fences around text that is not the person's voice: written, found and cut out (design section 3, lesson 2).

Known fences are `<memory-context>` and `<system-reminder>` of hosts, and our own
`<hikae-memory marker="…">`. Every doubt is settled towards cutting: an unclosed fence runs to the end of the
text, a fence with another marker is cut as well, an inner opener needs its own closer.
"""

import re
from dataclasses import dataclass
from typing import Final

from transcripts.readers.host_texts import is_host_text

OWN_FENCE: Final = "hikae-memory"
MEMORY_FENCES: Final = (OWN_FENCE, "memory-context")
FENCES: Final = (*MEMORY_FENCES, "system-reminder")

_NAMES = "|".join(FENCES)
# The attribute part is bounded so that a text full of unfinished openers stays linear to scan.
_TAG = re.compile(rf"<\s*(/?)\s*({_NAMES})(?![\w-])([^<>]{{0,500}})>?", re.IGNORECASE)
_INNER = re.compile(rf"<(?=\s*/?\s*(?:{_NAMES})(?![\w-]))", re.IGNORECASE)
_MARKER = re.compile(r"""\bmarker\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
_VALID_MARKER = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True)
class Fence:
    """One outermost fence: text[start:end] holds it with both tags. `marker` is what its opener carries."""

    name: str
    start: int
    end: int
    marker: str | None = None


@dataclass(frozen=True)
class Cut:
    """`text_without` is the text minus `ranges`, which are (start, end) offsets into the original, ascending.

    `forged` counts blocks that look like ours but carry another marker than the one asked about.
    """

    text_without: str
    ranges: tuple[tuple[int, int], ...]
    forged: int = 0


def fence(text: str, marker: str) -> str:
    """Wrap `text` in our own fence. Fence tags inside it are escaped, so no content can end it early.

    Raises ValueError for a marker that is not 8–64 letters, digits, `_` or `-`.
    """
    if not _VALID_MARKER.fullmatch(marker):
        raise ValueError("marker must be 8 to 64 ASCII letters, digits, underscores or hyphens")
    return f'<{OWN_FENCE} marker="{marker}">\n{_INNER.sub("&lt;", text)}\n</{OWN_FENCE}>'


def find_fences(text: str) -> tuple[Fence, ...]:
    """The outermost known fences of `text`, in order."""
    if "<" not in text:
        return ()
    found: list[Fence] = []
    name, start, depth, marker = "", 0, 0, None
    for tag in _TAG.finditer(text):
        closes, tag_name, attributes = bool(tag[1]), tag[2].lower(), tag[3]
        if depth == 0:
            if closes:
                continue
            carried = _MARKER.search(attributes)
            marker = carried[1] if carried else None
            if attributes.rstrip().endswith("/"):
                found.append(Fence(tag_name, tag.start(), tag.end(), marker))
                continue
            name, start, depth = tag_name, tag.start(), 1
        elif tag_name == name and not attributes.rstrip().endswith("/"):
            depth += -1 if closes else 1
            if depth == 0:
                found.append(Fence(name, start, tag.end(), marker))
    if depth:
        found.append(Fence(name, start, len(text), marker))
    return tuple(found)


def cut_fences(text: str, *, marker: str | None) -> Cut:
    """Cut every known fence out of `text`, whatever marker it carries.

    `marker` is this installation's own; with it, look-alikes of our fence are counted as `forged`.
    """
    fences = find_fences(text)
    kept, position = [], 0
    for block in fences:
        kept.append(text[position : block.start])
        position = block.end
    kept.append(text[position:])
    forged = sum(
        1 for block in fences if marker is not None and block.name == OWN_FENCE and block.marker != marker
    )
    return Cut("".join(kept), tuple((block.start, block.end) for block in fences), forged)


def shape_origin(text: str) -> str | None:
    """What the shape of a text in the user's place says about its origin, when it says anything.

    "injected": nothing but memory fences · "system": nothing but host fences, or a text that begins like one of
    the host's (`host_texts`) once fences are cut · None: nothing speaks against a person.
    """
    fences = find_fences(text)
    rest = cut_fences(text, marker=None).text_without if fences else text
    if fences and not rest.strip():
        memory = any(block.name in MEMORY_FENCES for block in fences)
        return "injected" if memory else "system"
    return "system" if is_host_text(rest) else None
