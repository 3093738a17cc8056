"""Turns a unit into named yes/no features: which cues fire, and where they stand.

Names are what the weights, the explanations and the tests speak of.  A feature is a fact about the
wording or its surroundings, never about a subject matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import is_weak_term, terms
from memory.extractors.rules import cues_en, cues_ja, doubts_en, hints_en
from memory.extractors.rules.segment import Unit
from memory.extractors.rules.verbs import ORDER, ORDER_VERB, STATIVE

_TABLES_EN = {**cues_en.STRONG, **hints_en.WEAK, **doubts_en.AGAINST}
_TABLES_JA = {**cues_ja.STRONG, **cues_ja.WEAK, **cues_ja.AGAINST}
STRONG_NAMES = frozenset(cues_en.STRONG) | frozenset(cues_ja.STRONG)

_NOUN_SUBJECT = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|and |also |but |so |btw,? |fyi,? |ok |no,? |well |oh )*(?:(?:the|"
    r"our|every|each|all|any|no|a|an|my|their) )?"
    r"(?:[a-z0-9][\w./#@-]*)(?: [\w./#@()-]+){0,5}? (?:" + STATIVE + r")\b",
    re.A,
)
_PRONOUN_START = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|and |so |but |ok |oh |no |hm+ |then )*(?:i|im|ive|ill|it|its|this|"
    r"that|thats|these|they|he|she|you|there|u)\b",
    re.A,
)
_PAST = re.compile(r"\b(?:was|were|had|got|did|went|came|broke|lost|forgot|caused|\w{3,}ed)\b", re.A)
_PAST_JA = re.compile(r"(?:た|でした|ました)(?:。|$|の?で|から|ため|ん|、)")
# How a Japanese sentence ends tells order, report and rule apart better than any word in it.
_ENDINGS_JA = {
    name: re.compile(pattern + r"(?:[。!！\s)）」…~ー]|$)*$")
    for name, pattern in (
        ("end_plain", r"[うくすつぬむるぐぶ](?:よ|ね|から|ので|けど|し|こと|んだ)?"),
        ("end_masu", r"(?:ます)(?:よ|ね|から|ので|けど|し)?"),
        ("end_masen", r"(?:ません|ない|ん)(?:よ|ね|から|ので|けど|です|し|んだ|んです)?"),
        (
            "end_ta",
            r"(?:[たっ]た|した|った|んだ|いだ|した|えた|きた|けた|めた|れた|ました|た)(?:よ|"
            r"ね|から|ので|けど|です|んです|んだ)?",
        ),
        (
            "end_te",
            r"(?:て|で)(?:ください|下さい|ほしい|欲しい|ね|よ|もらえ.{0,6}|くれ.{0,4}|おいて|といて)?",
        ),
        ("end_desu", r"(?:です|だ|である|でした|だった)(?:よ|ね|から|ので|けど|し)?"),
        ("end_noun", r"[一-鿿ァ-ヶーA-Za-z0-9%]"),
        (
            "end_want",
            r"(?:たい|ほしい|欲しい|いい|嫌い|好き|苦手|助かる|助かります|十分)(?:です|な|"
            r"かな|よ|ね|から|ので|んです)?",
        ),
        ("end_teiru", r"(?:て|で)(?:い)?(?:る|ます)(?:よ|ね|から|ので|けど|んです|んだ)?"),
    )
}
_POLITE_FACT_JA = re.compile(
    r"(?:です|ます|だ|である|だよ|ですよ|なので|だから|なんで|んだよ|んです|ね|よ)(?:。|$|、|"
    r"!)|(?:だけ|のみ|固定|必須|禁止|済み|担当|任せ|不可|専用|経由)(?:。|$|、|!)"
)


_NO_PLAIN_FACT = frozenset({"momentary", "i_now", "question", "deictic", "want_once", "order", "thanks"})
# 「起動が遅すぎて」 gives a reason, it orders nothing.
_REASON_TE = re.compile(r"(?:すぎ|[いしなきた]く|られ|なっ|だっ|にな|困っ)て[。…!]*$")
# "…, because i don't want card data on our disks": the reason of a choice, not a taste.
_WANTS_FOR_PROJECT = re.compile(
    r"\b(?:because|since|cause|cuz|as) i (?:dont |do not |really |just )*(?:want|need|like)\b", re.A
)
_ASKS_JA = re.compile(r"[?？]|" + cues_ja.AGAINST["question"].pattern, re.A)
# "can you go through …" is an order in the form of a question.
_ASKS_FOR = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|um+|uh+|er+|hey|hi|ok|so|and|also|please|pls)*\b(?:can|could|would|"
    r"will) (?:you|we) "
    r"(?:please |pls |just |also |quickly )*" + ORDER_VERB + r"\b",
    re.A,
)
_ORDERS_LATER = re.compile(
    r"[,;:] (?:so |then |and |please |pls |just )*"
    + ORDER_VERB
    + r" (?:a|an|the|it|this|that|these|those|him|her|them|us|"
    r"me|up|down|out|in|on)\b|\b(?:then|and) (?:please )?(?:re-?)?"
    + ORDER_VERB
    + r" (?:it|this|that|them|the|me)\b",
    re.A,
)
# "… was down: the disk was full", "it took us a day to see that …"
_EXPLAINS = re.compile(
    r"\b\w+[:,;] (?:the|a|an|our|its|nobody|somebody|someone|it|we|two|debug|his|her|my)\b.*"
    r"\b(?:had|was|were|did|\w{3,}ed|cut|lost|left|ran|used|never)\b"
    r"|\bto (?:see|find|notice|learn|realise|realize) that\b|\bhad (?:been|no)\b|\b(?:has|have|are|is) .* since then\b"
    r"|\bas (?:the|our|we|a)\b",
    re.A,
)
# "from now on, reply in …": the order after the comma is the first one.
_FROM_NOW_FIRST = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |please )*(?:from (?:now|here|today)(?: on(?:wards?)?)?|going forwards?|"
    r"in (?:the )?future),? ",
    re.A,
)
_LIVES_BY = re.compile(
    r"^"
    + ORDER
    + r"(?:dont |do not |never |always |only )*(?:use|prefer|follow|avoid|stick|write|keep|respect|name|run|"
    r"treat|stay|target|support|format|test|commit|document)\b",
    re.A,
)
_LOCAL = frozenset({"this_piece", "temporary", "momentary", "question", "deictic", "bare_ban"})


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


def cues(unit: Unit) -> frozenset[str]:
    """Names of the cues that fire in the unit itself."""
    found = {name for name, p in _TABLES_EN.items() if p.search(unit.form)}
    if unit.japanese:
        found |= {name for name, p in _TABLES_JA.items() if p.search(unit.form)}
        # English word order means nothing inside a Japanese sentence.
        found -= {"order"} - ({"order"} if cues_ja.AGAINST["order"].search(unit.form) else set())
        found -= {"question"} - ({"question"} if _ASKS_JA.search(unit.form) else set())
        found -= {"order"} if _REASON_TE.search(unit.form) else set()
    elif "prefer" in found and _WANTS_FOR_PROJECT.search(unit.form) and not found & {"service", "you_agent"}:
        found.discard("prefer")
    if not unit.japanese and _ASKS_FOR.match(unit.form):
        found.add("order")
    return frozenset(found)


def features(unit: Unit, own: frozenset[str], around: Surroundings = NOWHERE) -> frozenset[str]:
    """All features of a unit: its cues, cues of its message (`m:`), its shape and useful pairs."""
    f = set(own)
    tag = "ja" if unit.japanese else "en"
    strong = len(own & STRONG_NAMES)
    if not strong:
        f.add("strong0")
    words = len(unit.form.split()) if not unit.japanese else len(unit.form) // 3
    f.add(
        "short"
        if (len(unit.form) < 8 if unit.japanese else words <= 2)
        else "long"
        if words > 40
        else "middle"
    )
    if not unit.japanese:
        if _NOUN_SUBJECT.search(unit.form):
            f.add("noun_subject")
        if _PRONOUN_START.search(unit.form):
            f.add("pronoun_start")
        if _PAST.search(unit.form):
            f.add("past")
        if re.search(
            r"\b(?:is|are|gets?) (?:\w+ly |only |not |all )?\w{2,}(?:ed|en|un|pt|lt|nt|wn|de|"
            r"ad)\b",
            unit.form,
        ):
            f.add("passive_now")
        if re.match(r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but )*we \w+", unit.form):
            f.add("we_start")
        if re.match(r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but )*\w+ing\b", unit.form):
            f.add("ing_start")
        if re.match(
            r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but |btw |fyi )*(?:the|our|all|every|each|any|"
            r"no|only|nobody|whoever|anyone)\b",
            unit.form,
        ):
            f.add("definite_start")
        if re.match(r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but )*(?:i|my)\b", unit.form):
            f.add("i_start")
        if re.search(r"\b(?:to|on|about|by|at|with|for) me\b|\bmy\b", unit.form):
            f.add("about_me")
    else:
        if _PAST_JA.search(unit.form):
            f.add("past")
        if _POLITE_FACT_JA.search(unit.form):
            f.add("told")
        f.update(name for name, p in _ENDINGS_JA.items() if p.search(unit.form))
        if re.match(r"^[^、。]{1,30}は", unit.form):
            f.add("noun_subject")
    if unit.before_paste:
        f.add("before_paste")
    if (
        not unit.japanese
        and not f & {"prefer", "self_habit"}
        and _ORDERS_LATER.search(_FROM_NOW_FIRST.sub("", unit.form))
    ):
        f.add("order_later")
    # "use … in this repo": an order for as long as the project lives; "fix it in this repo" is done tomorrow.
    if {"own_project", "order"} <= f and not f & _LOCAL and _LIVES_BY.match(unit.form):
        f.add("project_order")
    if {"i_me", "prefer", "service"} <= f:
        f.add("taste")
    if around.secret:
        f.add("m:secret")
    if (
        around.agent_said
        and f & {"prefer", "stop_doing", "for_me", "self_habit"}
        and not f & {"this_piece", "temporary", "third"}
    ):
        f.add("reaction")
    if "stative" in f and "noun_subject" in f and not f & _NO_PLAIN_FACT:
        f.add("plain_fact")
        if f & {"technical", "number", "only", "fixed", "we_our", "recurring", "own_project", "we_do"}:
            f.add("firm_fact")
    if "self_habit" in f:
        f.discard("i_now")  # how somebody works, not what they are doing
    if f & {"cause", "lesson"}:
        f.discard("defect")  # the story of a failure names the failure
    if (
        f & {"every_time", "unless", "from_now", "when_then", "forbid"}
        and not f & _LOCAL
        and "order" not in around.message - own
        and not (
            "forbid" in f and not f & {"every_time", "unless", "from_now"} and "want_once" in around.message
        )
    ):
        f.add("standing_order" if f & {"order", "wish_form", "te_koto", "forbid", "please"} else "standing")
    for name in ("momentary", "defect", "temporary", "third"):
        if name in around.sentence - own:
            f.add("s:" + name)
    if "date" in f and "shift" in f:
        f.add("dated_shift")
    elif "date" in f and "scheduled" in f and not f & {"recurring", "momentary", "i_me"}:
        f.add("dated_plan")
    if {"failed", "past"} <= f and (f & {"reason", "cause", "lesson"} or _EXPLAINS.search(unit.form)):
        f.add("failure_cause")
    if {"artefact", "deontic"} <= f and not f & (_LOCAL | {"past", "order"}):
        f.add("process_rule")
    habit = "self_habit" in f | around.message and not f & {"this_piece", "temporary"}
    if habit and f & {"order", "please", "wish_form"}:
        f.add("habit_order")  # "i misread …, so thousands separators please": the reason outlives the task
    if (
        "order" in f
        and not habit
        and not f
        & {
            "project_order",
            "from_now",
            "every_time",
            "remember",
            "when_then",
            "rule_noun",
            "universal",
            "unless",
        }
    ):
        f.add("bare_order")
    if (
        f & {"stop_doing", "bare_ban"}
        and not {"reaction", "stop_doing"} <= f
        and "order" in around.message
        and not f & {"from_now", "every_time", "universal", "remember", "reason"}
    ):
        f.add("ban_in_order")
    if "order" in f and "this_piece" in f:
        f.add("order_here")
    if f & {"wish_form", "please", "order"} and "service" in f:
        f.add("service_wish")
        if "reason" in f or around.message & {"reason", "prefer"}:
            f.add("service_wish_reason")
    for name in (
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
    ):
        # "also", "btw" start something new: the order before it says nothing about what follows.
        if name in around.message - own and not (name in ("order", "question") and "aside" in own):
            f.add("m:" + name)
    for name in (
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
    ):
        if name in around.previous:
            f.add("p:" + name)
    if around.agent_claims:
        f.add("agent_claims")
    if re.match(r"^[a-z][\w .-]{1,24}: \S", unit.form):
        f.add("names_value")
    if around.agent_reports:
        f.add("agent_reports")
    if around.said_before and (around.message | own) & {"correct"}:
        f.add("corrects_earlier")
    if around.earlier_terms & content_terms(unit.text):
        f.add("same_topic")
    if around.answers:
        f.add("answers_agent")
    if unit.aside:
        f.add("in_log")
    if around.message_words > 60:
        f.add("long_message")
    f.add(tag)
    return frozenset(f)
