"""How a unit is built: what it begins and ends with, how long it is. Facts about wording alone, no cue is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.extractors.rules.segment import Unit
from memory.extractors.rules.verbs import STATIVE

_OPENERS = r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but )*"
_SHAPES_EN = {
    "noun_subject": re.compile(
        r"^(?:[^\w぀-ヿ㐀-鿿]|and |also |but |so |btw,? |fyi,? |ok |no,? |well |oh )*(?:(?:the|"
        r"our|every|each|all|any|no|a|an|my|their) )?"
        r"(?:[a-z0-9][\w./#@-]*)(?: [\w./#@()-]+){0,5}? (?:" + STATIVE + r")\b",
        re.A,
    ),
    "pronoun_start": re.compile(
        r"^(?:[^\w぀-ヿ㐀-鿿]|and |so |but |ok |oh |no |hm+ |then )*(?:i|im|ive|ill|it|its|this|"
        r"that|thats|these|they|he|she|you|there|u)\b",
        re.A,
    ),
    "past": re.compile(r"\b(?:was|were|had|got|did|went|came|broke|lost|forgot|caused|\w{3,}ed)\b", re.A),
    "passive_now": re.compile(
        r"\b(?:is|are|gets?) (?:\w+ly |only |not |all )?\w{2,}(?:ed|en|un|pt|lt|nt|wn|de|ad)\b"
    ),
    "we_start": re.compile(_OPENERS + r"we \w+"),
    "ing_start": re.compile(_OPENERS + r"\w+ing\b"),
    "definite_start": re.compile(
        r"^(?:[^\w぀-ヿ㐀-鿿]|ok |so |and |but |btw |fyi )*(?:the|our|all|every|each|any|"
        r"no|only|nobody|whoever|anyone)\b"
    ),
    "i_start": re.compile(_OPENERS + r"(?:i|my)\b"),
    "about_me": re.compile(r"\b(?:to|on|about|by|at|with|for) me\b|\bmy\b"),
}
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
_SHAPES_JA = {
    "past": re.compile(r"(?:た|でした|ました)(?:。|$|の?で|から|ため|ん|、)"),
    "told": re.compile(
        r"(?:です|ます|だ|である|だよ|ですよ|なので|だから|なんで|んだよ|んです|ね|よ)(?:。|$|、|"
        r"!)|(?:だけ|のみ|固定|必須|禁止|済み|担当|任せ|不可|専用|経由)(?:。|$|、|!)"
    ),
    "noun_subject": re.compile(r"^[^、。]{1,30}は"),
    **_ENDINGS_JA,
}
_NAMES_VALUE = re.compile(r"^[a-z][\w .-]{1,24}: \S")


def shape(unit: Unit) -> Iterator[str]:
    """Names of everything about the unit's build that holds, its language and its length among them."""
    yield "ja" if unit.japanese else "en"
    yield _length(unit)
    table = _SHAPES_JA if unit.japanese else _SHAPES_EN
    yield from (name for name, pattern in table.items() if pattern.search(unit.form))
    if _NAMES_VALUE.match(unit.form):
        yield "names_value"
    if unit.before_paste:
        yield "before_paste"
    if unit.aside:
        yield "in_log"


def words_in(unit: Unit) -> int:
    """How many words it has; of Japanese, which writes none apart, a third of the characters."""
    return len(unit.form) // 3 if unit.japanese else len(unit.form.split())


def _length(unit: Unit) -> str:
    words = words_in(unit)
    if len(unit.form) < 8 if unit.japanese else words <= 2:
        return "short"
    return "long" if words > 40 else "middle"
