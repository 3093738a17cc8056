"""What an agent proposed: finds the sentence, weighs whether it outlives the task, makes it a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import sentences
from memory.extractors.rules.forms import cue_form, is_japanese
from memory.extractors.rules.verbs import ORDER_VERB


@dataclass(frozen=True)
class Said:
    """A sentence of the agent with its offsets and folded form."""

    text: str
    start: int
    end: int
    form: str


PROPOSES = re.compile(
    r"\?|\b(?:shall|should|i (?:suggest|recommend|propose|would|could|can|lean|prefer)|"
    r"id (?:keep|use|suggest|recommend|propose|go|rather|put|make|store|say|take)|proposal|"
    r"suggest(?:ion)?|recommend(?:ation)?|option|lets|we (?:could|can|should)|how about|"
    r"want me|do you want|would you like|agreed|ok(?:ay)? (?:with|if|to)|better to|my pick|"
    r"the (?:simplest|safest|cleanest|easiest|best|rule) (?:is|would|option))\b"
    r"|[?？]|でしょうか|ですか|ますか|ませんか|ましょうか|どうで|提案|おすすめ|お勧め|推し|推します|"
    r"推奨|案(?:が|は|で|とし)|よろしい|よければ|良ければ|いかが|と思います|(?:安全|無難|"
    r"妥当)です|べきです|しましょう|たいです|ほうが|方が|統一します|とします|にします",
    re.A,
)
# Wordings that speak of all cases or of how things are built.
LASTING = re.compile(
    r"\b(?:every|each|all|any|always|never|from now on|going forward|in future|new \w+|"
    r"throughout|everywhere|across|standardi[sz]\w*|polic(?:y|ies)|convention|rule|must|only|"
    r"by default|default|format|scheme|strategy|naming|schema|becomes?|permanently|whenever|"
    r"no longer|instead of|rather than|adopt|switch(?:es|ing)?|the way|how we|lives? in|"
    r"per \w+|only if|forbid|refuse|one per|stay(?:s|ing)? (?:on|with)|note that|record that|"
    r"remember|before (?:i|"
    r"any|each|every)|can not|cannot|no \w+ in)\b"
    r"|統一|揃え|そろえ|全(?!然)|すべて|今後|以後|以降|毎回|必ず|常に|運用|方針|ルール|"
    r"取り決め|規約|規則|決まり|という(?:こと|形|運用|方針|ルール|約束)|形(?:で|に|が)|配下|"
    r"設計|標準|既定|基本|ごと|各|禁止|しない(?:、|。|と|こと|という)|原則|命名|形式|方式|"
    r"使い分け|表記|縛り|"
    r"構成|採用|切り替え|移行|置き(?:、|換え)|持(?:つ|たせ)|管理|経由|専用|のみ|だけ(?:に|で|"
    r"を)|ではなく",
    re.A,
)
_DESIGN = re.compile(
    r"\b(?:i propose|proposal|i(?:d| would)? (?:suggest|recommend|keep|store|go with|"
    r"put)(?: that)?(?! (?:running|rerunning|trying|waiting|checking|looking|restarting))|"
    r"suggestion|recommendation|how about|we could|we should|the rule would)\b|提案|(?:のは|"
    r"形では)どうで|にしませんか|(?:に|と)(?:しておき|し|統一し|分け)ましょうか|推奨|お勧め|"
    r"おすすめ|推します|(?:安全|無難)です|が(?:良い|"
    r"よい)(?:です|と思)",
    re.A,
)
ONE_OFF = re.compile(
    r"\b(?:me to|(?:shall|should|can|could|may) i) (?:\w+ )?\w+ (?:it|this|that|them)\b|"
    r"\b(?:commit (?:it|this|these|that|them|now)|push (?:it|this|now|to)|merge (?:it|this|"
    r"now)|deploy (?:it|this|now)|re-?run\w*|restart\w*|continue|proceed|go on|keep going|"
    r"carry on|revert|undo|roll back|tag it|open (?:a|the) (?:pr|pull request|ticket|issue)|"
    r"start (?:on|with|the)|next|anything else|(?:shall|should|can|could|want me to|"
    r"like me to) ?(?:i )?(?:also |now |just )?(?:fix|run|commit|push|merge|deploy|start|"
    r"continue|delete|apply|look|check|try|rebuild|add (?:a|the|one) |write (?:a|the) |"
    r"update the|remove (?:it|this|the)|rename (?:it|this|the)|also)|this (?:test|file|"
    r"function|pr|branch|change|run|time|commit|one)|the (?:failing|flaky|remaining|last|"
    r"unused|other|two|three) \w+|for now|right away|tonight|now|try|here)\b"
    r"|続けますか|続けてよ|進めますか|進めてよ|進みますか|コミットしますか|コミットして(?:も|"
    r"よ)|プッシュしますか|マージしますか|実行しますか|再起動|反映しますか|次は|次に|次の|"
    r"残り|この(?:テスト|ファイル|関数|PR|ブランチ|変更|行|画像|画面)|削除しますか|"
    r"直しますか|修正しますか|追加しますか|表示しますか|今回(?:は|だけ)|とりあえず|"
    r"試しますか|確認しますか|ほかに|他に|ついでに",
    re.A,
)
_TAG = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:ok(?:ay)?|good|right|agreed|sounds? (?:right|good|ok|fine)|"
    r"shall (?:we|i)|which(?: one| do you prefer| would you)?\b.*|does that (?:work|"
    r"sound)\b.*|is that ok\b.*|deal|fine|what do you think|your (?:call|choice)|objections|"
    r"any objections|(?:do )?you (?:want|agree)\b.*|do you want (?:that|this|"
    r"it))[^\w぀-ヿ㐀-鿿]*$|^(?:これで|それで|こちらで|この(?:方針|形|運用)で)?(?:よろしい|"
    r"よい|良い|いい|どう|いかが)(?:でしょう|です|しましょう)か?[。?？]*$|^(?:採用しますか|"
    r"どうしますか|いかがしましょう|どうしましょう)[かう。?？]*$|^(?:こちら|"
    r"これ)で統一して.{0,10}$",
    re.A,
)


def split(text: str) -> list[Said]:
    """The sentences of an agent's utterance."""
    return [Said(text[a:b], a, b, cue_form(text[a:b])) for a, b in sentences(text)]


def proposal_in(said: list[Said]) -> Said | None:
    """The sentence that carries the proposal, None if nothing is proposed.

    A bare tag question ("OK?", 「よろしいですか。」) points at the sentence before it.
    """
    if not said:
        return None
    if _TAG.match(said[-1].form):
        rest = [s for s in said[:-1] if s.form]
        if not rest:
            return None
        better = [s for s in rest if PROPOSES.search(s.form) and strength(s.form)]
        return better[-1] if better else rest[-1]
    asks = [s for s in said if PROPOSES.search(s.form)]
    if not asks:
        return None
    if ONE_OFF.search(asks[-1].form) and not LASTING.search(asks[-1].form):
        return asks[-1]
    return sorted(asks, key=lambda s: (strength(s.form), s.start))[-1]


def strength(form: str) -> int:
    """How many signs say that the proposal lasts; 0 for one step of the work."""
    return len({m.group() for m in LASTING.finditer(form)}) + bool(_DESIGN.search(form))


_FRAME_JA = re.compile(
    r"(?:(?:、)?という(?:の|こと|形|運用|方針|取り決め|ルール|約束|設計|やり方)(?:は|で|に|"
    r"と|が|を)?|(?:の|ん)(?:は|が)|(?:形|運用|方針)(?:で|は|が|に(?:して|し)?)?|(?:する|"
    r"とする)?こと(?:で|は|を|に)|で|に|は)?(?:も)?"
    r"(?:に(?:し(?:て(?:おき)?)?ま(?:すか|しょうか)|揃えま(?:すか|しょうか)|統一しま(?:すか|"
    r"しょうか))|どう(?:で|し)(?:しょう|すか|ょう)か?|いかがで(?:しょう|すか)か?|(?:よろしい|"
    r"よい|"
    r"良い|いい|宜しい|問題ない|構わない|大丈夫)(?:でしょうか|ですか)|しませんか|"
    r"しましょうか|(?:を)?(?:おすすめ|お勧め|提案|推奨)(?:し|いたし)ます"
    r"|(?:が|の(?:が|は))?(?:よい|良い|いい|安全|無難)(?:と思います|です)|(?:て|"
    r"で)(?:も)?(?:よい|いい|よろしい)(?:でしょうか|ですか)|案があります|"
    r"(?:を)?推します)[。?？]*$"
)
_LEAD_JA = re.compile(
    r"^(?:では|それでは|そこで|なお|また|方針として|提案として|提案ですが|対策として)[、,]?\s*"
)
_FRAME_EN = re.compile(
    r"^(?:so|then|ok|therefore)?[,:]?\s*(?:(?:shall|should|can|could|may) (?:i|we) (?:note|"
    r"record|remember|write down|save)(?: that)? (?:and )?"
    r"|(?:my )?(?:proposal|suggestion|recommendation)\s*(?::|is(?: that| to)?)\s*|(?:i|"
    r"we)(?: would|'d)? (?:suggest|recommend|propose)(?: that)? (?:we )?"
    r"|(?:shall|should) (?:i|we) |(?:do you want|would you like|want) me to |"
    r"would it be ok if |would you (?:prefer|like)(?: it)? (?:that |if )|how about |(?:i|"
    r"we) (?:can|could) |the rule would be:? )",
    re.I,
)


def statement(sentence: str) -> str:
    """A proposal's sentence as a statement: 「〜でよいですか。」 and "Shall I …?" fall away."""
    s = sentence.strip()
    if is_japanese(s):
        return _FRAME_JA.sub("", _LEAD_JA.sub("", s)).strip(" 、。")
    s = _FRAME_EN.sub("", s)
    return re.sub(r"(?<=\w),? (?:I|we)(?: could| can| would|'d) (?=\w)", ", ", s).rstrip(" ?")


def topic_of_question(question: str) -> str:
    """A short lead for a chosen option: 「排他制御: 」, "How should the export format dates? → "."""
    q = re.sub(r"(?:[Oo]ption|案|[(（\[])?\s*[A-Ea-e1Ａア①X]\s*[)）:：.\]]?\s*$", "", question.strip()).strip(
        " :："
    )
    if len(q) > 110:
        q = re.split(r"(?<=[?？。])\s*", q)[0]
    if is_japanese(q):
        m = re.match(
            r"^(.{2,40}?)(?:は|を|です(?:が)?)(?:[、。]?)(?:どう|どちら|どれ|何|いつ|どこ|どの|$|次の)",
            q.rstrip("。"),
        )
        return f"{m.group(1)}: " if m else f"{q.rstrip('。?？')} → "
    return f"{q} → " if q else ""


ACTION = re.compile(
    r"^(?:just |simply |then |be |be )?(?:"
    + ORDER_VERB
    + r"|skipped|fixed|removed|reverted)\b(?! of\b)|[うくすつぬむるぐぶ]$",
    re.A,
)
