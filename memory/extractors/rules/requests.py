"""Requests: what the person asked for (design section 4).  Raw material for Knowledge, never recalled."""

from __future__ import annotations

import re

from memory.extractors.base import RequestNote
from memory.extractors.rules.content import tidy
from memory.extractors.rules.forms import columns
from memory.extractors.rules.listen import Heard
from memory.extractors.rules.verbs import ORDER, ORDER_VERB

_VERB_EN = re.compile(ORDER + r"(?P<verb>" + ORDER_VERB + r")\b(?P<rest>.*)", re.A | re.S)
_VERB_JA = re.compile(
    r"^(?P<target>.*?)(?:を|に|は|も|から|だけ|"
    r"、)?(?P<verb>[一-鿿ァ-ヶーA-Za-z]{1,12}?[ぁ-ん]{0,4}?)(?:し)?(?:て|で)(?:おい|おき|"
    r"もら|いただ|くだ|下|くれ|ほし|欲し|と|み|ね|よ|ちょ|$|[。!、])"
)
_PLEASE_JA = re.compile(r"^(?P<target>.*?)(?:を|の)?(?P<verb>[一-鿿ァ-ヶーA-Za-z]{1,10})?(?:を)?お願い")
MAX_TARGET = 120


def requests(heard: Heard) -> list[RequestNote]:
    """The imperative sentences of one utterance: the verb, its object and a short summary."""
    notes = []
    for i, unit in enumerate(heard.units):
        own = heard.own[i]
        if "order" not in own or own & {"joke", "not_said"} or "[redacted:" in unit.text:
            continue
        m = (
            (_PLEASE_JA.match(unit.text) or _VERB_JA.match(unit.text))
            if unit.japanese
            else _VERB_EN.match(unit.form)
        )
        verb = (m.group("verb") or "") if m else ""
        rest = (m.group("target" if unit.japanese else "rest") or "") if m else ""
        summary = tidy(unit.text)
        while columns(summary) > 200:
            summary = summary[: len(summary) * 3 // 4].rstrip() + "…"
        notes.append(
            RequestNote(
                heard.utterance.ref, verb.strip() or "ask", rest.strip(" 、,.。!")[:MAX_TARGET], summary
            )
        )
    return notes
