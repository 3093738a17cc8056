"""Which memories are worth comparing: those that share two telling words. Linear in the texts, not in the pairs.

Every text is filed under the pairs of its few rarest words, so that the work for one text has a bound whatever the
corpus: some twenty shelves, each with a bounded number of others on it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)

RAREST = 7
CROWD = 40  # texts looked at under one pair of words: the oldest; beyond that the corpus repeats itself
PARTNERS = 12  # compared one by one; a repeat is among the very first (memory.services.likeness)
OVERLAP = 0.4  # of the shorter text's words; below it no comparison finds repeat or correction


def candidate_pairs(blocks: Mapping[Id, Sequence[int]], touched: Collection[Id]) -> Iterator[tuple[Id, Id]]:
    """Pairs with at least one of ``touched``, each once; of each text those that share most words with it.

    ``blocks``: the hashed words of every text of one namespace, the oldest first; words of different kinds differ.
    Time O(n log n) in the number of texts, memory O(n).
    """
    often: Counter[int] = Counter()
    for words in blocks.values():
        often.update(words)
    buckets: dict[tuple[int, int], list[Id]] = defaultdict(list)
    for one, words in blocks.items():
        for key in _keys(words, often):
            if len(buckets[key]) < CROWD:
                buckets[key].append(one)
    place = {one: at for at, one in enumerate(blocks)}
    wanted = set(touched)
    seen: set[tuple[int, int]] = set()
    for one, words in blocks.items():
        if one not in wanted:
            continue
        near: Counter[Id] = Counter()
        for key in _keys(words, often):
            near.update(buckets[key])
        near.pop(one, None)
        mine = set(words)
        for other in sorted(near, key=lambda other: (-near[other], place[other]))[:PARTNERS]:
            pair = (min(place[one], place[other]), max(place[one], place[other]))
            theirs = blocks[other]
            if pair not in seen and len(mine.intersection(theirs)) >= OVERLAP * min(len(words), len(theirs)):
                seen.add(pair)
                yield one, other


def _keys(words: Sequence[int], often: Mapping[int, int]) -> list[tuple[int, int]]:
    """Pairs of the rarest words that somebody else has too; a text of one telling word is filed under that alone."""
    shared = sorted({word for word in words if often[word] > 1}, key=lambda word: (often[word], word))[
        :RAREST
    ]
    if len(shared) < 2:
        return [(word, word) for word in shared]
    return list(combinations(sorted(shared), 2))
