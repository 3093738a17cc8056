"""The person adopts what the agent proposed: "yes do that", "B", 「それでいきましょう」.

Evidence is then two spans, the adopting words and the adopted text.  Only an agent's utterance can be
adopted, never tool output or text that we served ourselves; and only a proposal that outlives the
task at hand is worth a memory ("Shall I commit?" is not).
"""

from __future__ import annotations

import re

from core.text import is_weak_term, terms
from memory.extractors.base import Proposal, Span, Utterance, Window
from memory.extractors.rules import cues_en, cues_ja
from memory.extractors.rules.content import MAX_COLUMNS, fits
from memory.extractors.rules.forms import columns, cue_form, is_japanese
from memory.extractors.rules.listen import Heard
from memory.extractors.rules.options import (
    Option,
    alternatives,
    echoed,
    echoed_option,
    options,
    pick,
    repeated,
)
from memory.extractors.rules.proposed import (
    ACTION,
    LASTING,
    ONE_OFF,
    Said,
    proposal_in,
    split,
    statement,
    strength,
    topic_of_question,
)

_YES_EN = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|ok|okay|oh|hm+|ah|so|well|and)*(?:yes|yep|yeah|yup|ya|aye|sure|ja|"
    r"jup|jep|si|oui|sold|finally|brill\w*|hell yes|"
    r"by all means|no objections?|amen|excellent|splendid|lovely|spot on|bingo|"
    r"thats (?:the one|how|it)|so be it|"
    r"seconded|go for it|make so|good (?:with|by) me|wonderful|fantastic|"
    r"absolutely|definitely|of course|agreed?|sounds (?:good|great|right|fine|perfect|"
    r"sensible)|do (?:it|that|so|this)|lets do (?:it|that|this)|lets go with (?:that|it)|"
    r"go (?:with|for) (?:that|it|your)|"
    r"correct|exactly|right|indeed|makes sense|that works|works for me|fine (?:by|with) me|"
    r"good (?:idea|call|plan|point)|\+1|deal|approved?|confirmed|that one|please do|love it|"
    r"i (?:like|agree|am in favou?r)|i am ok with|make (?:it|that) (?:so|how|the|our|a)|"
    r"adopt(?:ed)?|accepted|perfect|great|as (?:you )?(?:proposed|suggested)|"
    r"your (?:proposal|suggestion|call|pick|recommendation))\b",
    re.A,
)
_YES_JA = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]|あ|おお|うーん|じゃあ?|では|ええと)*(?:うん|はい|ええ|そう(?:し|"
    r"です|だ|ね|しよう|しましょう|いこう)|それ(?:で|が|に|いい|は(?:いい|良い))|賛成|さんせい|同意|"
    r"異議な|異存|差し支え|結構です|ええ(?:よ|やん|ね|で|わ)|せや|そや|ほな|乗った|のった|"
    r"名案|ナイス|ばっちり|バッチリ|"
    r"完全に?同意|そのように|かしこまり|それそれ|だね|たしかに|確かに|いいじゃ|いいやん|ええと思|"
    r"異議なし|いい(?:です|ね|と思)|良い(?:です|ね|と思)|よい(?:です|と思)|よさそう|良さそう|"
    r"お願いし|おねがいし|採用|(?:全部|全て|すべて|全機種|全画面)?(?:で)?それで|ぜひ|"
    r"その(?:方針|案|通り|とおり|形|運用|やり方|方向|線|ルール|設計|まま)|おっしゃる通り|ok|"
    r"オーケー|オッケー|了解|承認|決まり|決定|もちろん|ぜひ|是非|完璧|文句な|問題な|大丈夫|"
    r"おけ|合って|まさに|推奨(?:の|どおり|通り)|提案(?:の|どおり|通り))"
)
# Words that only set the work going again.
_GO_ON = re.compile(
    r"\b(?:go (?:ahead|on)|continue|proceed|carry on|keep going|commit|push|merge|ship (?:it|"
    r"that)|deploy|next|run it|try it|send it|start)\b|進めて|続け|続き|コミット|プッシュ|"
    r"push|マージ|反映|次(?:は|へ|に|を|の|お)|先に進|デプロイ|実行|やっといて|やっておいて",
    re.A,
)
_DOUBT = re.compile(
    r"\?[^\w぀-ヿ㐀-鿿]*$|\b(?:but|not (?:sure|convinced|yet|now)|dont|wait|hold|first|hmm|"
    r"though|instead|except|why|no|nah|nope|rather)\b|でも|けど(?!も)|ただ|まず|先に|待って|"
    r"いや|違|本当に|ほんとに|どう|なぜ|とりあえず|ひとまず|一旦|だけ|じゃなく|ではなく|[?？]",
    re.A,
)
_HUMAN_LASTING = re.compile(
    r"\b(?:stick (?:to|with) (?:it|that)|every ?time|always|from now on|going forward|"
    r"from here on|in future|make that (?:how|the|our)|how we do it|the rule|for (?:all|"
    r"every|everything|good)|everywhere|note (?:it|that|this)|remember|write it down|"
    r"permanent\w*|as (?:a|the|our) (?:rule|standard|policy|convention|default)|the standard|"
    r"the default|across the board|for the record|settled|decided|adopted?)\b"
    r"|\b(?:all|every|each) (?!good|right|set|done|clear|time|means)\w+|毎回|いつも|今後|次から|"
    r"次回から|以後|以降|ずっと|これから|統一|ルール|決まり|決定|"
    r"方針|全部|全て|すべて|常に|必ず|覚え|記録|メモ|採用|固定|原則|基本|標準|運用",
    re.A,
)
_RECITES = re.compile(
    r"\b(?:as you (?:prefer|like|asked|said|wanted|decided)|(?:from|per|in|according to|"
    r"based on) (?:my |the |your )?(?:memory|memories|notes?|records?)|i remember|remembered|"
    r"stored memor|you (?:prefer|said|told|mentioned|decided))\b|記憶によ|記憶では|"
    r"覚えて(?:いる|おり|います)|メモリ(?:に|では)|ご希望(?:どおり|通り|の)|以前(?:の|に)|"
    r"前提で|という前提",
    re.A,
)
_HERE = re.compile(r"\b(?:this one|for this|on this|here|for now)\b|これは|ここは|今回")
_CAUSE = re.compile(cues_en.STRONG["cause"].pattern + "|" + cues_ja.STRONG["cause"].pattern, re.A)
_WISH = re.compile(
    r"\b(?:your|you|repl(?:y|ies)|answers?|summar\w+|reports?|messages?)\b|報告|回答|返信|"
    r"説明|要約|箇条書き|コミットメッセージ|ご(?:報告|回答|説明|連絡)",
    re.A,
)


def adopted(window: Window, heard: Heard) -> Proposal | None:
    """The proposal that `heard` accepts from the agent's utterance right before it, if it lasts."""
    agent = heard.before
    if agent is None or not heard.units or agent.role != "assistant" or len(heard.utterance.text) > 240:
        return None
    said = split(agent.text)
    if _is_recital(window, heard, agent):
        return None
    offered = options(agent.text)
    for i, unit in enumerate(heard.units[:3]):
        if (
            heard.own[i] & {"question", "joke", "not_said", "temporary", "retreat"}
            or "hypothetical" in heard.own[i]
        ):
            return None
        chosen = pick(unit.form, offered)
        if chosen is not None:
            return _by_option(heard, i, agent, said, chosen, offered)
    unit = heard.units[0]
    if (echo := _by_echo(heard, agent, said)) is not None:
        return echo
    if not _says_yes(heard):
        return _by_repeat(heard, agent, said) if not offered else None
    rest = " ".join(u.form for u in heard.units)
    if _DOUBT.search(rest) or len(rest) > (90 if unit.japanese else 130):
        return None
    if offered:
        advised = _advised(said, offered)
        return _by_option(heard, 0, agent, said, advised, offered) if advised else None
    return _by_yes(heard, agent, said, rest)


def _says_yes(heard: Heard) -> bool:
    """A yes opens the answer, or closes a clause of it ("that's what went wrong yes, and yes make it so")."""
    for unit in heard.units[:2]:
        if (_YES_JA if unit.japanese else _YES_EN).match(unit.form):
            return True
    return any(re.search(r"(?:^|[,.!;] ?|\band )yes\b|\byes(?=\W|$)", u.form) for u in heard.units[:2])


def _advised(said: list[Said], offered: list[Option]) -> Option | None:
    """The option that the agent itself recommends ("I suggest B", 「案2を推します」)."""
    for s in reversed(said):
        if s.start >= offered[-1].start and (m := _ADVISES.search(s.form)):
            return next((o for o in offered if o.label in m.groups()), None)
    return None


_ADVISES = re.compile(
    r"\b(?:suggest|recommend|propose|prefer|vote(?: for)?|go (?:with|for)|take|pick|"
    r"lean (?:to|towards)) (?:option |plan )?"
    r"([a-h1-9])\b|(?:案|プラン)?([a-h1-9アイウエ])(?:案)?(?:を|が|で)?(?:推|お?勧め|"
    r"おすすめ|良い|よい|いい|無難|提案)",
    re.A,
)


def _by_yes(heard: Heard, agent: Utterance, said: list[Said], answer: str) -> Proposal | None:
    best = proposal_in(said)
    if best is None:
        return None
    firm = bool(_HUMAN_LASTING.search(answer))
    if ONE_OFF.search(best.form) and not firm and strength(best.form) < 3:
        return None
    lasting = strength(best.form) + 2 * firm
    if lasting == 0 or (_GO_ON.search(answer) and lasting < 2):
        return None
    text = statement(best.text)
    whole = f"{_context(said, best)}{text}"
    if _ASKS_BACK.search(best.text) and _context(said, best):
        text = whole = statement(_context(said, best))
    content = whole if (_CAUSE.search(cue_form(whole)) or columns(text) < 70) and fits(whole) else text
    if (own := _own_words(heard)) and columns(own) > max(30, columns(text)):
        content = own  # "yes, and differences are never cleared alone": the person put it better
    form = cue_form(content)
    agrees_to_cause = re.search(r"happened|原因|その通り|correct|exactly|right|合って", answer)
    blames = re.search(r"原因|outage|incident|root cause|because|came from", form)
    cause = bool(_CAUSE.search(form) and (agrees_to_cause or blames))
    kind = "postmortem" if cause else _kind(best.form, answer)
    return _proposal(
        heard, 0, agent, best.start, best.end, content, kind, "agrees to the agent's proposal", 0.78
    )


_YES_LEAD = re.compile(
    r"^(?:そうですね|そうだね|うん|はい|ええ|yes|yeah|yep|ok(?:ay)?|right|exactly)[、,。.!！ ]+", re.I
)
_ASKS_TAIL = re.compile(r"[、,]?(?:で|と)?お願い(?:し|いたし)ます[。!！]*$|[、,]?で[。!！]*$")


def _own_words(heard: Heard) -> str:
    """What the answer says beyond the yes; "" if nothing."""
    text = heard.utterance.text.strip()
    rest = _YES_LEAD.sub("", text)
    return _ASKS_TAIL.sub("", rest).strip() if rest != text and LASTING.search(cue_form(rest)) else ""


# "Make that the default?", 「全ケースこの方式にしますか？」: the proposal itself stands in the sentence before.
_ASKS_BACK = re.compile(
    r"^(?:should|shall|can|could) (?:that|this|it) (?:be|become|stay)|^make (?:that|this|"
    r"it) (?:the|a|our)\b|"
    r"^(?:shall|should) (?:we|i) (?:do|make|keep) (?:that|this|it)\b|^.{0,8}(?:この|"
    r"その)(?:方式|形|方針|ルール|やり方|運用)(?:に|で)",
    re.I,
)


def _by_option(
    heard: Heard, i: int, agent: Utterance, said: list[Said], chosen: Option, offered: list[Option]
) -> Proposal | None:
    answer = " ".join(u.form for u in heard.units)
    frame = cue_form(agent.text[: offered[0].start])
    form = cue_form(chosen.text)
    actions = sum(bool(ACTION.match(cue_form(o.text))) for o in offered)
    passing = actions * 2 > len(offered) or ONE_OFF.search(frame) or ONE_OFF.search(form)
    if passing and not _HUMAN_LASTING.search(answer) and not LASTING.search(form):
        return None
    if (
        (_GO_ON.search(answer) or _HERE.search(answer))
        and not _firm(heard, answer)
        and not LASTING.search(form)
    ):
        return None
    asked = next(
        (
            s
            for s in reversed(said)
            if s.start < offered[0].start and re.search(r"[?？:：]|どう|か。|ways? to|です。", s.text)
        ),
        None,
    )
    text = statement(chosen.text) if is_japanese(chosen.text) else chosen.text.rstrip(".")
    lead = topic_of_question(agent.text[asked.start : min(asked.end, offered[0].start)]) if asked else ""
    content = f"{lead}{text}" if fits(f"{lead}{text}") else text
    kind = "preference" if _WISH.search(cue_form(agent.text)) and _WISH.search(form) else "decision"
    why = "picks an option that the agent offered"
    return _proposal(heard, i, agent, chosen.start, chosen.end, content, kind, why, 0.82)


_ALTERNATIVES = re.compile(
    r"\bor\b|\beither\b|\bvs\.?\b|どちら|どっち|か、|案と|(?:と|か).{1,30}(?:案|方式|形)", re.A
)


def _by_echo(heard: Heard, agent: Utterance, said: list[Said]) -> Proposal | None:
    """ "SQLiteで", "per game", "the latter": the answer repeats or points at one of two alternatives."""
    unit = heard.units[0]
    asked = next((s for s in reversed(said) if _ALTERNATIVES.search(s.form)), None)
    if asked is None or heard.own[0] & {"question", "temporary", "hypothetical", "momentary"}:
        return None
    answer = " ".join(u.form for u in heard.units)
    if len(answer) > 160:
        return None
    option = next((o for u in heard.units[:2] if (o := echoed_option(u.form, asked.text)) is not None), None)
    if option is None and not echoed(unit.form, asked.form):
        return None
    firm = _firm(heard, answer)
    if not firm and (
        ONE_OFF.search(asked.form)
        or _GO_ON.search(answer)
        or not (
            strength(asked.form) or _BUILDS.search(asked.form) or any(_WEIGHS.search(s.form) for s in said)
        )
    ):
        return None
    why = "picks an alternative that the agent named"
    if option is None:
        content = f"{topic_of_question(asked.text)}{unit.text.rstrip('。.')}"
        return _proposal(heard, 0, agent, asked.start, asked.end, content, "decision", why, 0.72)
    lead = _EITHER.sub("", asked.text[: alternatives(asked.text)[0].start]).strip(" :：、「")
    lead = f"{lead}: " if lead else topic_of_question(asked.text)
    start = asked.start + option.start
    content = f"{lead}{option.text}" if fits(f"{lead}{option.text}") else option.text
    return _proposal(heard, 0, agent, start, asked.start + option.end, content, "decision", why, 0.72)


# An agent that argues for one side speaks of how things are to be built, not of the next step.
_WEIGHS = re.compile(
    r"\b(?:i(?:d| would)? (?:vote|recommend|suggest|lean|prefer|go for|go with)|my vote|"
    r"stricter|safer|simpler|cleaner|"
    r"costs?|trade.?offs?|downside|lets us)\b|無難|安全|おすすめ|お勧め|推奨|推し|確実|利点|欠点",
    re.A,
)
_EITHER = re.compile(
    r",? ?(?:we|i|you)? ?(?:can|could|should|shall|do)? ?(?:we|i|you)? ?(?:either|use|"
    r"have)?\s*$|(?:は|を)、?「?$",
    re.I,
)
_FIRM = frozenset(
    {"reason", "universal", "decided", "will_choose", "refuse", "forbid", "every_time", "from_now"}
)


def _firm(heard: Heard, answer: str) -> bool:
    """Does the answer itself say that the choice stands (a reason, "every", "from then on")?"""
    return bool(_HUMAN_LASTING.search(answer)) or any(own & _FIRM for own in heard.own)


def _by_repeat(heard: Heard, agent: Utterance, said: list[Said]) -> Proposal | None:
    """ "generate them, hands off from then on": the answer repeats the proposal's own words and makes them stand."""
    best = proposal_in(said)
    answer = " ".join(u.form for u in heard.units)
    if best is None or len(answer) > 160 or _DOUBT.search(answer) or "?" in answer:
        return None
    if not any(repeated(u.form, best.form) for u in heard.units[:2]) or not _firm(heard, answer):
        return None
    return _by_yes(heard, agent, said, answer)


_BUILDS = re.compile(
    r"\b(?:should (?:we|the|an?|all|new)|do we|how (?:do|should) we|can be|stored?|number|"
    r"version|represent|model|keep|handle)\b|保存|持(?:つ|ち)|扱い|方針|管理|採番|方式|"
    r"にしますか|どうしますか|で(?:持|書|統一)",
    re.A,
)


def _context(said: list[Said], best: Said) -> str:
    before = [s for s in said if s.end <= best.start]
    return f"{before[-1].text.strip()} " if before and columns(before[-1].text) < 200 else ""


def _kind(form: str, answer: str) -> str:
    if _WISH.search(form) and re.search(
        r"ご報告|報告|回答|返信|説明|要約|箇条書き|\b(?:repl|answer|summar|report|my (?:updates|messages))",
        form,
    ):
        return "preference"
    if re.search(
        r"運用|取り決め|ルール|必ず|毎回|今後|以後|\b(?:always|never|whenever|every time|must|rule)\b", form
    ):
        return "pattern"
    return "decision"


def _proposal(
    heard: Heard,
    i: int,
    agent: Utterance,
    start: int,
    end: int,
    content: str,
    kind: str,
    why: str,
    confidence: float,
) -> Proposal | None:
    unit = heard.units[i]
    spans = (
        Span(heard.utterance.ref, unit.text, unit.start, unit.end, "adoption"),
        Span(agent.ref, agent.text[start:end], start, end, "adopted"),
    )
    if not fits(content) or columns(content) > MAX_COLUMNS:
        return None
    return Proposal(kind, content, "persona" if kind == "preference" else "workspace", confidence, spans, why)


def _is_recital(window: Window, heard: Heard, agent: Utterance) -> bool:
    """Did the agent only repeat what we served?  Then agreeing to it tells nothing new."""
    served = [u.text for u in window.utterances[: heard.at + 1] if u.origin == "injected"]
    served += [u.text[a:b] for u in window.utterances[: heard.at + 1] for a, b in u.injected]
    served += [
        m.group()
        for u in window.utterances[: heard.at + 1]
        if u.origin == "human"
        for m in re.finditer(r"<memory-context.*?(?:</memory-context>|\Z)", u.text, re.S)
    ]
    if not served:
        return False
    if _RECITES.search(cue_form(agent.text)):
        return True
    known = {t for s in served for t in terms(s) if not is_weak_term(t)}
    new = {t for t in terms(agent.text) if not is_weak_term(t)}
    return bool(new) and len(new & known) / len(new) > 0.35
