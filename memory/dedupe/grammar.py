"""Closed-class words of both languages: what negates, contrasts, orders, permits, and what only glues.

Values are control names read by `structure.py`; the words themselves stand in `words/grammar.txt`.
"""

from __future__ import annotations

from pathlib import Path

from core.text import fold

from .lexicon import latin_key

PREPOSITIONS = {
    "from_next",
    "to_next",
    "for_next",
    "in_next",
    "on_next",
    "with_next",
    "by_next",
    "under_next",
}


def _read() -> tuple[dict[tuple[str, ...], str], dict[str, str]]:
    english: dict[tuple[str, ...], str] = {}
    japanese: dict[str, str] = {}
    path = Path(__file__).parent / "words" / "grammar.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, latin, other = (part.strip() for part in line.split("|"))
        for form in filter(None, map(fold, latin.split(","))):
            english.setdefault(latin_key(form), name)
        for form in filter(None, map(fold, other.split(","))):
            japanese.setdefault(form, name)
    return english, japanese


ENGLISH, JAPANESE = _read()
LONGEST_ENGLISH = max(map(len, ENGLISH))
LONGEST_JAPANESE = max(map(len, JAPANESE))
