"""Rows of the decisions room (design section 5)."""

from __future__ import annotations

from decisions.models.ask import AskSeen
from decisions.models.choice import Choice, Marker, Outcome, Source
from decisions.models.point import DecisionPoint, Joined, Option, Wording
from decisions.models.preference import LearningSetting, Mute, Preference
from decisions.models.quarantine import Quarantine, QuarantineState
from decisions.models.recommendation import Fate, Recommendation
from decisions.models.tally import Tally

__all__ = [
    "AskSeen",
    "Choice",
    "DecisionPoint",
    "Fate",
    "Joined",
    "LearningSetting",
    "Marker",
    "Mute",
    "Option",
    "Outcome",
    "Preference",
    "Quarantine",
    "QuarantineState",
    "Recommendation",
    "Source",
    "Tally",
    "Wording",
]
