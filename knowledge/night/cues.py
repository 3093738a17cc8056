"""Words that say that something changed, in both languages: the difference between a correction and another subject."""

from __future__ import annotations

import re

from core.text import fold

# It is so now, and was otherwise before. Whole phrases, because "now" in "do it now" tells nothing else either, and a
# cue alone never decides: the rest of the text must be about the same thing (``pairs``).
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|no longer(?! than)|not [\w ]{1,30}any ?more|don't [\w ]{1,40}any ?more|from now on|"
    r"instead of|switched|moved|migrated|migration|replaced|replaces|rewritten|rewrote|renamed|went (?:from|up|down)|"
    r"upgraded|downgraded|raised|lowered|increased|reduced|extended|shortened|halved|doubled|cut (?:from|down|to)|"
    r"took over|taken over|bumped|pushed back|brought forward|since \w+ (?:left|moved|went|joined)|moved out of|"
    r"handed over|changed (?:to|from)|was changed|has changed|used to|formerly|"
    r"since (?:the|v\d|version|revision|release|last)|no more(?! than))\b"
    r"|ではなく|じゃなく|でなく|(?:に|へ)(?:変更|変わ|移行|移し|移っ|移り|切り?替|乗り換|置き?換|代わ|引き上げ|引き下げ|緩和|短縮|延長|減ら|増や|延び)"
    r"|変わった|変わりました|変えた|変えました|変更され|変更し|引き継|交代|(?:短|長|早|遅|多|少な|広|狭)くな[っり]|広がっ|(?:延|伸)ばし"
    r"|ように(?:なった|なりました)|ことに(?:なった|なりました|した|しました)|今後|これから|今は|現在は|今では"
    r"|書き直し|作り直し|統一した|(?:を|は)(?:やめ|廃止)"
)
# What was there is over.
_OVER = re.compile(
    r"\b(?:no longer(?! than)|not [\w ]{1,30}any ?more|don't [\w ]{1,40}any ?more|cancell?ed|shut down|"
    r"is gone|are gone|has left|have left|left the|retired|was dropped|were dropped|(?:have|we've|i've) dropped|"
    r"discontinued|deprecated|decommissioned|abandoned|phased out|(?:is|are) history|has ended|"
    r"stopped|no more(?! than))\b"
    r"|もう(?!一|少|ひと|すこ)|やめた|やめました|廃止|終了し|終わった|異動し|退職し|使わなくなった|なくなった|(?:過去|昔)の話"
)
# Cue words that stand as content words in a compiled text: they are no scope and no value.
_SPOKEN = re.compile(
    r"^(?:limits?|raise[ds]?|lower(?:ed)?|increase[ds]?|reduced?|mov(?:e|ed)|switch(?:ed)?|migrat(?:e|ed|ion)|replaced?|"
    r"rewrit(?:e|ten)|rewrote|upgraded?|changed?|extended?|shorten(?:ed)?|cancell?ed|gone|left|stopp?(?:ed)?|ended|"
    r"shut|down|bump(?:ed)?|push(?:ed)?|back|forward|brought|half|past|retired|dropped|drop|cut|history|halved|doubled|renamed|since|"
    r"revision|version|look|went|any|anymore|more|longer|again|due|used|deprecated|discontinued|"
    r"変更|変わ.*|移行|移.*|切り?替.*|切.*|替.*|乗り換.*|乗.*|換.*|置き換.*|置.*|緩和|短縮|延長|延.*|増.*|減.*|引.*|上げ.*|下げ.*|"
    r"廃止|終了|終.*|異動|退職|やめ.*|上限|期限|有効期限|担当|送り先|統一|引き継.*|交代|抜.*|短.*|長.*|広.*|過去|話|制限|置き場|書き直.*|書.*|直.*|代わ.*|代.*|なっ.*|今)$"
)


def tells_change(text: str) -> bool:
    """Whether the text says that something is otherwise than before."""
    folded = fold(text)
    return bool(_NOW.search(folded) or _OVER.search(folded))


def tells_end(text: str) -> bool:
    """Whether the text says that something is over."""
    return bool(_OVER.search(fold(text)))


def is_cue_word(surface: str) -> bool:
    """A content word that only speaks of the change."""
    return bool(_SPOKEN.match(surface))
