"""The last judge: a small logistic regression over the named features, after hard vetoes.

Grammar alone decides what is clear either way.  What it leaves open is weighed by meaning too: the built-in
sentence embedding adds one number to the sum; where the model cannot run, grammar has the last word.  Signs of
the grammar weights are constrained: a retreat can never raise a score, a standing rule never lower it.

The weights come from files of this repository alone, `python -m benchmarks.train_rules --write`, and the same
command with --check tells whether weights.json still is what it would write.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memory.extractors.rules.meaning import KEPT, meanings

# Grammar alone decides outside this band; only what it leaves open is worth the sentence model.
CLEARLY_QUIET = -1.2
CLEARLY_KEPT = 1.0

# Whatever else a unit says, these speech acts are no lasting assertion by this person.
_VETO_UNIT = frozenset(
    {"question", "joke", "not_said", "third", "temporary", "ai_address", "retreat", "supposes"}
)
_VETO_MESSAGE = frozenset({"m:joke", "m:not_said", "p:joke", "m:supposes"})

# "for tonight just …, we go back to manual later": one clause bounds the whole sentence, unless the other stands out.
_STANDS = frozenset({"remember", "from_now", "every_time", "aside", "m:aside", "m:remember", "decided"})


@dataclass(frozen=True)
class Weights:
    """`bias` + weight by feature name."""

    bias: float
    by_name: dict[str, float]

    def grammar(self, traits: frozenset[str]) -> float:
        return self.bias + sum(self.by_name.get(name, 0.0) for name in traits)


@lru_cache(maxsize=1)
def weights() -> tuple[Weights, Weights]:
    """(grammar alone, grammar and meaning)."""
    raw = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    alone, joint = raw["alone"], raw["joint"]
    return (
        Weights(alone["bias"], alone["weights"]),
        Weights(joint["bias"], joint["weights"]),
    )


def vetoed(traits: frozenset[str]) -> bool:
    """True when the speech act rules out a memory, however firm the wording is."""
    if traits & _VETO_UNIT:
        return True
    if "s:temporary" in traits and not traits & _STANDS:
        return True
    against = traits & _VETO_MESSAGE
    if against == {"m:not_said"} and traits & {"from_now", "remember", "decided"}:
        return False  # "sorry, not that. from here on …": what was not said is followed by what is
    return bool(against) and "long_message" not in traits


def probabilities(units: Sequence[tuple[frozenset[str], str]]) -> list[float]:
    """How likely a careful reviewer would keep each (features, text), 0..1; 0 when vetoed."""
    alone, joint = weights()
    sums = [None if vetoed(traits) else alone.grammar(traits) for traits, _ in units]
    open_ = [i for i, total in enumerate(sums) if total is not None and CLEARLY_QUIET < total < CLEARLY_KEPT]
    said = meanings([units[i][1] for i in open_]) or ()
    for i, extra in zip(open_, said, strict=False):
        sums[i] = joint.grammar(units[i][0]) + extra[KEPT]
    return [0.0 if total is None else 1.0 / (1.0 + math.exp(-total)) for total in sums]


_REASONS = (
    ("remember", "asks to remember it"),
    ("m:remember", "asks to remember it"),
    ("lesson", "names a lesson learned"),
    ("cause", "explains what went wrong"),
    ("failure_cause", "explains what went wrong"),
    ("dated_shift", "tells of a dated change"),
    ("dated_plan", "tells of a dated change"),
    ("corrects_earlier", "corrects an earlier statement"),
    ("correct", "corrects an earlier statement"),
    ("decided", "states a decision that was made"),
    ("refuse", "states a considered refusal"),
    ("will_choose", "states a choice"),
    ("when_then", "states a rule with its trigger ('when …, do …')"),
    ("rule_when", "states a rule with its trigger ('when …, do …')"),
    ("from_now", "states a standing rule ('from now on')"),
    ("project_order", "names a rule or convention"),
    ("rule_noun", "names a rule or convention"),
    ("forbid", "forbids something in general"),
    ("every_time", "states a standing rule ('always', 'never', 'every time')"),
    ("process_rule", "names a rule or convention"),
    ("stop_doing", "asks to stop a habit"),
    ("manner", "asks for another manner of answering"),
    ("self_habit", "tells how this person reads or works"),
    ("for_me", "says how to work with this person"),
    ("prefer", "voices a lasting wish or taste"),
    ("service_wish_reason", "wishes how work is delivered, with a reason"),
    ("universal", "holds for every case ('every', 'all')"),
    ("aside", "tells a fact in passing ('btw')"),
    ("m:aside", "tells facts as background"),
    ("choice_pair", "chooses one thing over another"),
    ("firm_fact", "states how the project is built or run"),
    ("we_do", "states how the project is built or run"),
    ("plain_fact", "states how things are"),
)


def why(traits: frozenset[str]) -> str:
    """One short plain English phrase for the review page."""
    return next((phrase for name, phrase in _REASONS if name in traits), "states something lasting")
