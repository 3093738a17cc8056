"""Two active memories side by side: duplicates, a correction, a contradiction, or none of it.

memory's comparison decides what is the same and what conflicts (``memory.dedupe``: never on cosine alone). What this
file adds: which of two conflicting texts is the later word on the same thing, and near repeats that a person, who sees
both texts before anything happens, can be asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knowledge.night.corrections import correction
from knowledge.night.facts import Fact
from knowledge.night.repeats import repeats
from memory import dedupe

Finding = Literal["merge", "supersede", "conflict", "none"]


@dataclass(frozen=True)
class Judged:
    """What to propose. ``newer``: for a supersede, the one that replaces the other. ``why``: key of a sentence."""

    finding: Finding
    confidence: float
    why: str = ""
    old: Fact | None = None
    newer: Fact | None = None
    details: tuple[str, ...] = ()


def judge(a: Fact, b: Fact, *, cosine: float | None) -> Judged:
    """How two memories of one kind relate; ``cosine`` is calibrated (0 to 1), None without vectors. Symmetric."""
    old, new = _in_order(a, b)
    verdict = dedupe.compare(old.features, new.features, cosine=cosine)
    if verdict.relation == "different":
        return Judged("none", 0)
    ended = a.tells_end != b.tells_end
    if verdict.relation == "same" and not ended:
        confidence = 1.0 if verdict.score == 1.0 and a.features.normal == b.features.normal else 0.9
        return Judged("merge", confidence, "same", details=verdict.reasons)
    if (why := correction(old, new, verdict.relation)) is not None:
        return Judged("supersede", 0.85 if why != "contradicts" else 0.6, why, old, new, verdict.reasons)
    if not ended and repeats(old, new, verdict, cosine=cosine):
        return Judged("merge", 0.75, "nearly", details=verdict.reasons)
    return Judged("conflict" if verdict.relation == "conflict" else "none", 0, details=verdict.reasons)


def _in_order(a: Fact, b: Fact) -> tuple[Fact, Fact]:
    """(earlier, later). Said at the same moment, the one that speaks of a change is the later word."""
    if a.said_at != b.said_at:
        return (a, b) if a.said_at < b.said_at else (b, a)
    if a.tells_change != b.tells_change:
        return (b, a) if a.tells_change else (a, b)
    return (a, b) if str(a.id) < str(b.id) else (b, a)
