"""May the auto-approve policy let this candidate in, and since when? Pure (design section 4, Auto-approve)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

TRUSTED = ("human", "confirmed")
# What a person should settle: letting it in would leave two memories that disagree, or bring back what was refused.
SETTLED_BY_PEOPLE = frozenset({"conflicts", "was_true_before", "duplicate_of_rejected"})
# What a planted text would carry; harmless only where a person typed the words.
RISKY = frozenset({"imperative", "url"})


@dataclass(frozen=True)
class Rule:
    """The thresholds of one namespace. ``min_age_hours`` counts from when the candidate was filed."""

    min_sessions: int
    min_confidence: float
    min_age_hours: int
    kinds: Collection[str]


@dataclass(frozen=True)
class Facts:
    """What is known of a candidate.

    ``sessions``: for each session with words of a person who may be believed, when the first of them were said.
    ``rewritten``: a person changed the text, so that the evidence no longer speaks for it.
    """

    kind: str
    confidence: float
    trust: str
    flags: Collection[str]
    rewritten: bool
    filed_at: datetime
    sessions: Sequence[datetime]


def qualifies_at(rule: Rule, facts: Facts) -> datetime | None:
    """The moment from which the rule holds for these facts; None when it never does."""
    if facts.kind not in rule.kinds or facts.confidence < rule.min_confidence or facts.rewritten:
        return None
    if facts.trust not in TRUSTED or SETTLED_BY_PEOPLE.intersection(facts.flags):
        return None
    if facts.trust != "human" and RISKY.intersection(facts.flags):
        return None
    wanted = max(rule.min_sessions, 1)
    if len(facts.sessions) < wanted:
        return None
    return max(sorted(facts.sessions)[wanted - 1], facts.filed_at + timedelta(hours=rule.min_age_hours))
