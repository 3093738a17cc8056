"""Whose voice is it?  Finds the parts of a human message that the person said themselves.

A human message also carries logs, code, letters, other projects' rule files and blocks pasted by
the host (design section 4).  Those parts are cut here, before anything is judged, so that no
wording in them can ever become a memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extractors.rules.forms import cue_form


@dataclass(frozen=True)
class Piece:
    """One line (start, end offsets) of the person's own words.

    `aside` marks a remark between pasted lines: facts are welcome there, rules need more proof.
    """

    start: int
    end: int
    aside: bool


_BLOCK = re.compile(
    r"^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\Z)|^[ \t]*~~~.*?(?:^[ \t]*~~~[ \t]*$|\Z)"
    r"|<([a-zA-Z][\w-]*)(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)"
    r"|^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$.*?(?:^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$|\Z)",
    re.S | re.M,
)
_TIME = r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d{1,2}:\d\d:\d\d"
_LOG_LINE = re.compile(
    r"^\s*(?:"
    r"\[?" + _TIME + r"|\[?\d{4}[-/]\d\d[-/]\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ \d|"
    r"\[[^\]]{1,40}\]\s*\S|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|PANIC|CRITICAL|FAIL(?:ED)?|PASS(?:ED)?|OK)\b|"
    r"(?i:error|warning|fatal|panic|hint|info|remote|debug|caused by|traceback|exception)\b[^:]{0,40}:|"
    r"\S+\.\w{1,5}:\d+|--+ ?[A-Z][a-z]+ ?[A-Z]|\S+: (?:error|warning)\b|[A-Z][a-z]+ Scan |"
    r"[\w./-]+ (?:ERR!|WARN|timing|verb|http)\b|[$%>❯#] ?\S|PS [A-Z]:|\S+@\S+[:~].*[$#]|"
    r"at [\w.$<>]+ ?\(|File \"|E {2,}|[+-]{3} [ab]/|@@ |diff --git|index [0-9a-f]{6,}|"
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD) /|HTTP/\d|[│├└┌┐┘╭╰●•✓✗✔✘×⨯✖┃|]|\d+ (?:passed|failed|errors?|warnings?)\b|"
    r"\d+\s*\|\s|>\s*\d+\s*\||[~^]{3,}|={3,}|-{3,}|\*{3,}|\.{4,}|"
    r"[A-Z][\w.]*(?:Error|Exception|Violation|Warning)\b|"
    r"\w[\w.-]* +\w[\w.-]* +\d+/\d+ "
    r")"
)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |function\b|const |let |var |import |from \w[\w.]* import|return\b|if ?\(|for ?\(|while ?\(|"
    r"public |private |protected |static |async |await |export |package |using |namespace |#include|struct |enum |impl |fn |func |pub |use \w+::|"
    r"SELECT\b|INSERT\b|UPDATE \w+ SET|DELETE FROM|FROM \w+( \w+)?$|WHERE\b|JOIN\b|LEFT JOIN|INNER JOIN|GROUP BY|ORDER BY|LIMIT \d|CREATE |ALTER |DROP |"
    r"//|/\*|\*/|\* |--\s|#!|<\?|</?\w+[^>]*>|@\w+|\}|\{|\]|\)[;,]?$|\w+\s*[:=]\s*[\[{(\"']|\"[\w$-]+\"\s*:|- \w+:\s*$|\w[\w.-]*:\s*$|try:|else\b|elif\b|except\b|"
    r"[A-Z][A-Z0-9_]{2,}\s*=|\w+\s*=\s*\S+$|&&|\|\|)"
    r"|[;{}]\s*$|=>|\);|::\w+\(|^\s*\w+\([^)]*\)\s*[;:{]?$"
)
_QUOTE_LINE = re.compile(r"^\s*(?:>|＞|\|)\s?")
_HEADING = re.compile(r"^\s*#{1,6} \S")
_BULLET = re.compile(r"^\s*(?:[-*+•・‣]|\d+[.)]|[a-zA-Z][.)]|[①-⑳])\s*\S")
_MARKED_ASIDE = re.compile(
    r"^\s*(?:[(（\[【]|※|←|→|↑|↓|<-+|\^+|--+ ?(?=[a-z])|\*+|＊|//+ ?(?:me|note)|#+ ?(?:me|note)|>>+|me:|"
    r"(?:fyi|btw|nb|ps|note(?: from me| to you)?|heads.?up|by the way|for context|side note|aside)\b|"
    r"ちなみに|なお|補足|注[:：]|注意|メモ|余談|参考|私見|あ、|そうそう|追記|（)",
    re.I,
)
# The person announces that what follows is somebody else's text.
_HANDS_OVER = re.compile(
    r"\b(?:mail(?:ed)?|e-?mail(?:ed)?|letter|wrote|writes|sent|posted|forwarded|received|got|says?|said|said so|issue|ticket|pr description|"
    r"comment(?:ed)?|review(?:er)?s?|readme|docs?|page|article|post|spec|thread|slack|memo|minutes|transcript|rules? file|\w+\.(?:md|txt|mdc)|cursorrules|"
    r"template|example|boilerplate|changelog|announcement|newsletter|prompt|output|reply|message|quote|vendor|customer|their|from (?:the|a|another|my|our))\b"
    r"|メール|手紙|届い|来た|送られ|もらった|貰った|受け取|転送|本文|イシュー|issue|チケット|コメント|書き込み|投稿|レビュー|口コミ|記事|資料|文書|仕様書|議事録|引用|別プロジェクト|別の|他の|先方|取引先|"
    r"\.md|\.txt|テンプレ|見本|サンプル|例文|お知らせ|通知|ルールファイル|スレッド|返信|文面|下書き|以下|次の文|こんな|これは|これが|貼り|貼る|コピペ",
    re.I,
)
_ANNOUNCES_OWN = re.compile(
    r"\b(?:context|facts?|notes?|background|things to|heads.?up|fyi|rules|remember|know|summary|decisions?|tour|basics|setup)\b|前提|共有|まとめ|メモ|覚え|補足|背景|決まったこと|決定事項|ルール|事項|お願い",
    re.I,
)


def own_pieces(text: str, cut: tuple[tuple[int, int], ...] = ()) -> list[Piece]:
    """The lines of `text` that the person said, in order; `cut` are offsets already known as foreign."""
    foreign = [(m.start(), m.end()) for m in _BLOCK.finditer(text)] + list(cut)
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]
    kinds = [_line_kind(text[a:b]) for a, b in lines]
    pieces: list[Piece] = []
    pasted = False  # a log, a trace or code has begun
    document = False  # somebody else's prose has begun
    last_end = 0
    for n, (a, b) in enumerate(lines):
        blank_before = text[last_end:a].count("\n") > 1
        last_end = b
        line, kind = text[a:b], kinds[n]
        if any(s < b and a < e for s, e in foreign):
            line, a, b = _outside(text, a, b, foreign)
            if not line.strip():
                continue
        if kind == "quote" or document:
            continue
        if n and pieces and _begins_document(text, pieces, kinds, n, blank_before):
            document = True
            continue
        if kind in ("log", "code", "heading"):
            pasted = True
            continue
        if not pasted:
            pieces.append(Piece(a, b, False))
        elif kind == "prose" and (_MARKED_ASIDE.match(line) or _reads_as_remark(line)):
            pieces.append(Piece(a, b, True))
    return pieces


def _outside(text: str, a: int, b: int, foreign: list[tuple[int, int]]) -> tuple[str, int, int]:
    """What is left of line (a, b) before or after the foreign blocks, the longer end of the two."""
    head = min(s for s, e in foreign if s < b and a < e)
    tail = max(e for s, e in foreign if s < b and a < e)
    if head - a >= b - tail:
        return text[a : max(head, a)], a, max(head, a)
    return text[tail:b], tail, b


def _line_kind(line: str) -> str:
    if _QUOTE_LINE.match(line):
        return "quote"
    if _HEADING.match(line):
        return "heading"
    if _MARKED_ASIDE.match(line) and _wordy(line) and not re.match(r"\s*\[[\w :.-]+\]", line):
        return "prose"
    if _LOG_LINE.match(line):
        return "log"
    if _CODE_LINE.search(line):
        return "code"
    if re.match(r"^(?: {2,}|\t)\S", line) and not _BULLET.match(line):
        return "code"
    return "prose"


def _wordy(line: str) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", line)) >= 4 or len(re.findall(r"[぀-ヿ]", line)) >= 4


_FUNCTION_WORD = re.compile(
    r"\b(?:the|is|are|was|we|our|i|its|it|this|that|because|only|cant|dont|and|of|to|has|have|not|you|my)\b", re.I
)


def _reads_as_remark(line: str) -> bool:
    """Prose among pasted lines counts as a remark only if it is clearly a sentence of a person."""
    if re.search(r"[぀-ヿ]{2,}", line):
        return bool(re.search(r"(?:です|ます|ない|ません|だ|た|い|る|して|よ|ね|？|\?|。)[。!！\s)）]*$", line))
    return len(_FUNCTION_WORD.findall(line)) >= 3 and line.strip()[:1].isalpha()


def _begins_document(
    text: str, pieces: list[Piece], kinds: list[str], n: int, blank_before: bool
) -> bool:
    """Does line `n` open a pasted letter, page or rule file?

    It does after a first paragraph that hands somebody's text over, if a gap, a colon or a heading
    stands between the two.
    """
    intro = " ".join(text[p.start : p.end] for p in pieces)
    form = cue_form(intro)
    ends_open = bool(re.search(r"[:：]\s*$", intro))
    if kinds[n] == "heading":
        return True
    if kinds[n] != "prose" or not (blank_before or ends_open):
        return False
    if _ANNOUNCES_OWN.search(form) and not re.search(r"\b(?:from|their|wrote|sent|mailed)\b|届い|取引先|先方|別プロ", form):
        return False
    return bool(_HANDS_OVER.search(form))
