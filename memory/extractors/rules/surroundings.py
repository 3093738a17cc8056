"""What stands around a unit, as features: cues of its message (`m:`), sentence (`s:`), forerunner (`p:`), the agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.text import is_weak_term, terms

_OF_SENTENCE = ("momentary", "defect", "temporary", "third")
_OF_MESSAGE = (
    "question",
    "joke",
    "hypothetical",
    "temporary",
    "third",
    "not_said",
    "remember",
    "aside",
    "decided",
    "cause",
    "order",
    "momentary",
    "reason",
    "from_now",
    "supposes",
    "thanks",
    "retreat",
    "correct",
    "prefer",
)
_OF_PREVIOUS = (
    "remember",
    "aside",
    "correct",
    "decided",
    "refuse",
    "prefer",
    "joke",
    "hypothetical",
    "not_said",
    "third",
)


@dataclass(frozen=True)
class Surroundings:
    """What stands around a unit: other units of the message, and what the agent said before."""

    only_unit: bool
    first: bool
    message_words: int
    message: frozenset[str]
    previous: frozenset[str]
    agent_claims: bool
    agent_reports: bool
    agent_said: bool
    answers: bool = False
    said_before: bool = False
    secret: bool = False
    earlier_terms: frozenset[str] = frozenset()
    sentence: frozenset[str] = frozenset()


NOWHERE = Surroundings(True, True, 0, frozenset(), frozenset(), False, False, False)


def content_terms(text: str) -> frozenset[str]:
    """Words that name a topic: no weak ones, no bare numbers, no single characters."""
    return frozenset(t for t in terms(text) if len(t) > 1 and not is_weak_term(t) and not t.isdigit())


def around_it(text: str, own: frozenset[str], around: Surroundings) -> Iterator[str]:
    """Names of what holds around the unit ``text`` with the cues ``own``."""
    yield from ("s:" + name for name in _OF_SENTENCE if name in around.sentence - own)
    for name in _OF_MESSAGE:
        # "also", "btw" start something new: the order before it says nothing about what follows.
        if name in around.message - own and not (name in ("order", "question") and "aside" in own):
            yield "m:" + name
    yield from ("p:" + name for name in _OF_PREVIOUS if name in around.previous)
    facts = {
        "m:secret": around.secret,
        "agent_claims": around.agent_claims,
        "agent_reports": around.agent_reports,
        "corrects_earlier": around.said_before and "correct" in around.message | own,
        "same_topic": bool(around.earlier_terms & content_terms(text)),
        "answers_agent": around.answers,
        "long_message": around.message_words > 60,
    }
    yield from (name for name, holds in facts.items() if holds)
