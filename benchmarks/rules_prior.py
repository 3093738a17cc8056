"""What grammar says before any data: where the fit starts, and which way each weight may go.

A prior keeps cues that are rare in the data at their meaning; the bounds make every decision explainable (a
question can only speak against, a standing rule only for).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memory.extractors.rules import cues_en, cues_ja, doubts_en

KINDS = ("fact", "decision", "pattern", "preference", "postmortem", "event")

PRIOR: dict[str, float] = {
    "remember": 1.3,
    "dated_shift": 1.2,
    "decided": 1.1,
    "corrects_earlier": 1.0,
    "lesson": 1.0,
    "prefer": 1.0,
    "refuse": 1.0,
    "standing_order": 1.0,
    "when_then": 1.0,
    "will_choose": 1.0,
    "cause": 0.9,
    "failure_cause": 0.9,
    "dated_plan": 0.8,
    "process_rule": 0.6,
    "project_order": 1.0,
    "own_project": 0.3,
    "we_do": 0.5,
    "for_me": 0.9,
    "from_now": 0.9,
    "every_time": 0.8,
    "final": 0.8,
    "forbid": 0.8,
    "m:remember": 0.8,
    "rule_noun": 0.8,
    "aside": 0.6,
    "m:correct": 0.6,
    "p:remember": 0.6,
    "rule_when": 0.6,
    "standing": 0.6,
    "stop_doing": 0.6,
    "unless": 0.6,
    "correct": 0.5,
    "firm_fact": 0.5,
    "m:aside": 0.5,
    "plain_fact": 0.5,
    "recurring": 0.5,
    "service_wish_reason": 0.5,
    "te_koto": 0.5,
    "choice_pair": 0.4,
    "no_exist": 0.4,
    "reason": 0.4,
    "service_wish": 0.4,
    "fixed": 0.3,
    "only": 0.3,
    "p:aside": 0.3,
    "universal": 0.3,
    "we_our": 0.3,
    "shift": 0.2,
    "m:order": -0.3,
    "order": -0.3,
    "rulefile": -0.3,
    "in_log": -0.4,
    "m:hypothetical": -0.4,
    "m:joke": -0.4,
    "m:not_said": -0.4,
    "m:question": -0.4,
    "m:retreat": -0.4,
    "m:supposes": -0.4,
    "m:temporary": -0.4,
    "m:thanks": -0.4,
    "m:third": -0.4,
    "deictic": -0.5,
    "s:defect": -0.5,
    "strong0": -0.5,
    "want_once": -0.5,
    "bare_ban": -0.6,
    "s:momentary": -0.6,
    "short": -0.6,
    "this_piece": -0.7,
    "defect": -0.8,
    "momentary": -0.8,
    "thanks": -0.8,
    "ban_in_order": -1.0,
    "hands": -1,
    "hypothetical": -1.0,
    "i_now": -1,
    "order_here": -1,
    "p:joke": -1,
    "before_paste": -1,
    "m:secret": -1,
    "order_later": -0.4,
    "reaction": 0.4,
    "manner": 1.4,
    "taste": 0.8,
    "self_habit": 0.4,
    "habit_order": 0.6,
    "same_topic": 0.2,
    "p:not_said": -1,
    "s:temporary": -1,
    "s:third": -1,
    "bare_order": -1.2,
    "retreat": -1.5,
    "temporary": -1.5,
    "third": -1.5,
    "ai_address": -2,
    "joke": -2,
    "not_said": -2,
    "supposes": -2,
    "question": -2.5,
}

UPPER = (
    set(doubts_en.AGAINST)
    | set(cues_ja.AGAINST)
    | {
        "bare_order",
        "ban_in_order",
        "order_here",
        "before_paste",
        "m:secret",
        "order_later",
        "pronoun_start",
        "short",
        "in_log",
    }
)
LOWER = (
    (
        set(cues_en.STRONG)
        | set(cues_ja.STRONG)
        | {"reason", "only", "recurring", "fixed", "we_our", "no_exist", "correct"}
    )
    | {
        "plain_fact",
        "firm_fact",
        "dated_shift",
        "dated_plan",
        "failure_cause",
        "process_rule",
        "project_order",
        "we_do",
        "told",
        "service_wish_reason",
        "standing",
        "standing_order",
    }
    | {
        "m:remember",
        "m:aside",
        "p:remember",
        "p:aside",
        "p:correct",
        "agent_claims",
        "answers_agent",
        "agent_reports",
        "reaction",
        "taste",
        "habit_order",
        "same_topic",
    }
) - {"shift"}


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
