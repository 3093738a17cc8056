"""Near-duplicates take one place in an answer. Pure (design section 4, Recall)."""

from __future__ import annotations

from core.text import containment, shingles
from memory import dedupe

ALIKE = 0.9


class Collapser:
    """Told the texts of an answer from the best down, says which repeat one that already stands there.

    A longer text that holds an earlier one is no repeat (it says more), nor is one whose numbers, versions,
    negation or identifiers differ: those are the very thing that may be asked.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[str, list[int]]] = []

    def repeats(self, content: str) -> bool:
        """Whether ``content`` is held, nine tenths or more, by a text told before; otherwise it is kept."""
        prints = shingles(content)
        for known, known_prints in self._kept:
            if containment(prints, known_prints) >= ALIKE and _agree(known, content):
                return True
        self._kept.append((content, prints))
        return False


def _agree(left: str, right: str) -> bool:
    return dedupe.compare(dedupe.features(left), dedupe.features(right), cosine=None).relation != "conflict"
