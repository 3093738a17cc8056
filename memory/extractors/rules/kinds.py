"""Which of the six kinds a statement is, and to whom it belongs (design section 2)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

_WORK_WITH_ME = re.compile(
    r"\b(?:you|your|repl(?:y|ies)|answers?|responses?|explanations?|summar(?:y|ies)|emojis?|"
    r"tone|ask(?: me)?|tell me|show me|my (?:commit|pr|code|review)s?|i (?:read|review|work|"
    r"hate|like|prefer|want|only|need|dont|cant|usually|never|always))\b"
    r"|説明|回答|返事|返信|要約|報告|結論|箇条書き|敬語|口調|勝手|頼んだ|一言|聞いて|"
    r"確認して|絵文字|提案|前置き|見せて|(?:て|で)(?:ほし|欲し)|助かり?|読みやす|読めん|長い|"
    r"くどい|苦手|嫌|いい$",
    re.A,
)
_PROJECT_OUTPUT = re.compile(
    r"\b(?:for all of us|the team|our team|everyone|nobody on the team|we all|"
    r"in this (?:repo|project|codebase)|users?|customers?)\b|チーム|みんな|全員|うちの|社内|"
    r"プロジェクト|リポジトリ|お客|利用者|コードコメント|変数名|関数名|命名|ローマ字|"
    r"テーブル名|カラム|画面"
)


@lru_cache(maxsize=1)
def _learned() -> dict[str, Any]:
    """Two fits: ``alone`` over features, ``joint`` over features and meaning (whose ``vectors`` `meaning` reads)."""
    learned: dict[str, Any] = json.loads(Path(__file__).with_name("kinds.json").read_text(encoding="utf-8"))
    return learned


def lead(sums: Mapping[str, float]) -> float:
    """How far the likeliest kind is ahead of the next, in logits."""
    first, second = sorted(sums.values(), reverse=True)[:2]
    return first - second


def kind_sums(
    own: frozenset[str], traits: frozenset[str], form: str, meaning: Mapping[str, float] | None = None
) -> dict[str, float]:
    """What speaks for each kind, in logits."""
    fit = _learned()["joint" if meaning else "alone"]
    named = traits | {"k:" + kind_by_rule(own, traits, form)}
    said = meaning or {}
    return {
        kind: bias + sum(fit["weights"][kind].get(name, 0.0) for name in named) + said.get(kind, 0.0)
        for kind, bias in fit["bias"].items()
    }


def kind_by_rule(own: frozenset[str], traits: frozenset[str], form: str) -> str:
    """preference | fact | decision | pattern | postmortem | event for one accepted statement."""
    f = traits
    choice = bool(own & {"decided", "will_choose", "refuse"})
    rule = bool(own & {"when_then", "rule_when"}) or bool(
        own & {"every_time", "from_now"}
        and own & {"order", "wish_form", "te_koto", "universal", "stop_doing", "please"}
    )
    personal = (
        bool(own & {"prefer", "self_habit"} and (own & _ABOUT_SERVICE or ("ja" in f and not choice)))
        or "reaction" in f
        or "service_wish" in f
    )
    if own & {"cause", "lesson"} and ("past" in f or "lesson" in own) and not own & {"will_choose"}:
        return "postmortem"
    if "failure_cause" in f and not choice:
        return "postmortem"
    if f & {"dated_shift", "dated_plan"} and "decided" not in own and not rule and not personal:
        return "event"
    if (
        "choice_pair" in own
        and ("from_now" in own or "project_order" in f)
        and not own & {"you_agent", "service", "i_me"}
    ):
        return "decision"
    if own & {"when_then", "rule_when"} and not own & {"prefer"}:
        return "pattern"
    if personal and not (choice and not own & {"i_me", "you_agent"}):
        return "preference"
    if choice:
        return "decision"
    if rule or own & {"te_koto", "rule_noun"} or "process_rule" in f:
        return "pattern"
    if own & {"stop_doing", "prefer"}:
        return "preference"
    if "choice_pair" in own and "correct" not in own and "stative" not in own:
        return "decision"
    if own & {"every_time", "universal"} and own & {"order", "wish_form"}:
        return "pattern"
    return "fact"


_ABOUT_SERVICE = frozenset({"i_me", "you_agent", "service", "self_habit", "for_me"})


def scope_of(kind: str, own: frozenset[str], form: str) -> str:
    """persona for how this person wants to be served, workspace for everything about the project."""
    if kind not in ("preference", "pattern"):
        return "workspace"
    if _PROJECT_OUTPUT.search(form):
        return "workspace"
    if kind == "preference":
        return (
            "persona"
            if own & {"i_me", "you_agent", "prefer", "service"} or _WORK_WITH_ME.search(form)
            else "workspace"
        )
    return "persona" if own & {"you_agent"} and own & {"i_me"} else "workspace"
