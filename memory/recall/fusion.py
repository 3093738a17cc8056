"""One order out of two halves, and the floor under it. Pure (design section 4, Recall).

Both halves say how surprising it would be to meet this memory by chance: the coverage says how much of the question's
rarity stands in it, the standing how far its nearness lies above what unrelated texts have. They add up, so whichever
half is surer decides. Ranks are never mixed: that was measured worse than the better half alone. Nor is plain BM25: it
grows with the question's length and with the scope, and among a thousand memories two words met by chance outweighed
every answer in the other language.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Collection
from dataclasses import dataclass

# What holding all of the question's rarity adds to the order, in deviations, where the space does not say otherwise
# (``spaces.Space.words``). From 6 to 11 hardly matters with e5.
WORDS = 8.0
# A hint between equals: far less than one rare word, or than one deviation.
KIND = {"decision": 0.3, "postmortem": 0.3}
# A reviewer said that this short form means this memory: better than all of the question's words, because "what is
# kiln, if I may ask?" has no other and sounds like a question about the world.
NAMED = 5.0
# A memory in the other language cannot hold the question's words, however well it answers, and lies somewhat further
# away: answers stand at 3.4 deviations there and at 4.9 in the same language, while what does not answer is equally
# far in both (12 sets of questions, e5).
ACROSS = 0.5

# The floor, fitted on the question sets of tests/data/recall and benchmarks/data/recall, each checked with the settings
# that the others choose (both languages, both models).
COVERAGE = 4.5  # what holding all of the question's rarity is worth here: less than in the order
OWN_WORK = 4.0  # what a question that is wholly about one's own work is spared, in deviations
PER_FOLD = (
    0.7  # how much the floor rises each time the scope grows by e: among more texts chance comes nearer
)
TYPICAL = 0.6  # share of what is typical of the scope that the floor rises by
FLOOR_OF_WORDS = 0.2  # without a vector: share of the question's rarity that must be there, among up to
FEW = 40  # memories,
WORDS_PER_FOLD = 0.06  # and how much that rises from there
REACH = 0.9  # a hit this far below the best one answers something else
SHARE = (
    0.3  # and so does one that lies further below it than this share of the best one's lead over the scope
)
REACH_OF_WORDS = 0.35


@dataclass(frozen=True)
class Sign:
    """What speaks for one memory. ``coverage``: BM25 as a share of the question's whole rarity, about 0 to 1.

    ``standing``: deviations above unrelated texts (``spaces.Space.standing``), None when it has no vector. ``named``:
    the question holds one of its short forms (``aliases``). ``weight``: of the coverage beside this standing.
    ``across``: it is written in the other language than the question.
    """

    id: uuid.UUID
    kind: str = ""
    bm25: float = 0.0
    coverage: float = 0.0
    standing: float | None = None
    named: bool = False
    weight: float = WORDS
    across: bool = False

    @property
    def score(self) -> float:
        """What hits are ordered by. Without a vector a memory is taken to be near the question by half its words."""
        near = self._near if self.standing is not None else COVERAGE * self.coverage / 2
        return near + self.weight * self.coverage + KIND.get(self.kind, 0.0) + NAMED * self.named

    @property
    def relevance(self) -> float:
        """What is held against the floor: unlike the score meaning counts as much as words do."""
        return self._near + COVERAGE * self.coverage + NAMED * self.named

    @property
    def _near(self) -> float:
        return 0.0 if self.standing is None else self.standing + ACROSS * self.across


@dataclass(frozen=True)
class Floor:
    """What an answer has to show: ``relevance`` with a vector (``floor_of``), coverage (``words``) without one.

    ``typical``: the mean standing of all that the scope holds.
    """

    relevance: float = 0.0
    words: float = FLOOR_OF_WORDS
    typical: float = 0.0


def floor_of(*, base: float, count: int, own_work: float, typical: float = 0.0) -> float:
    """The relevance that an answer needs among ``count`` memories (``spaces.Space`` tells the other three).

    Of three unrelated memories the nearest is rarely near; of a thousand it nearly always is. A question about the
    world finds no answer among notes about one's work, however near they come. And what is near to a question that is
    near to everything says less than what stands out from all the others (``typical``: their mean standing).
    """
    return base + PER_FOLD * math.log(max(count, 1)) - OWN_WORK * own_work + TYPICAL * typical


def floor_of_words(count: int) -> float:
    """The coverage that an answer needs among ``count`` memories: of a thousand, some hold two words by chance."""
    return FLOOR_OF_WORDS + WORDS_PER_FOLD * math.log(max(count, FEW) / FEW)


def above_floor(signs: Collection[Sign], floor: Floor) -> list[Sign]:
    """Those that have to do with the question, in the order given: enough by themselves, and near the best.

    Near: at most ``REACH`` deviations behind it, less where the best hardly stands out from what is typical. A long
    question comes near to everything; then only what is nearest speaks to it. Those without a vector are held to their
    words alone.
    """
    best = max((sign.relevance for sign in signs if sign.standing is not None), default=0.0)
    best_words = max((sign.coverage for sign in signs), default=0.0)
    reach = max(0.0, min(REACH, SHARE * (best - floor.typical)))
    enough = max(floor.relevance, best - reach)
    enough_words = max(floor.words, best_words - REACH_OF_WORDS)
    return [
        sign
        for sign in signs
        if (
            sign.relevance >= enough
            if sign.standing is not None
            else sign.named or sign.coverage >= enough_words
        )
    ]
