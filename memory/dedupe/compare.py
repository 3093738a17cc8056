"""The judgement: same, conflict, similar or different (design section 4, "Dedupe").

"same" needs every difference between two texts to be explained by grammar or the thesaurus; a cosine can only support
or veto that, because no embedding tells contradiction from agreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .differences import (
    Leftover,
    denial_conflicts,
    leftovers,
    number_conflicts,
    opposites,
    order_conflict,
    stance_gap,
)
from .features import Features
from .lexicon import GENERIC
from .tokens import Token
from .wordorder import reordered_safely, swapped

Relation = Literal["same", "conflict", "similar", "different"]

# Similarities are calibrated (0 to 1, see calibrate.py).
VETO = 0.25  # below it, texts with the same words still speak of different things
CROSS_LANGUAGE = 0.25  # a translation has fewer anchors, so the model has to agree
GENERIC_SWAP = 0.5  # two different general verbs (store, keep) around the same words
SIMILAR = 0.5
_SUBJECT = 0.34  # share of common words that makes a difference a conflict rather than another subject


@dataclass(frozen=True)
class Verdict:
    """`relation`, a `score` from 0 to 1 for ranking within it, and the reasons in words a person can read."""

    relation: Relation
    score: float
    reasons: tuple[str, ...]


def _allowance(cosine: float | None) -> float:
    """How much weak wording one text may have that the other lacks (a generic verb is 0.5, a weak noun 0.35)."""
    if cosine is None or cosine < 0.6:
        return 0.75
    return 1.25 if cosine < 0.85 else 1.6


def _light_verbs(x: Token, y: Token, cosine: float | None) -> bool:
    """Verbs that add little beside the same words: write / add a docstring, keep / store a log."""
    alike = x.like == y.like or "filler" in (x.like, y.like)
    return bool(x.like and y.like) and alike and (cosine is None or cosine >= GENERIC_SWAP)


def _wording_agrees(left: Leftover, right: Leftover, cosine: float | None) -> bool:
    one, other = list(left.values()), list(right.values())
    if one and other:
        return len(one) == len(other) == 1 and _light_verbs(one[0], other[0], cosine)
    rest = one or other
    return all(t.weight <= GENERIC for t in rest) and sum(t.weight for t in rest) <= _allowance(cosine)


def _other_words(left: Leftover, right: Leftover) -> list[str]:
    def shown(side: Leftover) -> str:
        return ", ".join(t.surface for t in side.values()) or "—"

    return [f"other words: {shown(left)} / {shown(right)}"] if left or right else []


def compare(a: Features, b: Features, *, cosine: float | None) -> Verdict:
    """How two texts relate. `cosine` is a calibrated similarity (0 to 1) or None (words alone).

    Symmetric, but for which side a reason names first.
    """
    if a.normal == b.normal and a.normal:
        return Verdict("same", 1.0, ("same wording",))
    shared, left, right = leftovers(a, b)
    common = sum(t.weight for t in shared.values())
    apart = sum(t.weight for side in (left, right) for t in side.values())
    coverage = common / (common + apart) if common + apart else 0.0
    score = coverage if cosine is None else (coverage + cosine) / 2

    conflicts = [*number_conflicts(a, b), *denial_conflicts(a, b), *opposites(left, right)]
    if order := order_conflict(a, b):
        conflicts.append(order)
    if pair := swapped(a, b):
        conflicts.append(f"roles changed: {pair[0]} / {pair[1]}")
    gaps = stance_gap(a, b)
    related = coverage >= _SUBJECT or (cosine is not None and cosine >= SIMILAR)
    if conflicts:
        return Verdict("conflict" if related else "different", score, tuple(conflicts))

    doubts = [*gaps]
    if not (a.whole and b.whole):
        doubts.append("too long to compare word by word")
    if not reordered_safely(a, b):
        doubts.append("other word order")
    if common < 1 and (left or right or not shared):
        doubts.append("too little in common")
    if not _wording_agrees(left, right, cosine):
        doubts += _other_words(left, right)
    if cosine is not None and cosine < VETO and (left or right or common < 2):
        doubts.append("meanings far apart")
    if {a.language, b.language} == {"en", "ja"}:
        if cosine is None or cosine < CROSS_LANGUAGE:
            doubts.append("another language, and no model to confirm it")
        elif a.identifiers != b.identifiers:
            doubts.append("another language with other names")
    if doubts:
        return Verdict("similar" if related else "different", score, tuple(doubts))
    return Verdict("same", score, tuple(_other_words(left, right)) or ("same words, other form",))
