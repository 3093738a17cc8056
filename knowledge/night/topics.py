"""Which approved memories belong into one note. Pure, deterministic, without a model (design section 6, night shift).

Greedy cover by subjects: the subject under which most worth gathers takes its memories first, and what is left goes on.
Frequencies are those of all pieces, also of those that have their note already, so that the next night goes on where
this one stopped instead of finding other topics in what it left.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from knowledge.night.material import WORTH, Piece, Recurring, Topic
from knowledge.night.words import HEAD_WEIGHT, subjects

MOST_PIECES = 12  # a note that one still reads
MOST_HEADS = 8
ENOUGH_WORTH = 3.5
ENOUGH_ASKED = 3.0  # with something that recurs to tell when it is needed
TOO_COMMON = 0.4  # a subject of so many pieces names none of them
WORTH_COUNTED = 8


def topics(
    pieces: Sequence[Piece], *, free: frozenset[str], recurring: Sequence[Recurring] = ()
) -> Iterator[Topic]:
    """Topics among the ``free`` pieces (ids), the best first, each piece in at most one; lazily, stop when enough."""
    about = {piece.id: _weights(piece) for piece in pieces if WORTH.get(piece.kind)}
    by_id = {piece.id: piece for piece in pieces}
    rare = _rarity(about)
    under: dict[str, list[str]] = defaultdict(list)
    for pk, weights in about.items():
        for key, weight in weights.items():
            if weight >= HEAD_WEIGHT:
                under[key].append(pk)
    common = max(WORTH_COUNTED, TOO_COMMON * len(about))
    left = set(free) & set(about)

    def value(key: str) -> float:
        there = [by_id[pk] for pk in under[key] if pk in left]
        alone = len(there) < 2 and not any(each.kind == "habit" for each in there)
        if alone and not any(key in each.keys for each in recurring):
            return 0.0
        worth = sum(sorted((WORTH[each.kind] for each in there), reverse=True)[:WORTH_COUNTED])
        asked = sum(each.sessions for each in recurring if key in each.keys)
        return (worth + min(asked, 6) * (1 if there else 0)) * rare[key]

    heap = [(-value(key), key) for key, held in sorted(under.items()) if len(held) <= common]
    heapq.heapify(heap)
    while heap:
        before, key = heapq.heappop(heap)
        now = value(key)
        if now <= 0:
            continue
        if -before > now + 1e-9:  # some of its pieces went to another topic meanwhile
            heapq.heappush(heap, (-now, key))
            continue
        topic = _gather(key, [by_id[pk] for pk in under[key] if pk in left], about, rare, recurring)
        if topic is not None:
            left -= {piece.id for piece in topic.pieces}
            yield topic


def enough(topic: Topic) -> bool:
    """Whether it holds enough that can be used again; a single memory is found by recall as it is."""
    kinds = {piece.kind for piece in topic.pieces}
    if "habit" in kinds:  # a choice that was made five times and more
        return True
    if topic.recurring and kinds & {"pattern", "postmortem", "decision", "habit"}:
        return topic.worth >= ENOUGH_ASKED
    return len(topic.pieces) >= 2 and topic.worth >= ENOUGH_WORTH


def _weights(piece: Piece) -> dict[str, float]:
    return {subject.key: subject.weight for subject in subjects(piece.text)}


def _rarity(about: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    counts = Counter(key for weights in about.values() for key in weights)
    return {key: math.log(1 + len(about) / count) for key, count in counts.items()}


def _gather(
    key: str,
    there: Sequence[Piece],
    about: Mapping[str, Mapping[str, float]],
    rare: Mapping[str, float],
    recurring: Sequence[Recurring],
) -> Topic | None:
    """The pieces under one subject, those closest to the others first, with the subjects that name them."""
    shared = Counter(each for piece in there for each in about[piece.id])

    def closeness(piece: Piece) -> float:
        near = sum(weight * rare[k] for k, weight in about[piece.id].items() if shared[k] > 1)
        return near * WORTH[piece.kind]

    chosen = sorted(there, key=lambda piece: (-closeness(piece), piece.id))[:MOST_PIECES]
    here = {subject for piece in chosen for subject in about[piece.id]}
    # A request about deploying to staging is not about whatever else happens on staging.
    asked = tuple(each for each in recurring if key in each.keys and _covers(here, each))[:2]
    heads = _heads(key, chosen, asked, rare)
    topic = Topic(heads, tuple(sorted(chosen, key=lambda piece: (piece.at, piece.id))), asked)
    return topic if enough(topic) else None


def _covers(here: Collection[str], asked: Recurring) -> bool:
    return len(asked.keys & frozenset(here)) >= 0.6 * len(asked.keys)


def _heads(
    key: str, pieces: Sequence[Piece], asked: Sequence[Recurring], rare: Mapping[str, float]
) -> tuple[tuple[str, str], ...]:
    """The naming subjects with the form that most pieces write."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    score: dict[str, float] = defaultdict(float)
    japanese = sum(piece.language == "ja" for piece in pieces) * 2 > len(pieces)
    for piece in pieces:
        for subject in subjects(piece.text):
            fits = (piece.language == "ja") == japanese
            forms[subject.key][subject.form] += 2 if fits else 1
            if subject.weight >= HEAD_WEIGHT:
                # Said by two, it is what they have in common; said by one, it is a detail worth finding.
                score[subject.key] += subject.weight * rare.get(subject.key, 1.0)
    for each in asked:
        for shared in each.keys & set(score):
            score[shared] += 2.0
    order = sorted(score, key=lambda one: (one != key, -score[one], one))[:MOST_HEADS]
    return tuple((one, _form(forms[one])) for one in order)


def _form(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], len(form), form))
