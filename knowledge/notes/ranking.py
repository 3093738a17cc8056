"""Which descriptions share words with a task. Pure: no Django (design section 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.text import is_weak_term, terms
from knowledge.night.words import keys, subjects

K1, B = 1.2, 0.75  # Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009)


SUBJECTS = 2.0  # what a subject in common weighs beside a word: デプロイ and "go live" are one (measured)


@dataclass(frozen=True)
class Shared:
    """``score`` is BM25 and the rarity of the subjects in common; ``coverage`` the rarity of all that is shared as a
    part of the task's whole, 0 to 1.
    """

    score: float
    coverage: float


def shared_words(task: str, texts: Sequence[str]) -> list[Shared]:
    """For each text what it shares with the task: words, and subjects whatever word or language names them.

    Stop words count only where the task has nothing else. Texts are few (``knowledge.selectors.finding``).
    """
    distinct = list(dict.fromkeys(terms(task, query=True)))
    wanted = [term for term in distinct if not is_weak_term(term)] or distinct
    held = [Counter(terms(text)) for text in texts]
    rarity = _rarity(dict.fromkeys(wanted, 1.0), held)
    about = {each.key: each.weight for each in subjects(task)}
    told = [keys(text) for text in texts]
    meant = _rarity(about, told)
    whole = sum(rarity.values()) + SUBJECTS * sum(meant.values()) or 1.0
    average = sum(sum(counts.values()) for counts in held) / max(1, len(held)) or 1.0
    found = []
    for counts, named in zip(held, told, strict=True):
        common = SUBJECTS * sum(weight for key, weight in meant.items() if key in named)
        words = sum(weight for term, weight in rarity.items() if counts[term])
        found.append(Shared(_bm25(rarity, counts, average) + common, (words + common) / whole))
    return found


def _rarity(weights: Mapping[str, float], held: Sequence[Collection[str]]) -> dict[str, float]:
    """How surprising each is to meet, times its own weight."""
    frequency = Counter(each for one in held for each in set(one))
    return {
        each: weight * math.log(1 + (len(held) - frequency[each] + 0.5) / (frequency[each] + 0.5))
        for each, weight in weights.items()
    }


def _bm25(rarity: dict[str, float], held: Counter[str], average: float) -> float:
    norm = K1 * (1 - B + B * sum(held.values()) / average)
    return sum(weight * held[t] * (K1 + 1) / (held[t] + norm) for t, weight in rarity.items() if held[t])
