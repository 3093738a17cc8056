"""Is a text what we served ourselves? (design section 3, lessons row 2; pure)

A message that quotes a memory must not become evidence for it. But a person who corrects a memory repeats most of
its words, too: what tells the two apart are the numbers and negations, so those must have been served as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from core.text import containment, fold, sentences, shingles

# Quoted with a few words around it, or lightly reworded. Texts on one subject stay below 0.2 (`core.text.containment`).
NEAR: Final = 0.8

# With fewer fingerprints than this (about 18 characters) a text only counts when it equals a served one: an answer
# such as "the release branch" is the person's, though a memory holds the same words.
FEW: Final = 6
MOST_OF_FEW: Final = 3 * FEW  # such a text has room for few telling words, too

_TELLING = re.compile(
    r"[\w.-]*\d[\w.-]*"
    r"|\b(?:not|never|no|none|cannot|without|stop|instead|only|always|don['’]?t|doesn['’]?t|won['’]?t|isn['’]?t|can['’]?t)\b"
    r"|ない|ません|なく|ずに|禁止|不要|やめ|以外|だけ|必ず",
    re.IGNORECASE,
)
# The same on folded text, as narrow as the words themselves: what stands beside a number changes when it is quoted.
_TOLD = re.compile(
    r"[a-z0-9_.\-]*\d[a-z0-9_.\-]*|(?<![a-z])(?:not|never|no|none|cannot|without|stop|instead|only|always)(?![a-z])"
    r"|n't\b|ない|ません|なく|ずに|禁止|不要|やめ|以外|だけ|必ず"
)
_ITEM = re.compile(r"^\s*\d{1,3}[.)]\s+", re.MULTILINE)  # a numbered list is no other statement


def prints(text: str) -> list[int]:
    """What an exposure keeps of a text: its fingerprints, and one for each telling word.

    The fingerprints alone leave out the letters at both ends, so that "… runs on Python 3.11." and "… 3.12."
    share them all.
    """
    return sorted({*shingles(text), *_told(text)})


def _told(text: str) -> set[int]:
    words = {word.strip(".-_") for word in _TOLD.findall(fold(text))}
    return {
        int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big", signed=True) for word in words
    }


@dataclass(frozen=True)
class Served:
    """Fingerprints of what an agent was shown. `few`: whole texts so short that only equality counts."""

    fingerprints: Collection[int]
    few: Collection[tuple[int, ...]] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.fingerprints) or bool(self.few)

    def holds(self, text: str) -> bool:
        """Equal or nearly equal to something served."""
        text = _ITEM.sub("", text)
        own = shingles(text)
        if len(own) < FEW:
            return tuple(prints(text)) in self.few
        if containment(own, list(self.fingerprints)) < NEAR:
            return False
        if not _told(text).issubset(self.fingerprints):
            return False
        return all(self._served(text, own, word.span()) for word in _TELLING.finditer(text))

    def ranges(self, text: str) -> list[tuple[int, int]]:
        """The served parts of a text as (start, end), whole sentences, joined; (0, all) if all of it."""
        if self.holds(text):
            return [(0, len(text))]
        found: list[tuple[int, int]] = []
        last = False
        for start, end in sentences(text):
            holds = self.holds(text[start:end])
            if holds and last:
                found[-1] = (found[-1][0], end)
            elif holds:
                found.append((start, end))
            last = holds
        return found

    def _served(self, text: str, own: list[int], span: tuple[int, int]) -> bool:
        """Were the fingerprints that carry this word served, too?"""
        rest = set(shingles(text[: span[0]] + text[span[1] :]))
        return all(print_ in self.fingerprints for print_ in own if print_ not in rest)
