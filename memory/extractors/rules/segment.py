"""Cuts the person's own words into units: a sentence, or a clause that stands alone.

Facts hide in asides and several facts share one sentence, so the judge looks at units, not at
turns.  A clause is split off only where both halves can stand alone; a reason ("because …",
「〜ので」) always stays with what it explains.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.text import sentences
from memory.extractors.rules.forms import cue_form, is_japanese
from memory.extractors.rules.verbs import STATIVE
from memory.extractors.rules.voice import Piece


@dataclass(frozen=True)
class Unit:
    """One statement to judge: `text == message[start:end]`; `form` is its folded form."""

    start: int
    end: int
    text: str
    form: str
    japanese: bool
    sentence: int
    joins: str
    aside: bool
    before_paste: bool = False


PASTE = 60
_SUBJECT = (
    r"(?:the|our|we|i|you|it|its|they|there|theres|there's|a|an|every|each|all|any|no|"
    r"prod\w*|staging|dev|that|this|"
    r"whoever|nobody|anyone|everyone|[\w./#@`-]+(?: [\w./#@`-]+){0,3}?)"
)
_CLAUSE = _SUBJECT + r"(?: [\w./#@`-]+){0,4}? (?:" + STATIVE + r"|was|were|got|went|had|\w+ed)\b"
_NOT_NEW = (
    r"(?!(?:so|because|since|which|who|that|where|otherwise|as|unless|if|when|while|though|"
    r"although|thats|that's|not|then|or|just|even|too|instead|to)\b)"
)
_SPLIT_EN = re.compile(
    r"(?P<join>;\s+|\s+(?:-{1,2}|–|—)\s+(?:and |but )?(?:also )?|[,.]?\s+and also\s+|"
    r",\s+also,?\s+|,?\s+and (?=whenever |when |every time |please |pls |remember |note |"
    r"never |always )"
    r"|,?\s+but\s+(?:please\s+)?(?=remember |note |keep in mind |dont forget |don't forget |"
    r"from now |we |the |our |it )|,\s+(?:and|but)\s+" + _NOT_NEW + r"(?=" + _CLAUSE + r")"
    r"|,\s+" + _NOT_NEW + r"(?=(?:please |pls )?" + _CLAUSE + r"))",
    re.I | re.A,
)
_HAS_VERB = re.compile(
    r"\b(?:" + STATIVE + r"|was|were|got|went|had|\w+ed|remember|note)\b|n't\b", re.I | re.A
)
_SPLIT_JA = re.compile(
    r"(?<=固定)、|(?<=必須)、|(?<=禁止)、|(?<=です)、|(?<=ます)、|(?<=済み)、|(?<=だけ)、|"
    r"(?<=のみ)、|(?<=担当)、|(?<=任せ)、|(?<=専用)、|(?<=限定)、|(?<=経由)、|(?<=管理)、"
    r"|(?<=いる)、|(?<=てる)、|(?<=ある)、|(?<=する)、|(?<=ない)、|(?<=った)、|(?<=した)、|"
    r"(?<=し)、|(?<=で)、(?=(?:あと|それと|なお|ちなみに))|、(?=(?:あと|それと|なお|ちなみに|"
    r"それから)[、はもで]?)"
    r"|"
    r"(?<=[一-鿿ァ-ヶー）)A-Za-z0-9])(?<!時)(?<!際)(?<!場合)(?<!後)(?<!前)(?<!間)(?<!以上)(?<"
    r"!結果)、(?=[^、。はがもを]{2,20}は[^、])"
    r"|(?<=だけど)、|(?<=けど)、|(?<=ですが)、|(?<=ますが)、|(?<=したが)、|(?<=ましたが)、"
)
_NEW_TOPIC_JA = re.compile(
    r"^(?:あと|それと|なお|ちなみに|また)?[、]?[^、。はがも]{1,24}(?:は|が|も|には|では)"
)
_TOPIC_JA = re.compile(r"[^、。]{1,30}(?:は|が|も)")


def units(text: str, pieces: list[Piece]) -> list[Unit]:
    """The units of all own pieces, in order.  `sentence` numbers the sentences of the message."""
    out: list[Unit] = []
    number = 0
    last = max((p.end for p in pieces), default=0)
    # Words on top of a paste mostly say what to do with it.
    paste = len(text[last:].strip()) > PASTE and not any(p.aside for p in pieces)
    for piece in pieces:
        for a, b in sentences(text[piece.start : piece.end]):
            number += 1
            found = _clauses(text, piece.start + a, piece.start + b, number, piece.aside)
            out.extend(replace(u, before_paste=True) if paste else u for u in found)
    return out


def _clauses(text: str, start: int, end: int, number: int, aside: bool) -> list[Unit]:
    whole = text[start:end]
    japanese = is_japanese(whole)
    cuts = _cuts_ja(whole) if japanese else _cuts_en(whole)
    out = []
    at, joins = 0, ""
    for left_end, right_start, join in [*cuts, (len(whole), len(whole), "")]:
        part = whole[at:left_end]
        lead = len(part) - len(part.lstrip(" \t、,;-–—　"))
        body = part.strip(" \t、,;-–—　")
        if body and re.fullmatch(r"\W+", body):
            body = ""
        if body:
            s = start + at + lead
            out.append(Unit(s, s + len(body), body, cue_form(body), is_japanese(body), number, joins, aside))
        at, joins = right_start, join
    return out


# "three things you should know: …", "quick tour: …" announce statements and are cut off.
_ANNOUNCES = re.compile(
    r"^[^:：]{0,70}\b(?:things?|facts?|notes?|tour|intro|background|context|ctx|setup|basics|"
    r"know|learn|remember|later|mind|memory|sessions?|record|down|permanent|again|summary|"
    r"heads.?up|fyi|btw|reads this later)\b[^:：]{0,30}[:：]\s+(?=\S+ \S+)",
    re.I | re.A,
)


def _cuts_en(whole: str) -> list[tuple[int, int, str]]:
    cuts = []
    at = 0
    announced = _ANNOUNCES.match(whole)
    if announced:
        at = announced.end()
        cuts.append((at, at, ":"))
    for m in _SPLIT_EN.finditer(whole):
        if m.start() < at:
            continue
        left = whole[at : m.start()]
        # "when X changes, do Y" and "if …, …" are one rule, not two statements.
        if re.match(
            r"\W*(?:and |but |also |so |btw |please )*(?:when|whenever|if|before|after|once|"
            r"since|because|as|unless|any ?time|every ?time)\b",
            left,
            re.I,
        ):
            continue
        asks = re.match(
            r"(?i)\W*(?:wait |hm+ |ok |so |and |but )*(?:why|what|how|where|who|did|do|does|"
            r"is|are|can|could)\b",
            left,
        )
        thin = len(left.split()) < 3 or len(whole[m.end() :].split()) < 3
        if (thin or not (_HAS_VERB.search(left) or asks)) and not re.search(r"\balso\b|but", m.group(), re.I):
            continue
        if whole.count("(", 0, m.start()) > whole.count(")", 0, m.start()):
            continue
        cuts.append((m.start(), m.end(), m.group().strip(" ,;").lower() or ","))
        at = m.end()
    return cuts


def _cuts_ja(whole: str) -> list[tuple[int, int, str]]:
    cuts = []
    at = 0
    for m in _SPLIT_JA.finditer(whole):
        left, right = whole[at : m.start()], whole[m.end() :]
        contrast = re.search(r"(?:けど|が)$", left) is not None
        if len(left) < 5 or len(right) < 5:
            continue
        if whole.count("（", 0, m.start()) > whole.count("）", 0, m.start()):
            continue
        if not contrast and not (_NEW_TOPIC_JA.match(right) and _TOPIC_JA.match(left)):
            continue
        cuts.append((m.start(), m.end(), "けど" if contrast else "、"))
        at = m.end()
    return cuts
