"""Turns a unit into named yes/no features: which cues fire, and where they stand.

Names are what the weights, the explanations and the tests speak of.  A feature is a fact about the
wording or its surroundings, never about a subject matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extractors.rules import cues_en, cues_ja
from memory.extractors.rules.segment import Unit

_TABLES_EN = {**cues_en.STRONG, **cues_en.WEAK, **cues_en.AGAINST}
_TABLES_JA = {**cues_ja.STRONG, **cues_ja.WEAK, **cues_ja.AGAINST}
STRONG_NAMES = frozenset(cues_en.STRONG) | frozenset(cues_ja.STRONG)
AGAINST_NAMES = frozenset(cues_en.AGAINST) | frozenset(cues_ja.AGAINST)

_NOUN_SUBJECT = re.compile(
    r"^(?:\W|and |also |but |so |btw,? |fyi,? |ok |no,? |well |oh )*(?:(?:the|our|every|each|all|any|no|a|an|my|their) )?"
    r"(?:[a-z0-9][\w./#@-]*)(?: [\w./#@()-]+){0,5}? (?:" + cues_en.STATIVE + r")\b",
    re.A,
)
_PRONOUN_START = re.compile(r"^(?:\W|and |so |but |ok |oh |no |hm+ |then )*(?:i|im|ive|ill|it|its|this|that|thats|these|they|he|she|you|there|u)\b", re.A)
_PAST = re.compile(r"\b(?:was|were|had|got|did|went|came|broke|lost|forgot|caused|\w{3,}ed)\b", re.A)
_PAST_JA = re.compile(r"(?:た|でした|ました)(?:。|$|の?で|から|ため|ん|、)")
_POLITE_FACT_JA = re.compile(r"(?:です|ます|だ|である|だよ|ですよ|なので|だから|なんで|んだよ|んです|ね|よ)(?:。|$|、|!)|(?:だけ|のみ|固定|必須|禁止|済み|担当|任せ|不可|専用|経由)(?:。|$|、|!)")


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


NOWHERE = Surroundings(True, True, 0, frozenset(), frozenset(), False, False, False)


def cues(unit: Unit) -> frozenset[str]:
    """Names of the cues that fire in the unit itself."""
    found = {name for name, p in _TABLES_EN.items() if p.search(unit.form)}
    if unit.japanese:
        found |= {name for name, p in _TABLES_JA.items() if p.search(unit.form)}
        # English word order means nothing inside a Japanese sentence.
        found -= {"order"} - ({"order"} if cues_ja.AGAINST["order"].search(unit.form) else set())
    return frozenset(found)


def features(unit: Unit, own: frozenset[str], around: Surroundings = NOWHERE) -> frozenset[str]:
    """All features of a unit: its cues, cues of its message (`m:`), its shape and useful pairs."""
    f = set(own)
    tag = "ja" if unit.japanese else "en"
    strong = len(own & STRONG_NAMES)
    f.add(f"strong{min(strong, 3)}")
    words = len(unit.form.split()) if not unit.japanese else len(unit.form) // 3
    f.add("short" if words <= 3 else "long" if words > 40 else "middle")
    if not unit.japanese:
        if _NOUN_SUBJECT.search(unit.form):
            f.add("noun_subject")
        if _PRONOUN_START.search(unit.form):
            f.add("pronoun_start")
        if _PAST.search(unit.form):
            f.add("past")
    else:
        if _PAST_JA.search(unit.form):
            f.add("past")
        if _POLITE_FACT_JA.search(unit.form):
            f.add("told")
        if re.match(r"^[^、。]{1,30}は", unit.form):
            f.add("noun_subject")
    if "stative" in f and "noun_subject" in f and not f & {"momentary", "i_now", "question", "deictic"}:
        f.add("plain_fact")
        if f & {"technical", "number", "only", "fixed", "we_our", "recurring"}:
            f.add("firm_fact")
    if "date" in f and "shift" in f:
        f.add("dated_shift")
    if "order" in f and not f & {"from_now", "every_time", "remember", "when_then", "rule_noun", "universal", "unless"}:
        f.add("bare_order")
    if "order" in f and "this_piece" in f:
        f.add("order_here")
    if f & {"wish_form", "please", "order"} and "service" in f:
        f.add("service_wish")
        if "reason" in f or around.message & {"reason", "prefer"}:
            f.add("service_wish_reason")
    if "correct" in around.message and "correct" not in f:
        f.add("m:correct")
    for name in ("question", "joke", "hypothetical", "temporary", "third", "not_said", "remember", "aside", "decided",
                 "cause", "order", "momentary", "reason", "from_now"):
        if name in around.message - own:
            f.add("m:" + name)
    for name in ("remember", "aside", "correct", "decided", "refuse", "prefer", "joke", "hypothetical", "not_said", "third"):
        if name in around.previous:
            f.add("p:" + name)
    if around.only_unit:
        f.add("alone")
    if around.agent_claims:
        f.add("agent_claims")
    if around.agent_reports:
        f.add("agent_reports")
    if unit.aside:
        f.add("in_log")
    if around.message_words > 60:
        f.add("long_message")
    f.add(tag)
    return frozenset(f)
