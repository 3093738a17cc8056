"""Retreats and corrections: what the person takes back, and whose last word counts."""

from __future__ import annotations

import re

from memory.extractors.base import Withdrawal
from memory.extractors.rules.content import topic
from memory.extractors.rules.listen import Heard

_TAKES_BACK = re.compile(
    r"\b(?:scratch|strike|scrap) that\b|\b(?:forget|ignore|disregard) (?:what|that|"
    r"everything|all)?\s?(?:i|it|that|about)?\b|\bnever ?mind\b|\bnvm\b|\bi take (?:that|"
    r"it) back\b|\bthat was wrong\b|\bi was wrong\b|\bi misspoke\b|\bchanged? (?:my|"
    r"our) minds?\b|\bnot true any ?more\b|\bor maybe not\b|\bchange of plan\b"
    r"|撤回|訂正|取り消|取消|なかったことに|忘れて|今の(?:は)?(?:なし|無し)|"
    r"やっぱ(?:り)?(?:なし|やめ|いい(?:や|です)|無し)|間違(?:え|って)(?:まし)?た|前言",
    re.A,
)
_ABOUT = re.compile(
    r"\b(?:about|regarding|on) (.{3,60}?)(?:[.,;!]|$)|(.{2,30}?)(?:の(?:件|話|こと))?(?:は|"
    r"って(?:言|い)っ|と(?:言|い)(?:い|っ)|を?(?:撤回|訂正|取り消))",
    re.A,
)


def withdrawals(all_heard: list[Heard]) -> list[Withdrawal]:
    """Each place where the person took something back; `about` names it, or the last statement before."""
    out = []
    said: str = ""
    for heard in all_heard:
        for i, unit in enumerate(heard.units):
            if _TAKES_BACK.search(unit.form) and not heard.own[i] & {"question", "joke"}:
                m = _ABOUT.search(unit.text)
                about = next((g for g in m.groups() if g), "") if m else ""
                out.append(
                    Withdrawal(
                        heard.utterance.ref, unit.text, (about or topic(said) or said)[:120].strip(" 、,")
                    )
                )
        if heard.units:
            said = heard.units[-1].text
    return out


def retracts(heard: Heard) -> bool:
    """Does this utterance correct or take back what was said before it?"""
    return any(
        own & {"correct"} or _TAKES_BACK.search(u.form) for own, u in zip(heard.own, heard.units, strict=True)
    )
