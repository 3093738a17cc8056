"""The last judge: a small logistic regression over the named features, after hard vetoes.

The weights come from `benchmarks/train_rules.py` (labelled conversations written for this project) and
are read once.  Signs are constrained there: a retreat can never raise a score, a standing rule never
lower it, so each decision can be explained by naming the cues.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path

THRESHOLD = 0.5

# Whatever else a unit says, these speech acts are no lasting assertion by this person.
_VETO_UNIT = frozenset(
    {"question", "joke", "not_said", "third", "temporary", "ai_address", "retreat", "supposes"}
)
_VETO_MESSAGE = frozenset({"m:joke", "m:not_said", "p:joke", "m:supposes"})


@lru_cache(maxsize=1)
def weights() -> tuple[float, dict[str, float]]:
    """(bias, weight by feature name)."""
    raw = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return float(raw["bias"]), {str(k): float(v) for k, v in raw["weights"].items()}


def vetoed(traits: frozenset[str]) -> bool:
    """True when the speech act rules out a memory, however firm the wording is."""
    if traits & _VETO_UNIT:
        # "remember that …, just this once"-like mixtures stay vetoed: precision first.
        return True
    return bool(traits & _VETO_MESSAGE) and "long_message" not in traits


def probability(traits: frozenset[str]) -> float:
    """How likely a careful reviewer would keep the unit, 0..1; 0 when vetoed."""
    if vetoed(traits):
        return 0.0
    bias, by_name = weights()
    z = bias + sum(by_name.get(name, 0.0) for name in traits)
    return 1.0 / (1.0 + math.exp(-z))


_REASONS = (
    ("remember", "asks to remember it"),
    ("lesson", "names a lesson learned"),
    ("cause", "explains what went wrong"),
    ("dated_shift", "tells of a dated change"),
    ("correct", "corrects an earlier statement"),
    ("m:correct", "corrects an earlier statement"),
    ("decided", "states a decision that was made"),
    ("refuse", "states a considered refusal"),
    ("will_choose", "states a choice"),
    ("when_then", "states a rule with its trigger ('when …, do …')"),
    ("rule_when", "states a rule with its trigger ('when …, do …')"),
    ("from_now", "states a standing rule ('from now on')"),
    ("rule_noun", "names a rule or convention"),
    ("every_time", "states a standing rule ('always', 'never', 'every time')"),
    ("stop_doing", "asks to stop a habit"),
    ("prefer", "voices a lasting wish or taste"),
    ("service_wish_reason", "wishes how work is delivered, with a reason"),
    ("universal", "holds for every case ('every', 'all')"),
    ("aside", "tells a fact in passing ('btw')"),
    ("m:aside", "tells facts as background"),
    ("choice_pair", "chooses one thing over another"),
    ("firm_fact", "states how the project is built or run"),
    ("plain_fact", "states how things are"),
)


def why(traits: frozenset[str], japanese: bool) -> str:
    """One short plain English phrase for the review page."""
    for name, phrase in _REASONS:
        if name in traits:
            return phrase
    return "states something lasting"
