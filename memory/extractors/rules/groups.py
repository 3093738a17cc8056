"""Decides which accepted units are one memory and which are several.

A choice keeps its reason, a cause its remedy; independent facts are proposed one by one.  Splitting
too little loses facts, too much floods the reviewer; the borders are discourse markers, lists and
new subjects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extractors.rules.judge import probabilities, vetoed
from memory.extractors.rules.kinds import kind_sums, lead
from memory.extractors.rules.listen import Heard
from memory.extractors.rules.meaning import meanings
from memory.extractors.rules.segment import Unit

_ADDS_EN = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:and )?(?:also|btw|by the way|fyi|another thing|one more|plus|"
    r"separately|unrelated|oh and|next|second|third|finally|lastly|ps|heads.?up)\b",
    re.A,
)
_ADDS_JA = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:あと|それと|それから|また|なお|ちなみに|次に|ついでに|もう一つ|"
    r"最後に|別件|そうそう)"
)
_WHY_JA = re.compile(r"(?:ので|から|ため|せい)(?:です|でした|だ)?[。.!！]*$")
_SUPPORT_BAD = frozenset(
    {
        "question",
        "joke",
        "order",
        "bare_order",
        "temporary",
        "retreat",
        "want_once",
        "thanks",
        "hypothetical",
        "ai_address",
        "i_now",
    }
)
# Most turns hold nothing, and each false alarm costs a look; a long range nearly always holds something.
TURN = 0.6
RANGE = 0.46
MAY_JOIN = 0.15
LISTED = 0.3
NEARLY = 0.42
CLEARLY = 1.5  # logits between the likeliest kind and the next: beyond it meaning changes no kind


@dataclass(frozen=True)
class Group:
    """Units of one memory: `main` carries it, `members` (in order, main included) give its text."""

    main: int
    members: tuple[int, ...]
    kind: str
    chance: float


def group(heard: Heard, threshold: float = TURN) -> list[Group]:
    """The memories told in one utterance, in order of appearance."""
    chance = probabilities([(f, u.text) for f, u in zip(heard.traits, heard.units, strict=True)])
    sums = _sums(heard, chance)
    kinds = [max(each, key=lambda kind: each[kind]) for each in sums]
    # Two halves of one sentence that are both nearly sure carry each other.
    for i in range(1, len(chance)):
        if heard.units[i].sentence == heard.units[i - 1].sentence and min(chance[i - 1], chance[i]) >= NEARLY:
            chance[i - 1] = max(chance[i - 1], threshold)
    bundles: list[list[int]] = []
    listing = _is_listing(heard, chance, threshold)
    for i, p in enumerate(chance):
        enough = LISTED if listing and "noun_subject" in heard.traits[i] else threshold
        if p >= enough and not _only_lead_in(heard, i):
            apart = (
                listing
                and "noun_subject" in heard.traits[i]
                and bundles
                and not _retells(heard, bundles[-1][-1], i)
                and not _points_back(heard.units[i])
                and not kinds[bundles[-1][-1]] == kinds[i] == "preference"
            )
            if bundles and not apart and _continues(heard, bundles[-1], i, kinds):
                bundles[-1].append(i)
            else:
                bundles.append([i])
        elif bundles and _supports(heard, bundles[-1], i, kinds):
            bundles[-1].append(i)
    bundles = [members for members in bundles if not _taken_back(heard, members, bundles)]
    out = []
    taken = {i for members in bundles for i in members}
    for members in bundles:
        _reach_back(heard, members, chance, taken)
        main = max(members, key=lambda i: (round(chance[i], 2) + _carries(kinds[i]), -i))
        speaking = [i for i in members if not _only_why(heard, members, i, kinds)]
        told = any(kinds[i] == "postmortem" for i in speaking)
        kind = "postmortem" if told else _kind_of_all(speaking, chance, sums)
        out.append(Group(main, tuple(members), kind, max(chance[i] for i in members)))
    return out


def _only_why(heard: Heard, members: list[int], i: int, kinds: list[str]) -> bool:
    """「lockfile の衝突が続いたので。」 behind a decision says why it is made; it tells no lesson of its own."""
    decided = i > members[0] and kinds[members[0]] == "decision"
    return decided and _WHY_JA.search(heard.units[i].form) is not None


def _kind_of_all(members: list[int], chance: list[float], sums: list[dict[str, float]]) -> str:
    """The kind that these together speak for, each as loudly as it is likely to be kept."""
    loud = {i: max(chance[i], 0.01) for i in members}
    return max(sums[members[0]], key=lambda kind: sum(loud[i] * sums[i][kind] for i in members))


def _sums(heard: Heard, chance: list[float]) -> list[dict[str, float]]:
    """What speaks for each kind, by unit; meaning is asked where one may be proposed and grammar leaves it open."""
    told = list(zip(heard.own, heard.traits, (unit.form for unit in heard.units), strict=True))
    sums = [kind_sums(*each) for each in told]
    open_ = [i for i, p in enumerate(chance) if p >= NEARLY and lead(sums[i]) < CLEARLY]
    said = meanings([heard.units[i].text for i in open_]) or ()
    for i, meaning in zip(open_, said, strict=False):
        sums[i] = kind_sums(*told[i], meaning)
    return sums


def _taken_back(heard: Heard, members: list[int], bundles: list[list[int]]) -> bool:
    """A retreat right behind a statement ("… or maybe not", 「やっぱりなしで」) cancels it."""
    after = members[-1] + 1
    return after < len(heard.units) and "retreat" in heard.own[after] and all(after not in b for b in bundles)


def _is_listing(heard: Heard, chance: list[float], threshold: float) -> bool:
    """Does the message enumerate facts?  Then weaker siblings count and each stands alone."""
    told = [i for i, f in enumerate(heard.traits) if "noun_subject" in f and chance[i] >= LISTED]
    sure = sum(chance[i] >= threshold for i in told)
    announced = any("aside" in own or "remember" in own for own in heard.own)
    choice = any(own & {"decided", "will_choose", "refuse", "cause", "correct"} for own in heard.own)
    return sure >= 1 and not choice and (len(told) >= 3 or (announced and len(told) >= 2))


def _reach_back(heard: Heard, members: list[int], chance: list[float], taken: set[int]) -> None:
    """The sentence before may be the statement that an accepted reason explains: take it along."""
    i = members[0] - 1
    if i >= 0 and i not in taken and "pronoun_start" in heard.traits[i + 1] and _same_breath(heard, i):
        members.insert(0, i)
        taken.add(i)
        return
    if i < 0 or i in taken or chance[i] < MAY_JOIN or _adds(heard, i + 1) or _only_lead_in(heard, i):
        return
    if heard.traits[i] & (_SUPPORT_BAD - {"order", "want_once"}) and not heard.own[i] & {
        "will_choose",
        "refuse",
    }:
        return
    members.insert(0, i)
    taken.add(i)


def _same_breath(heard: Heard, i: int) -> bool:
    """Is the next unit's "it" named in unit `i` of the same sentence?"""
    here = heard.units[i].sentence == heard.units[i + 1].sentence
    return here and not vetoed(heard.traits[i]) and heard.units[i + 1].joins in (",", ";", "-", "")


def _carries(kind: str) -> float:
    return 0.0 if kind == "fact" else 0.2


def _only_lead_in(heard: Heard, i: int) -> bool:
    """ "Remember this." and 「覚えておいて。」 announce a statement, they are none."""
    unit = heard.units[i]
    if re.match(
        r"^[^\w぀-ヿ㐀-鿿]*(?:昨日|今日|先週|今回)?の?[^、。]{0,8}(?:まとめ|共有|メモ|"
        r"振り返り|報告)(?:です|します)?[。:：]?$",
        unit.form,
    ):
        return True
    if re.search(r"[:：][^\w぀-ヿ㐀-鿿]*$", unit.form):
        return True
    if re.match(
        r"^.{0,40}\b(?:two|three|four|five|some|few|couple of|several) (?:\w+ )?(?:things|"
        r"points|facts|notes)\b.{0,20}$|"
        r"^.{0,12}(?:共有|share|シェア|前提|補足|報告|お知らせ|一つ|二つ|三つ)(?:し(?:とく|"
        r"ておき|ます)|です|だけ)?(?:ね|ます)?[。!！]*$",
        unit.form,
    ):
        return True
    if re.match(
        r"^[^\w぀-ヿ㐀-鿿]*(?:just |ok |so |here are |here come )?(?:a few|some|two|three|"
        r"four|five|several|a couple of|quick) (?:\w+ )?(?:things|facts|notes|points|"
        r"basics)\b[^,:]{0,40}$",
        unit.form,
    ):
        return True
    if "correct" in heard.own[i] and _just_retracts(unit.form):
        return True
    if "remember" not in heard.own[i]:
        return False
    if unit.japanese:
        return bool(
            re.match(r"^[^。]{0,22}(?:覚え|記憶|メモ|控え|忘れない|記録)[^。]{0,16}[。!]?$", unit.form)
        ) and not re.search(r"[、:：].{6,}", unit.form)
    return len(unit.form.split()) <= 6 and not re.search(r"[:,] ?\S+ \S+ \S+", unit.form)


def _just_retracts(form: str) -> bool:
    return bool(
        re.match(r"^[^\w぀-ヿ㐀-鿿]*(?:forget|ignore|disregard|scratch|strike|undo)\b.{0,50}$", form)
        or re.match(
            r"^.{0,40}(?:訂正(?:します|です|。)|撤回(?:です|します|で)?|間違え(?:ました|た)|"
            r"取り消し)(?:ます|です)?[。!]?$",
            form,
        )
        or re.match(
            r"^[^\w぀-ヿ㐀-鿿]*(?:ok |no |wait |sorry |hm+ )*(?:that was wrong|i was wrong|"
            r"my bad|my mistake|correction|change of plan)[^\w぀-ヿ㐀-鿿]*$",
            form,
        )
    )


def starts_anew(heard: Heard, i: int) -> bool:
    """Does unit `i` open another subject ("also …", 「あと…」)?"""
    return _adds(heard, i)


_BULLETED = re.compile(r"(?:^|\n)[ \t　]*(?:[-*+•・‣]|\d+[.)]|[①-⑳])[ \t　]*$")


def _adds(heard: Heard, i: int) -> bool:
    unit = heard.units[i]
    if _BULLETED.search(heard.utterance.text[: unit.start]):
        return True
    return bool((_ADDS_JA if unit.japanese else _ADDS_EN).search(unit.form)) or unit.joins.startswith(
        ("and also", "also")
    )


def _continues(heard: Heard, bundle: list[int], i: int, kinds: list[str]) -> bool:
    """Is accepted unit `i` still the same memory as the bundle?"""
    first = bundle[0]
    same = heard.units[bundle[-1]].sentence == heard.units[i].sentence
    if same and _parallel(heard, bundle[-1], i) and kinds[first] == kinds[i] == "fact":
        return False
    if same and heard.units[i].joins in (",", "、", "けど"):
        # "it needs 12 V, usb is not enough": a bare comma explains; lists are told apart before this.
        return True
    if _adds(heard, i) or i - bundle[-1] > 1:
        return False
    if _points_back(heard.units[i]) or (
        heard.own[first] & {"forbid"} and heard.own[i] & {"refuse", "reason", "decided"}
    ):
        return True
    if _unfinished(heard, first) or ("reason" in heard.own[i] and "noun_subject" not in heard.traits[i]):
        return True
    a, b = kinds[first], kinds[i]
    announced = heard.traits[i] & {"m:aside", "m:remember"} and "aside" not in heard.own[first]
    if announced:
        return (
            not (b in ("fact", "event", "pattern", "preference") and "noun_subject" in heard.traits[i])
            and b == a
        )
    if a == "postmortem" or b == a == "preference":
        return b != "event"
    if a in ("decision", "pattern") and b in ("decision", "pattern", "fact", "postmortem"):
        return True
    if a == "preference":
        return b in ("fact", "pattern", "decision")
    if a == "event":
        return b == "fact"
    if a == "fact" and b in ("fact", "pattern", "decision"):
        if "reason" in heard.own[i] and not heard.units[i].joins:
            return True
        return "noun_subject" not in heard.traits[i] or _retells(heard, bundle[-1], i)
    return False


_POINTS_BACK = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:everything|anything|all|the) (?:else|rest|others?)\b|^(?:それ|そこ|"
    r"その|これ以|ここ)(?!と|から|に加)",
    re.A,
)


def _points_back(unit: Unit) -> bool:
    """ "everything else …", 「それ以外は…」: means nothing without the sentence before."""
    return bool(_POINTS_BACK.match(unit.form))


def _parallel(heard: Heard, a: int, b: int) -> bool:
    """「Aは…、Bは…」: two topics side by side are two facts, unless one explains or points at the other."""
    x, y = heard.units[a], heard.units[b]
    if not (x.japanese and y.japanese) or heard.own[b] & {"reason", "deictic"} or heard.own[a] & {"reason"}:
        return False
    return all(re.match(r"^[^、。]{1,20}は", u.form) for u in (x, y)) and not re.search(
        r"これ|それ|そこ|その", y.form
    )


def _unfinished(heard: Heard, i: int) -> bool:
    """A complaint or a few words ("constants won't do.") wait for the sentence that says what holds."""
    unit = heard.units[i]
    few = len(unit.form) < 8 if unit.japanese else len(unit.form.split()) < 3
    return (
        few
        or _complains(heard, i)
        or bool(heard.own[i] & {"stop_doing", "for_me"} and "want_once" in heard.own[i])
    )


_COMPLAINT = re.compile(
    r"\byou (?:keep|always|never|constantly) |\bread(?:s|ing)? like\b|\byour [\w -]{2,30} (?:is|are) too\b",
    re.A,
)


def _complains(heard: Heard, i: int) -> bool:
    """What the agent keeps doing; the wish comes after it."""
    return bool(_COMPLAINT.search(heard.units[i].form))


def _retells(heard: Heard, a: int, b: int) -> bool:
    """Clause b denies or bounds what clause a said ("over gRPC, there is no REST there")."""
    return heard.units[b].sentence == heard.units[a].sentence and bool(
        heard.own[b] & {"no_exist", "deictic"} or re.match(r"^(?:theres? |it |its )", heard.units[b].form)
    )


def _supports(heard: Heard, bundle: list[int], i: int, kinds: list[str]) -> bool:
    """May a unit that is no memory by itself travel along as reason or remedy?"""
    traits, unit = heard.traits[i], heard.units[i]
    if i - bundle[-1] > 1 or traits & _SUPPORT_BAD or vetoed(traits) or _adds(heard, i):
        return False
    if unit.sentence == heard.units[bundle[-1]].sentence:
        return True
    kind = kinds[bundle[0]]
    if "reason" in heard.own[i]:
        return True
    return (
        kind in ("decision", "pattern", "preference", "postmortem")
        and "momentary" not in traits
        and len(bundle) < 3
    )
