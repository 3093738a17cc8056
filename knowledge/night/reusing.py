"""A memory's sentence as one that can be used again: without the frame of the moment in which it was said. Pure.

Only frames are cut that change nothing of what holds: "from now on", "we decided to", 「ことに決めた」. Everything else
stays verbatim; a text that would lose its end or most of itself is left alone.
"""

from __future__ import annotations

import re

from knowledge.night.material import one_line

_FRONT = re.compile(
    r"^(?:from now on|going forward|starting (?:now|today)|as of (?:now|today)|please remember(?: that| to)?|remember"
    r"(?: that| to)?|note that|please note that|for the record|btw|by the way|just so you know|fyi"
    r"|lesson learned)\s*[,:]?\s+",
    re.I,
)
# What follows has to be a verb in its plain form for the rest to be an instruction.
_DECIDED = re.compile(r"^we(?:'ve| have)? (?:decided|agreed) to (?=(?!be\b|have\b)[a-z])", re.I)
_DECIDED_THAT = re.compile(r"^we(?:'ve| have)? (?:decided|agreed) that ", re.I)
# What only answers the line before it.
_TALK = re.compile(
    r"^(?:right|ok(?:ay)?|ye(?:s|ah|p)|no(?:pe)?|hm+|well|sure|oh|ah|great|thanks|good point|"
    r"actually(?:,? no)?|scratch that)\s*[.,!…:]+\s+"
    r"|^(?:やっぱり|やっぱりか|なるほど|はい|うん|いや|ええと|えっと|あ|ああ|そうか|そうだね|了解|わかった|よし)[。、!！…]+\s*",
    re.I,
)
_FRONT_JA = re.compile(r"^(?:今後は|今後|これからは|これから|今日から|以後は|ちなみに|念のため)[、,]?\s*")
_END_JA = re.compile(
    r"(?<=[うくぐすつぬぶむるい])(?:こと|よう)に(?:決めた|決めました|決まった|決まりました|する|します|した|しました|"
    r"している|しています)(?=[。.]?$)|(?<=[うくぐすつぬぶむるい])(?:という)?(?:ルール|決まり|方針)(?:にしている|にしています|"
    r"にする|にします|だ|です)(?=[。.]?$)"
)


def reusable(text: str) -> str:
    """One line, ready to stand in a note."""
    plain = one_line(text)
    before, said = None, plain
    while said != before:
        before = said
        for frame in (_TALK, _FRONT, _DECIDED, _DECIDED_THAT, _FRONT_JA):
            said = frame.sub("", said, count=1)
    said = _END_JA.sub("", said, count=1)
    if len(said) * 2 < len(plain):
        return plain
    return f"{said[:1].upper()}{said[1:]}" if plain[:1].isupper() else said
