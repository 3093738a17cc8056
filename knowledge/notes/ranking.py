"""Which descriptions share words with a task. Pure: no Django (design section 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.text import is_weak_term, terms

K1, B = 1.2, 0.75  # Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009)


@dataclass(frozen=True)
class Shared:
    """``score`` is BM25; ``coverage`` the shared words' rarity as a part of the task's whole, 0 to 1."""

    score: float
    coverage: float


def shared_words(task: str, texts: Sequence[str]) -> list[Shared]:
    """For each text what it shares with the task; stop words count only where the task has nothing else."""
    distinct = list(dict.fromkeys(terms(task, query=True)))
    wanted = [term for term in distinct if not is_weak_term(term)] or distinct
    held = [Counter(terms(text)) for text in texts]
    frequency = Counter(term for counts in held for term in counts)
    rarity = {
        term: math.log(1 + (len(texts) - frequency[term] + 0.5) / (frequency[term] + 0.5)) for term in wanted
    }
    whole = sum(rarity.values()) or 1.0
    average = sum(sum(counts.values()) for counts in held) / max(1, len(held)) or 1.0
    return [
        Shared(_bm25(rarity, counts, average), sum(rarity[t] for t in wanted if counts[t]) / whole)
        for counts in held
    ]


def _bm25(rarity: dict[str, float], held: Counter[str], average: float) -> float:
    norm = K1 * (1 - B + B * sum(held.values()) / average)
    return sum(weight * held[t] * (K1 + 1) / (held[t] + norm) for t, weight in rarity.items() if held[t])
