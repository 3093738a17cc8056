"""Finds the alternatives an agent offered and which one a short answer picks.

Labelled lists ("A) … B) …", 「案1: …」, "option one …") and plain alternatives ("JSON or SQLite?",
「JSONとSQLiteのどちら」) are both common; answers are "B", 「1で」, "the latter" or the words themselves.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.text import is_weak_term, terms


@dataclass(frozen=True)
class Option:
    """`text` is the option's words, `start`/`end` their offsets in the agent's utterance."""

    label: str
    text: str
    start: int
    end: int


_LABEL = re.compile(
    r"(?:(?<=^)|(?<=[\s。、:：;；,(（\[［]))"
    r"(?:(?:Option|Choice|Plan|Variant|Approach|案|プラン|選択肢|方法)\s*)?[(（\[［]?"
    r"(?:(?P<circled>[①-⑨])[)）.．:：、]?"
    r"|(?P<label>[A-Za-z1-9Ａ-Ｚａ-ｚ１-９アイウエオ]|(?<=[Oo]ption )(?:one|two|three))(?:案)?"
    r"(?:[)）.．:：、\]］]|(?<=案)(?=は|[:：])|\s(?=[぀-鿿])|(?<=[Oo]ption .)(?=\s)|"
    r"(?<=[Oo]ption one)(?=\s)|(?<=[Oo]ption two)(?=\s)"
    r"|(?<=[Oo]ption three)(?=\s)))\s*",
    re.M,
)
_END = re.compile(
    r"\n|(?<=[a-z0-9)])\.(?=\s|$)|。|(?<=[）)])(?=、)|、\s*$|[,;]?\s+(?:or|and)\s*[(\[]?$|"
    r"[,;]\s*$|[(\[（［]\s*$"
)
_SERIES = ("abcdefgh", "123456789", "アイウエオ", "xyz", "pqrs")
_WORDS = {"one": "1", "two": "2", "three": "3"}
_PLACE = {
    **dict.fromkeys(("first", "former", "1st", "最初", "前者", "一つ目", "1つ目", "一番目", "1番目"), 0),
    **dict.fromkeys(("second", "2nd", "二つ目", "2つ目", "二番目", "2番目"), 1),
    **dict.fromkeys(("third", "3rd", "三つ目", "3つ目", "三番目", "3番目"), 2),
    **dict.fromkeys(("latter", "last", "後者", "最後"), -1),
}
_FILLER = (
    r"^(?:[^\w぀-ヿ㐀-鿿]|ok|okay|hm+|well|yes|yeah|yep|so|then|lets|let us|go|do|with|going|"
    r"i would|id|i|say|take|pick|choose|prefer|"
    r"like|for|use|option|number|no|nr|plan|definitely|obviously|the|じゃあ?|では|うーん|"
    r"うん|はい|やっぱり?|それなら|なら|案|ここは|あー)*?\s*"
)
_PICK = re.compile(
    _FILLER + r"(?P<pick>[a-z1-9アイウエオ](?![\w'])|(?:first|second|third|1st|2nd|3rd|former|latter|"
    r"last)\b|[アイウエオ1-9](?=[でにがを案])|最初|前者|後者"
    r"|[一二三123]つ目|[一二三123]番目|最後)(?:の?(?:案|方|ほう|やつ)|\s+(?:one|option)\b)?"
    r"(?=$|[\s.,!;:。、…)）\]]|で|に|が|かな|を|だ|一択|い)",
    re.A,
)
_VERB_OF_CHOICE = re.compile(
    r"\b(?:go(?:ing)? (?:with|for)|take|pick|choose|do|use)(?: option| number|"
    r" plan)? (?P<pick>[a-z1-9])\b(?!')",
    re.A,
)
# "a few…", "i think…", "2 files" are no answers to a list.
_NOT_A_PICK = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:a|i) (?!is\b|please|pls|it\b|then|works|sounds|looks|seems|for\b|and\b|,)\w|\?"
    r"|^[^\w぀-ヿ㐀-鿿]*\d+ ?(?:[.:/%]\d|days?\b|hours?\b|mins?\b|files?\b|more\b|times?\b|"
    r"分|日|件|個|回|時|月|人|つ(?!目)|行|本|枚|年)",
    re.A,
)


def options(text: str) -> list[Option]:
    """The labelled alternatives in an agent's utterance, [] when fewer than two are offered."""
    marks = list(_LABEL.finditer(text))
    found: list[Option] = []
    for n, m in enumerate(marks):
        stop = marks[n + 1].start() if n + 1 < len(marks) else len(text)
        body = text[m.end() : stop]
        cut = _END.search(body)
        body = body[: cut.start()] if cut else body
        label = unicodedata.normalize("NFKC", m.group("label") or m.group("circled")).lower()
        label = _WORDS.get(label, label)
        clean = body.strip(" \t　、,;(（[［")
        if clean and label not in {o.label for o in found}:
            start = m.end() + body.index(clean)
            found.append(Option(label, clean, start, start + len(clean)))
    labels = "".join(o.label for o in found)
    return found if len(found) > 1 and any(labels[:2] in series for series in _SERIES) else []


def pick(form: str, offered: list[Option]) -> Option | None:
    """The option that a folded answer names by label or place, None if it names none."""
    if not offered or _NOT_A_PICK.search(form):
        return None
    # "3 sounds fancy but …. go with 2": the verb of choice decides, wherever it stands.
    m = _VERB_OF_CHOICE.search(form) or _PICK.match(form)
    if m is None:
        return None
    rest = form[m.end() :]
    if re.match(r"^[.:/%]?\d", rest) or re.match(
        r"^.{0,4}\b(?:sounds|looks|seems|would|could|is|was)\b.*\b(?:but|too|not)\b", rest, re.A
    ):
        return None
    said = m.group("pick")
    if said in _PLACE:
        place = _PLACE[said]
        return offered[place] if place < len(offered) else None
    return next((o for o in offered if o.label == said), None)


_TAIL_EN = re.compile(
    r"(?:,.*|\s+(?:it is|then|please|pls|obviously|of course|sounds good|is fine|works|"
    r"for me|i (?:think|guess)|all the way).*|[.!]+)$",
    re.A,
)
_TAIL_JA = re.compile(
    r"(?:の?(?:方|ほう|案))?(?:で|に|が|を)?(?:(?:お願い|おねがい).*|いい.*|良い.*|いき.*|"
    r"いこう.*|行.*|し(?:よう|ます|ましょう|て).*|決.*|統一.*|固定.*|頼.*|す|ね|よ|"
    r"、.*)?[。!！]*$"
)
_LEAD = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|ok|okay|hm+|well|yes|yeah|so|then|lets|use|go with|go for|take|"
    r"make it|keep it|i would say|definitely|the|じゃあ?|では|うーん|うん|はい|あー)+\b\s*",
    re.A,
)


def echoed(form: str, asked: str) -> str:
    """The alternative that an answer repeats in the agent's own words ("SQLiteで", "per game"), "" if none.

    `asked` is the folded question with its alternatives.
    """
    if len(form) > 60 or re.search(r"[?？]", form):
        return ""
    head = _TAIL_JA.sub("", _TAIL_EN.sub("", form))
    head = _LEAD.sub("", head).strip(" .。、,!")
    if len(head) < 2 or head in ("or", "which", "どちら", "どっち", "yes", "no", "ok", "それ", "これ"):
        return ""
    return head if re.search(r"(?<![a-z0-9])" + re.escape(head) + r"(?![a-z0-9])", asked) else ""


_QUOTED = re.compile(r"「([^」\n]{2,60})」")
_PAIR_JA = re.compile(
    r"([^、。はが\s「」]{1,20}?)(?:か|と|、)([^、。はが\s「」]{1,20}?)(?:か)?(?:の|"
    r"、)?(?:どちら|どっち|いずれ)"
)
_OR = re.compile(
    r",?\s+(?:or|versus|vs\.?)\s+(?:else\s+|rather\s+|simply\s+)?|、?それとも、?|か、|"
    r"(?<=案)と|(?<=[式形])と",
    re.A,
)
_BEFORE_FIRST = re.compile(
    r"^.*(?:[:：]\s*|\beither\s+|\b(?:should|shall|do|could|can) (?:we|i)\s+|(?:、|は)(?=[^、は]{2,40}$))",
    re.S,
)


def alternatives(sentence: str) -> list[Option]:
    """The two or more things an unlabelled question sets against each other, [] if it does not.

    Offsets are within `sentence`.
    """
    quoted = list(_QUOTED.finditer(sentence))
    if len(quoted) > 1 and re.search(r"どちら|どっち|か", sentence):
        return [Option(str(n), m.group(1), m.start(1), m.end(1)) for n, m in enumerate(quoted)]
    pair = _PAIR_JA.search(sentence)
    if pair:
        return [Option(str(n), pair.group(n), pair.start(n), pair.end(n)) for n in (1, 2)]
    cuts = [m.span() for m in _OR.finditer(sentence)]
    if not cuts:
        return []
    first = _BEFORE_FIRST.match(sentence[: cuts[0][0]])
    edges = [first.end() if first else 0, *(x for cut in cuts for x in cut), len(sentence)]
    out = []
    for n in range(0, len(edges), 2):
        part = sentence[edges[n] : edges[n + 1]]
        clean = part.strip(" 、,.。?？")
        if clean:
            start = edges[n] + part.index(clean)
            out.append(Option(str(n // 2), clean, start, start + len(clean)))
    return out if len(out) > 1 else []


_EMPTY_WORDS = frozenset(
    [
        "yes",
        "yeah",
        "yep",
        "ok",
        "okay",
        "agreed",
        "sure",
        "please",
        "it",
        "them",
        "that",
        "this",
        "one",
        "go",
        "with",
        "the",
        "do",
        "use",
        "make",
        "keep",
        "from",
        "then",
        "on",
        "hands",
        "off",
        "sounds",
        "good",
        "great",
        "fine",
        "no",
        "so",
        "we",
        "will",
        "they",
        "must",
        "all",
        "always",
        "because",
    ]
)


def repeated(form: str, sentence: str) -> set[str]:
    """The telling words that the first clause of a short answer takes from `sentence` (both folded).

    Empty if the answer brings words of its own into that clause: then it is no mere echo.
    """
    clause = re.split(r"[.,;:!。、！]|\s-\s", form.strip(" .。!！"))
    for part in clause[:2]:
        said = {t.strip("-") for t in terms(part) if not is_weak_term(t)} - _EMPTY_WORDS
        known = set(terms(sentence))
        if said and all(t in known or t.rstrip("s") in known or t + "s" in known for t in said):
            return said
    return set()


def echoed_option(form: str, sentence: str) -> Option | None:
    """The alternative of `sentence` that a folded answer repeats or points at by place ("the latter")."""
    offered = alternatives(sentence)
    if (by_place := _by_place(form, offered)) is not None:
        return by_place
    best, most = None, 0
    for option in offered:
        others = " ".join(o.text.lower() for o in offered if o is not option)
        own = repeated(form, option.text.lower()) - set(terms(others))
        if len(own) > most:
            best, most = option, len(own)
    return best


def _by_place(form: str, offered: list[Option]) -> Option | None:
    m = _PICK.match(form) if offered else None
    if m is None or m.group("pick") not in _PLACE:
        return None
    place = _PLACE[m.group("pick")]
    return offered[place] if place < len(offered) else None
