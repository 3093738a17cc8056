"""Builds the text of a proposal: the person's own words, understandable without the conversation."""

from __future__ import annotations

import re

from memory.extractors.rules.forms import columns, is_japanese
from memory.extractors.rules.verbs import ORDER_VERB

MAX_COLUMNS = 320

_LEAD_EN = re.compile(
    r"^(?:[^\w぀-ヿ㐀-鿿]*(?:ok(?:ay)?|so|and|but|also|btw|by the way|fyi|heads.?up|oh|hm+|"
    r"ah|a+rgh|ugh|um+|uh+|er+|wait|hey|hi|nah|yeah|lol|oops|anyway|dear me|oh dear|honestly|"
    r"look|listen|hear me out|(?:no|nope|yes|right|well|nice|sorry|thanks|thank you|thx|"
    r"great|cool|perfect|"
    r"actually|true|correct|exactly|agreed|no sorry|sorry no|no no)(?=[,.:;!])|"
    r"just so you know|for the record|for context|some context|"
    r"note to (?:self|you)|memo(?: (?:for|to) (?:you|me|self|yourself))?(?=[:,])|"
    r"my (?:remark|note)(?=:)|note from me(?: to you)?|context|background|please|pls|plz|"
    r"to be clear|"
    r"one (?:more )?thing|quick (?:note|tour[\w ]*|facts?))(?:\b|(?=[,:;.!-]))[\s,:;.!-]*)+",
    re.I | re.A,
)
_REMEMBER_EN = re.compile(
    r"^(?:(?:can|could|would) you |i(?:'d| would)? (?:like|want|need) you to )?(?:please |"
    r"pls |plz |also |and )*(?:remember|note|keep in mind|bear in mind|make a note|take note|"
    r"dont forget|don't forget|don’t forget|save|store|keep|put|write|log|record|"
    r"memori[sz]e|jot)"
    r"(?: (?:a (?:lasting|permanent|mental) note|one|this|that|it|down|for good|"
    r"for (?:the )?(?:later|next|future)(?: (?:sessions?|reference|"
    r"runs?|chats?))?|(?:in(?:to)?|to|on) (?:your |the )?(?:long.term )?(?:memory|notes?|"
    r"records?|head|list)|somewhere(?: permanent)?|"
    r"as well|too|please|for good|on record))*\s*(?:[:,;.-]+\s*|\bthat\b\s*|(?=(?:the|our|we|"
    r"i|its|it|you|prod|staging|every|all|there|a|no)\b))",
    re.I | re.A,
)
_LEAD_JA = re.compile(
    r"^(?:[\s、。,:：※←→↑↓（(・-]*(?:うん|はい|ええ|そう(?:です|だね)?(?=[、。])|"
    r"あ[あー〜~っ]*(?=[、。…])|お[おー]*(?=[、。])|うーん?と?|ええと|えー?と|よし|ほんで|"
    r"んで|"
    r"けど(?=、)|が(?=、)|言っとく(?:ね|けど)?|(?:前提|参考|共有|補足|追加)(?:です|"
    r"でした)[!！〜~]*|ざっくり共有(?:です)?[〜~]*|"
    r"(?:引き?継ぎ)?メモ(?=[：:、])|ご?参考まで(?:に)?|前提(?:を)?(?:共有|share)[^、。]{0,8}|"
    r"(?:今後|次回|後)のために[^、。]{0,14}(?:と|けど)|"
    r"(?:大変)?(?:失礼(?:いた|し)+ました|ごめん(?:ごめん|ね)?)|うそ(?:うそ)?(?=[、。])|"
    r"(?:しと|し)いて[〜~]*[^ぁ-んァ-ン一-鿿\\w]+|"
    r"ちなみに|なお|あと(?=[、はでも\s]|"
    r"[一-鿿ァ-ヶA-Za-z])|それと|それから|また(?=、)|補足(?:です|ですが|すると|:|：)?|"
    r"前提(?:として|を共有します)?(?=[、。:：])|参考まで(?:に)?|念のため|一応|"
    r"(?:ちょっと)?前提なんですけど|そういえば|"
    r"そうそう|ついでに|余談ですが|"
    r"いや|うーん|えっと|すみません|ごめん(?:なさい)?|やっぱり?(?=、)|じゃあ|では|で(?=、)|"
    r"remember|note|fyi|btw|メモ|注意|覚え書き)[\s、。:：,]*)+",
    re.I,
)
_REMEMBER_JA = re.compile(
    r"^[^。\n:：]{0,24}?(?:(?:頭に(?:入れ)|押さえ|持っ|知っ|把握し|心得)(?:て|と)(?:おいて|"
    r"お(?:き|け)|いて|け|とけ)|"
    r"(?:覚え|おぼえ)(?:て|と)(?:おいて|いて|おき|け)?(?:ください|"
    r"下さい|ほしい|欲しい|ほしいん|もらえ)?|記憶(?:して|に(?:残|と|入れ|"
    r"留め)[^、。:：]{0,8})|メモ(?:して|っといて|しといて|しておいて|リに[^、。:：]{0,10})|"
    r"控えて?(?:おいて|といて)|忘れないで|記録(?:して|に残して)(?:おいて)?)"
    r"[^、。:：]{0,12}?(?:けど|ですが|が|ね|、|。|:|：)+[\s、。]*"
)
_TAIL_JA = re.compile(
    r"[\s]*(?:[、,])?(?:を?覚えて?(?:おいて)?(?:ください|ね)?|覚えといて|メモして(?:おいて)?|"
    r"記憶して(?:おいて)?(?:ください)?)[。!！\s]*$"
)
# Emoji and wave marks at the end, and "ok, cache it please" or 「お願いします。」 after a full statement.
_DECORATION = re.compile(r"[\s~〜♪\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]+$")
_TAIL_TASK = re.compile(
    r"(?<=[.!?;,])\s+(?:ok(?:ay)?|now|so now|then),? (?:please |pls )?\w+ (?:it|that|this|"
    r"the|on)\b[^.!?]{0,40}(?:please|pls)?[.!]?$"
    r"|(?<=[.!;,])\s*(?:thanks|thank you|thx|cheers|please and thank you|ok\?|okay\?)[.! ]*$"
    r"|(?<=[。！!])\s*(?:よろしく(?:お願い(?:し|いたし)ます|ね|です)?|お願い(?:し|"
    r"いたし)ます|以上です?|頼(?:んだ|みます))[。！!〜]*$",
    re.I | re.A,
)
_CORRECTION = re.compile(
    r"^(?:(?:wait|no|nope|oh|hm+|sorry|actually|ok|oops|a+r*gh?|ugh|so+|dear me)[\s,.!]+)*"
    r"(?:that(?:'?s| was) (?:wrong|not right)|i was wrong|"
    r"(?:scratch|strike) that|i (?:must |have to |need to )?(?:retract|withdraw|"
    r"take back) (?:that|it)|i misspoke|"
    r"i (?:speak|spoke) too (?:fast|soon|quickly)|(?:i )?misread (?:my|the)(?: own)? \w+|"
    r"correction|my (?:bad|mistake))\s*[,.:;!-]+\s*"
    r"|^(?:[^\w぀-ヿ㐀-鿿]*(?:いや|あ|やっぱり?|ごめん|すみません)[、。!！\s]*)*(?:さっき|"
    r"先ほど|今)の(?:話|件|やつ)?は?(?:なし|無し|取り消し)(?:で|です)?[、。!！]\s*"
    r"|^(?:(?:すみません|ごめん(?:なさい)?|待って|いや|あ|やっぱり?)[、。!！\s]*)*"
    r"(?:訂正(?:します|です)?|間違え(?:ました|た|てた)|撤回(?:します|です|で)?)[、。!！:：]\s*",
    re.I,
)
_PAREN = re.compile(r"^[（(]\s*(.*?)\s*[)）]?$", re.S)
_EMPTY = re.compile(r"^[\W_]*$")


def tidy(text: str) -> str:
    """`text` without greeting, "btw" and "please remember that"; the statement itself is untouched."""
    s = re.sub(r"\s+", " ", text).strip()
    m = _PAREN.match(s)
    if m and s[:1] in "（(" and m.group(1).count("(") == 0 and "（" not in m.group(1):
        s = m.group(1)
    s = s.strip(" -*・•※←→↑↓^<>#　")
    for _ in range(2):
        before = s
        s = _keep(s, _CORRECTION.sub("", s))
        if is_japanese(s):
            s = _keep(s, _REMEMBER_JA.sub("", s))
            s = _keep(s, _LEAD_JA.sub("", s))
            s = _keep(s, _TAIL_JA.sub("", s))
        s = _keep(s, _LEAD_EN.sub("", s))
        s = _keep(s, _REMEMBER_EN.sub("", s))
        if s == before:
            break
    s = _keep(s, _TAIL_TASK.sub("", s))
    return _DECORATION.sub("", s).strip(" ,;、-")


def _keep(old: str, new: str) -> str:
    """A stripped form is used only if a sentence is left."""
    return old if _EMPTY.match(new) or columns(new) < 8 else new


def fits(text: str) -> bool:
    """Within the width of a memory, and free of redaction marks."""
    return 0 < columns(text) <= MAX_COLUMNS and "[redacted:" not in text


_TOPIC_JA = re.compile(r"^(?:さっき|先ほど|じゃあ|では|[、\s])*([^、。はがを\n]{2,24}?)(?:は|が|って)")
_TOPIC_EN = re.compile(
    r"^[^\w぀-ヿ㐀-鿿]*(?:ok |so |and |yeah |yes |i will |i'll |ill |use |set |make |put |"
    r"add |lets |let's |then )*((?:the |our |a |all |"
    r"every )?[A-Za-z][\w./#@-]*(?: [\w./#@-]+){0,4}?) "
    r"(?:is|are|was|were|runs?|lives?|uses?|should|will|has|have|gets?|goes|go|starts?|"
    r"stays?|to|at|of|in|with|for|before|after|only|by|on|from|[0-9])\b",
    re.I | re.A,
)


_ORDERS = re.compile(
    r"(?i)\W*(?:(?:can|could|would|will|should|shall) |i will |ill |i'll |let me |please |pls |(?:please )?"
    + ORDER_VERB
    + r" (?:with|the|a|an|it|this|that)\b)"
)


def topic(sentence: str) -> str:
    """What a sentence is about: 「…は」, or the subject before the verb; "" if it cannot be told."""
    if is_japanese(sentence):
        m = _TOPIC_JA.match(sentence.strip())
        about = m.group(1).strip() if m else ""
        return (
            ""
            if re.match(
                r"^(?:今|いま|今日|昨日|じゃあ|それ|これ|あれ|そこ|ここ|私|僕|俺|あと|実|では|原因)", about
            )
            else about
        )
    m = _TOPIC_EN.match(sentence.strip())
    if (
        not m
        or _ORDERS.match(sentence.strip())
        or re.match(r"(?i)(?:i|we|you|it|that|this|they|there|which|what)\b", m.group(1))
    ):
        return ""
    return m.group(1).strip()
