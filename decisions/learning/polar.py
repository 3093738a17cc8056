"""Words that turn a question round; texts that differ in them never merge on likeness (design section 5)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from core.text import fold

_PAIRS = (Path(__file__).parent / "words" / "opposites.txt").read_text(encoding="utf-8").splitlines()[1:]
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|cannot|don't|doesn't|won't|shouldn't|can't|isn't|aren't|didn't|skip|skipping|avoid)\b"
    r"|(?:し|さ|か|ら|ま|が|わ|た|ば|な|せ|れ|け|え|べ|き|み|り|い)?ない(?!よう)|ません|しな(?=く|け)|せず|ずに|なし|不要|スキップ|避け"
)


def _side(words: str) -> re.Pattern[str]:
    """English words with their usual endings at word borders, Japanese ones wherever they stand."""
    latin = [_inflected(w) for w in words.split() if w.isascii()]
    other = [re.escape(w) for w in words.split() if not w.isascii()]
    return re.compile("|".join(([rf"\b(?:{'|'.join(latin)})\b"] if latin else []) + other))


def _inflected(word: str) -> str:
    if len(word) <= 3:
        return word
    stem = word.removesuffix("e")
    last = re.escape(stem[-1])
    return rf"{re.escape(stem)}(?:e|es|ed|s|{last}?ing|{last}ed|ion|al)?"


_SIDES = tuple(
    (_side(side), f"{i}{sign}")
    for i, line in enumerate(_PAIRS)
    for side, sign in zip(line.split("|"), "+-", strict=True)
)
# A longer word of the other side must not be heard inside: 非公開 is not 公開, 無効 not 効.
_INSIDE = (("非公開", "private"), ("非表示", "hide"), ("非同期", "async"), ("ロック解除", "unlock"))


@lru_cache(maxsize=1024)  # as in templates.py
def polarity(text: str) -> tuple[str, ...]:
    """Signature of the directions and negations in a text; unequal signatures never merge. Order does not count."""
    text = fold(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text))
    for compound, plain in _INSIDE:
        text = text.replace(compound, f" {plain} ")
    found = {name for pattern, name in _SIDES if pattern.search(text)}
    negations = len(_NEGATION.findall(text))
    return (*sorted(found), *(["not"] if negations % 2 else []))
