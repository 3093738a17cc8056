"""Fit texts into what a session may start with (design section 6). Pure: no Django. Tokens as `core.text.tokens`."""

from __future__ import annotations

import re

from core.text import tokens

_ENDS = re.compile(r"\n|(?<=[。．！？])|(?<=[.!?]) ")


def shorten(text: str, *, budget: int, characters: int | None = None) -> str:
    """The longest beginning of ``text`` that ends with a line or sentence and fits ``budget`` tokens (and characters).

    The whole text when it fits; a part of the first sentence when not even that fits; empty for a budget of 0.
    """
    if _fits(text, budget, characters):
        return text
    ends = [match.start() if match.group() == "\n" else match.end() for match in _ENDS.finditer(text)]
    low, high = 0, len(ends)
    while low < high:  # tokens only grow with the length
        middle = (low + high + 1) // 2
        if _fits(text[: ends[middle - 1]].rstrip(), budget, characters):
            low = middle
        else:
            high = middle - 1
    if low and text[: ends[low - 1]].strip():
        return text[: ends[low - 1]].rstrip()
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(text[:middle], budget, characters):
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip()


def _fits(text: str, budget: int, characters: int | None) -> bool:
    return tokens(text) <= budget and (characters is None or len(text) <= characters)
