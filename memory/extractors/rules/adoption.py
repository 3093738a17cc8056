"""The person adopts what the agent proposed: "yes do that", "B", 「それでいきましょう」.

Evidence is then two spans, the adopting words and the adopted text.  Only an agent's utterance can be
adopted, never tool output or text that we served ourselves; and only a proposal that outlives the
task at hand is worth a memory ("Shall I commit?" is not).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import is_weak_term, sentences, terms
from memory.extractors.base import Proposal, Span, Utterance, Window
from memory.extractors.rules import cues_en, cues_ja
from memory.extractors.rules.content import MAX_COLUMNS, fits
from memory.extractors.rules.forms import columns, cue_form, is_japanese
from memory.extractors.rules.listen import Heard
from memory.extractors.rules.options import Option, options, pick

_YES_EN = re.compile(
    r"^(?:\W|ok|okay|oh|hm+|ah|so|well|and)*(?:yes|yep|yeah|yup|ya|aye|sure|absolutely|definitely|of course|agreed?|sounds (?:good|great|right|fine|perfect|sensible)|do (?:it|that|so|this)|lets do (?:it|that|this)|lets go with (?:that|it)|go (?:with|for) (?:that|it|your)|"
    r"correct|exactly|right|indeed|makes sense|that works|works for me|fine (?:by|with) me|good (?:idea|call|plan|point)|\+1|deal|approved?|confirmed|that one|please do|love it|i (?:like|agree|am in favou?r)|i am ok with|make (?:it|that) (?:so|how|the|our|a)|adopt(?:ed)?|accepted|perfect|great|as (?:you )?(?:proposed|suggested)|your (?:proposal|suggestion|call|pick|recommendation))\b",
    re.A,
)
_YES_JA = re.compile(
    r"^(?:\W|あ|おお|うーん|じゃあ?|では|ええと)*(?:うん|はい|ええ|そう(?:し|です|だ|ね|しよう|しましょう|いこう)|それ(?:で|が|に|いい|は(?:いい|良い))|賛成|同意|異議なし|いい(?:です|ね|と思)|良い(?:です|ね|と思)|よい(?:です|と思)|よさそう|良さそう|お願いし|おねがいし|採用|その(?:方針|案|通り|とおり|形|運用|やり方|方向|線|ルール|設計|まま)|おっしゃる通り|ok|オーケー|オッケー|了解|承認|決まり|決定|もちろん|ぜひ|是非|完璧|文句な|問題な|大丈夫|おけ|合って|まさに|推奨(?:の|どおり|通り)|提案(?:の|どおり|通り))"
)
# Words that only set the work going again.
_GO_ON = re.compile(
    r"\b(?:go (?:ahead|on)|continue|proceed|carry on|keep going|commit|push|merge|ship (?:it|that)|deploy|next|run it|try it|send it|start)\b|進めて|続け|続き|コミット|プッシュ|push|マージ|反映|次(?:は|へ|に|を|の|お)|先に進|デプロイ|実行|やっといて|やっておいて",
    re.A,
)
_DOUBT = re.compile(
    r"\?\W*$|\b(?:but|not (?:sure|convinced|yet|now)|dont|wait|hold|first|hmm|though|instead|except|why|how|no|nah|nope|rather|just)\b|でも|けど(?!も)|ただ|まず|先に|待って|いや|違|本当に|ほんとに|どう|なぜ|とりあえず|ひとまず|一旦|だけ|じゃなく|ではなく|[?？]",
    re.A,
)
_PROPOSES = re.compile(
    r"\?|\b(?:shall|should|i (?:suggest|recommend|propose|would|could|can|lean|prefer|d)|proposal|suggest(?:ion)?|recommend(?:ation)?|option|lets|we (?:could|can|should)|how about|want me|do you want|would you like|sounds? (?:right|good|ok)|agreed|ok(?:ay)? (?:with|if|to)|better to|id rather|my pick)\b"
    r"|[?？]|でしょうか|ですか|ますか|ませんか|どうで|提案|おすすめ|お勧め|推し|推奨|案(?:が|は|で|とし)|よろしい|よければ|良ければ|いかが|と思います|安全です|無難です|べきです|しましょう|たいです|ほうが|方が",
    re.A,
)
_LASTING = re.compile(
    r"\b(?:every|each|all|any|always|never|from now on|going forward|in future|new \w+|throughout|everywhere|across|standardi[sz]\w*|polic(?:y|ies)|convention|rule|must|only (?:through|via|in)|by default|default|format|scheme|strategy|naming|schema|becomes?|permanently|whenever|no longer|instead of|keep (?:using|all|it)|adopt|switch(?:es|ing)?|the way|how we|live[s]? in|per (?:\w+)|one per|stay on|note that|record that|remember)\b"
    r"|統一|揃え|そろえ|全(?!然)|すべて|今後|以後|以降|毎回|必ず|常に|運用|方針|ルール|取り決め|規約|規則|決まり|という(?:こと|形|運用|方針|ルール|約束)|形(?:で|に)|配下|設計|標準|既定|基本|ごと|各|禁止|しない(?:、|。|と|こと|という)|原則|命名|形式|方式|構成|採用|切り替え|移行|置き(?:、|換え)|持(?:つ|たせ)|管理|経由|専用|のみ|だけ(?:に|で|を)",
    re.A,
)
_ONE_OFF = re.compile(
    r"\b(?:commit (?:it|this|these|that|them|now)|push (?:it|this|now|to)|merge (?:it|this|now)|deploy (?:it|this|now)|re-?run|restart|continue|proceed|go on|carry on|revert|undo|roll back|open a (?:pr|pull request|ticket|issue)|start (?:on|with|the)|next|shall i (?:fix|run|commit|push|merge|deploy|start|continue|delete|apply|look|check|try|add (?:a|the|one) test|write (?:a|the) test|update the|remove (?:it|this|the)|rename (?:it|this))|this (?:test|file|function|pr|branch|change|run|time|commit|one)|the (?:failing|flaky|remaining|last) \w+|for now|right away|tonight)\b"
    r"|続けますか|続けてよ|進めますか|進めてよ|進みますか|コミットしますか|コミットして(?:も|よ)|プッシュしますか|マージしますか|実行しますか|再起動|反映しますか|次は|次に|残り|この(?:テスト|ファイル|関数|PR|ブランチ|変更|行)|削除しますか|直しますか|修正しますか|今回(?:は|だけ)|とりあえず|試しますか|確認しますか|ほかに|他に",
    re.A,
)
_HUMAN_LASTING = re.compile(
    r"\b(?:stick (?:to|with) (?:it|that)|every ?time|always|from now on|going forward|from here on|in future|make that (?:how|the|our)|how we do it|the rule|for (?:all|every|everything|good)|everywhere|note (?:it|that|this)|remember|write it down|permanent\w*|as (?:a|the|our) (?:rule|standard|policy|convention|default)|the standard|the default|across the board|for the record|settled|decided|adopted?)\b"
    r"|毎回|いつも|今後|次から|次回から|以後|以降|ずっと|これから|統一|ルール|決まり|決定|方針|全部|全て|すべて|常に|必ず|覚え|記録|メモ|採用|固定|原則|基本|標準|運用",
    re.A,
)
_RECITES = re.compile(
    r"\b(?:as you (?:prefer|like|asked|said|wanted|decided)|(?:from|per|in|according to|based on) (?:my |the |your )?(?:memory|memories|notes?|records?)|i remember|remembered|stored memor|you (?:prefer|said|told|mentioned|decided))\b|記憶によ|記憶では|覚えて(?:いる|おり|います)|メモリ(?:に|では)|ご希望(?:どおり|通り|の)|以前(?:の|に)|前提で|という前提",
    re.A,
)
# An option that starts with a bare verb is a step of the work, a noun phrase is a design.
_ACTION = re.compile(r"^(?:just |simply |then )?" + cues_en.ORDER_VERB + r"\b(?! of\b)", re.A)
_CAUSE = re.compile(cues_en.STRONG["cause"].pattern + "|" + cues_ja.STRONG["cause"].pattern, re.A)
_WISH = re.compile(
    r"\b(?:your|you|repl(?:y|ies)|answers?|summar\w+|reports?|messages?)\b|報告|回答|返信|説明|要約|箇条書き|コミットメッセージ|ご(?:報告|回答|説明|連絡)",
    re.A,
)


@dataclass(frozen=True)
class Said:
    """A sentence of the agent with its offsets and folded form."""

    text: str
    start: int
    end: int
    form: str


def adopted(window: Window, heard: Heard) -> Proposal | None:
    """The proposal that `heard` accepts from the agent's utterance right before it, if it lasts."""
    agent = heard.before
    if agent is None or not heard.units or agent.role != "assistant" or len(heard.utterance.text) > 240:
        return None
    said = [Said(agent.text[a:b], a, b, cue_form(agent.text[a:b])) for a, b in sentences(agent.text)]
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
    if not (_YES_JA if unit.japanese else _YES_EN).match(unit.form):
        return None
    rest = " ".join(u.form for u in heard.units)
    if _DOUBT.search(rest) or len(rest) > (90 if unit.japanese else 130) or offered:
        return None
    return _by_yes(heard, agent, said, rest)


def _by_yes(heard: Heard, agent: Utterance, said: list[Said], answer: str) -> Proposal | None:
    best = _proposed(said)
    if best is None:
        return None
    lasting = len(set(_LASTING.findall(best.form))) + 2 * bool(_HUMAN_LASTING.search(answer))
    if _ONE_OFF.search(best.form) and not _HUMAN_LASTING.search(answer):
        return None
    if lasting == 0 or (_GO_ON.search(answer) and lasting < 2):
        return None
    # A bare "yes" agrees to the last thing asked; it has to be the proposal itself.
    text = _statement(best.text)
    whole = f"{_context(said, best)}{text}" if _CAUSE.search(best.form) or columns(text) < 40 else text
    content = whole if fits(whole) else text
    cause = _CAUSE.search(cue_form(content)) is not None and bool(
        re.search(r"happened|原因|その通り|correct|exactly|right|合って", answer)
        or "原因" in content
        or re.search(r"(?i)outage|incident|root cause", content)
    )
    kind = "postmortem" if cause else _kind(best.form, answer)
    return _proposal(
        heard, 0, agent, best.start, best.end, content, kind, "agrees to the agent's proposal", 0.78
    )


def _by_option(
    heard: Heard, i: int, agent: Utterance, said: list[Said], chosen: Option, offered: list[Option]
) -> Proposal | None:
    answer = " ".join(u.form for u in heard.units)
    head = agent.text[: offered[0].start]
    frame = cue_form(head)
    firm = bool(_HUMAN_LASTING.search(answer))
    actions = sum(bool(_ACTION.match(cue_form(o.text))) for o in offered)
    form = cue_form(chosen.text)
    if not firm and (actions * 2 > len(offered) or _ONE_OFF.search(frame)) and not _LASTING.search(form):
        return None
    asked = next(
        (
            s
            for s in reversed(said)
            if s.end <= offered[0].start and re.search(r"[?？]|どう|か。|ways? to|:$|：$", s.text)
        ),
        None,
    )
    text = chosen.text if not is_japanese(chosen.text) else _statement(chosen.text)
    content = f"{_question_topic(asked.text)}{text}" if asked else text
    if not fits(content):
        content = text
    kind = "preference" if _WISH.search(cue_form(agent.text)) and _WISH.search(form) else "decision"
    return _proposal(
        heard,
        i,
        agent,
        chosen.start,
        chosen.end,
        content,
        kind,
        "picks an option that the agent offered",
        0.82,
    )


def _question_topic(question: str) -> str:
    q = re.sub(r"(?:Option|案|[(（])?\s*[A-E1Ａア①]\s*[)）:：.]?\s*$", "", question.strip()).strip(" :：")
    q = re.split(r"(?<=[?？。])\s*", q)[0] if len(q) > 100 else q
    if is_japanese(q):
        topic = re.match(r"^(.{2,40}?)(?:は|を)(?:どう|どちら|どれ|何|いつ|どこ|どの)", q)
        return f"{topic.group(1)}: " if topic else f"{q.rstrip('。?？')} → "
    return f"{q} → "


def _proposed(said: list[Said]) -> Said | None:
    """The sentence that carries the proposal: the most lasting one that proposes, the later on a tie."""
    asks = [s for s in said if _PROPOSES.search(s.form)]
    if not asks:
        return None
    last = asks[-1]
    ranked = sorted(asks, key=lambda s: (len(set(_LASTING.findall(s.form))), s.start))
    best = ranked[-1]
    if _ONE_OFF.search(last.form):
        return last
    return best


def _statement(sentence: str) -> str:
    """A proposal's sentence as a statement: 「〜でよいですか。」 and "Shall I …?" fall away."""
    s = sentence.strip()
    if is_japanese(s):
        s = re.sub(
            r"^(?:では|それでは|そこで|なお|また|方針として|提案として|提案ですが|対策として)[、,]\s*", "", s
        )
        s = re.sub(
            r"(?:(?:、)?という(?:の|こと|形|運用|方針|取り決め|ルール|約束|設計|やり方)(?:は|で|に|と|が|を)?|(?:の|ん)(?:は|が)|形(?:で|は|が)?|(?:する|とする)?(?:こと|方針)(?:で|は|を|に)|で|に|は)?"
            r"(?:どう(?:で|し)(?:しょう|すか|ょう)か?|いかがで(?:しょう|すか)か?|(?:よろしい|よい|良い|いい|宜しい|問題ない|構わない|大丈夫)(?:でしょうか|ですか)|しませんか|しましょうか|(?:を)?(?:おすすめ|お勧め|提案|推奨)(?:し|いたし)ます|がよい(?:と思います|です)|(?:て|で)(?:も)?(?:よい|いい|よろしい)(?:でしょうか|ですか))[。?？]*$",
            "", s,
        )  # fmt: skip
        return s.strip(" 、。")
    s = re.sub(
        r"(?i)^(?:so|then|ok|therefore|proposal|suggestion|recommendation|my (?:suggestion|proposal))?[,:]?\s*(?:shall|should|can|could|may) (?:i|we) (?:note|record|remember|write down|save) that\s+|^(?:proposal|suggestion|recommendation)\s*:\s*|^(?:i|we) (?:suggest|recommend|propose)(?: that)? (?:we )?|^(?:shall|should) (?:i|we) |^(?:do you want|would you like|want) me to |^how about |^(?:i|we) (?:can|could|would) ",
        "", s,
    )  # fmt: skip
    return s.rstrip(" ?")


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
