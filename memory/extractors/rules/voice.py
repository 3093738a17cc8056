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
    r"/\*.*?(?:\*/|\Z)|\"{3}.*?(?:\"{3}|\Z)|\(\*.*?\*\)|\{-.*?-\}|"
    r"^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\Z)|^[ \t]*~~~.*?(?:^[ \t]*~~~[ \t]*$|\Z)"
    r"|<([a-zA-Z][\w-]*)(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)"
    r"|^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$.*?(?:^(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$|\Z)",
    re.S | re.M,
)
_TIME = r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d{1,2}:\d\d:\d\d"
_LOG_LINE = re.compile(
    r"^\s*(?:"
    r"\[?" + _TIME + r"|\[?\d{4}[-/]\d\d[-/]\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ \d|"
    r"[\[［][^\]］]{1,40}[\]］]\s*\S|[\w.-]+=\S+(?:\s|$)|[\w./-]+ \| |\[?(?:INFO|"
    r"WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|PANIC|CRITICAL|FAIL(?:ED)?|PASS(?:ED)?|"
    r"OK)\b|"
    r"(?i:error|warning|fatal|panic|hint|info|remote|debug|caused by|traceback|exception)\b[^:]{0,40}:|"
    r"\S+\.\w{1,5}:\d+|--+ ?[A-Z][a-z]+ ?[A-Z]|\S+: (?:error|warning)\b|[A-Z][a-z]+ Scan |"
    r"[\w./-]+ (?:ERR!|WARN|timing|verb|http)\b|[$%>❯#] ?\S|PS [A-Z]:|\S+@\S+[:~].*[$#]|"
    r"at [\w.$<>]+ ?\(|File \"|E {2,}|[+-]{3} [ab]/|@@ |diff --git|index [0-9a-f]{6,}|"
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD) /|HTTP/\d|[│├└┌┐┘╭╰●•✓✗✔✘×⨯✖┃|]|"
    r"\d+ (?:passed|failed|errors?|warnings?)\b|"
    r"[\w:.]+ \S+ \.{3} ?\w+$|(?:step|epoch|iter(?:ation)?|frame|batch|tick|round) ?\d+\b|"
    r"\d+\s*\|\s|>\s*\d+\s*\||[~^]{3,}|={3,}|-{3,}|\*{3,}|\.{4,}|"
    r"[A-Z][\w.]*(?:Error|Exception|Violation|Warning)\b|"
    r"\w[\w.-]* +\w[\w.-]* +\d+/\d+ "
    r")"
)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |function\b|const |let |var |import |from \w[\w.]* import|return\b|"
    r"if ?\(|for ?\(|while ?\(|"
    r"public |private |protected |static |async |await |export |package |using |namespace |"
    r"#include|struct |enum |impl |fn |func |pub |use \w+::|"
    r"SELECT\b|INSERT\b|UPDATE \w+ SET|DELETE FROM|FROM \w+( \w+)?$|WHERE\b|JOIN\b|LEFT JOIN|"
    r"INNER JOIN|GROUP BY|ORDER BY|LIMIT \d|CREATE |ALTER |DROP |"
    r"//|/\*|\*/|\* |--\s|#!|<\?|</?\w+[^>]*>|@\w+|\}|\{|\]|\)[;,]?$|\w+\s*[:=]\s*[\[{(\"']|"
    r"\"[\w$-]+\"\s*:|- \w+:\s*$|\w[\w.-]*:\s*$|try:|else\b|elif\b|except\b|"
    r"[A-Z][A-Z0-9_]{2,}\s*=|\w+\s*=\s*\S+$|&&|\|\|)"
    r"|[;{}]\s*$|=>|\);|::\w+\(|^\s*\w+\([^)]*\)\s*[;:{]?$"
)
_QUOTE_LINE = re.compile(r"^\s*(?:(?:>|＞|\|)\s?|[\"“「『].{16,}[\"”」』][。.]?\s*$)")
_HEADING = re.compile(r"^\s*#{1,6} \S")
_BULLET = re.compile(r"^\s*(?:[-*+•・‣]|\d+[.)]|[a-zA-Z][.)]|[①-⑳])\s*\S")
_MARKED_ASIDE = re.compile(
    r"^\s*(?:[(（\[【]|※|←|→|↑|↓|<-+|\^+|--+ ?(?=[a-z])|\*+|＊|//+ ?(?:me|note)|"
    r"#+ ?(?:me|note)|>>+|me:|"
    r"(?:fyi|btw|nb|ps|note(?: from me| to you)?|heads.?up|by the way|for context|side note|aside)\b|"
    r"ちなみに|なお|補足|注[:：]|注意|メモ|余談|参考|私見|あ、|そうそう|追記|（)",
    re.I,
)
# Marks that only a person sets, even inside pasted code.
_STRONG_ASIDE = re.compile(
    r"^\s*(?:[(（]?\s*(?:fyi|btw|by the way|note from me|my note|side note|me:|heads.?up)\b|"
    r"[(（]\s*(?=[a-z]+ [a-z]+ )|--+ ?(?:note from me|me)\b|※|←|↑|↓|<-{1,2} |\^{1,3} |"
    r"[(（【]?(?:ちなみに|補足|注[:：]|余談|私見)|[(（](?=[ぁ-ん一-鿿ァ-ヶ]))",
    re.I,
)
# The person announces that what follows is somebody else's text.
_HANDS_OVER = re.compile(
    r"\b(?:mail(?:ed)?|e-?mail(?:ed)?|letter|wrote|writes|sent|posted|forwarded|received|got|"
    r"says?|said|said so|issue|ticket|pr description|"
    r"comment(?:ed)?|review(?:er)?s?|readme|docs?|page|article|post|spec|thread|slack|memo|"
    r"minutes|transcript|rules? file|\w+\.(?:md|txt|mdc)|cursorrules|"
    r"template|example|boilerplate|changelog|announcement|newsletter|prompt|output|reply|"
    r"message|quote|vendor|customer|their|from (?:the|a|another|my|our))\b"
    r"|メール|手紙|届い|来た|送られ|もらった|貰った|受け取|転送|本文|イシュー|issue|チケット|"
    r"コメント|書き込み|投稿|レビュー|口コミ|記事|資料|文書|仕様書|議事録|引用|"
    r"別プロジェクト|別の|他の|先方|取引先|"
    r"\.md|\.txt|テンプレ|見本|サンプル|例文|お知らせ|通知|ルールファイル|スレッド|返信|文面|"
    r"下書き|以下|次の文|こんな|これは|これが|貼り|貼る|コピペ",
    re.I,
)
_ANNOUNCES_OWN = re.compile(
    r"\b(?:context|facts?|notes?|background|things to|heads.?up|fyi|rules|remember|know|"
    r"summary|decisions?|tour|basics|setup)\b|前提|共有|まとめ|メモ|覚え|補足|背景|"
    r"決まったこと|決定事項|ルール|事項|お願い",
    re.I,
)


# A line that calls a client's command ("/plan SPEC-21 what is left") orders; "/tmp is wiped at boot" states.
_COMMAND = re.compile(
    r"\s*/[a-z][\w:.-]*(?=\s|$)(?! (?:is|are|was|were|must|should|has|holds|stays|contains|needs|lives)\b)[^\n]*",
    re.A,
)


def own_pieces(text: str, cut: tuple[tuple[int, int], ...] = ()) -> list[Piece]:
    """The lines of `text` that the person said, in order; `cut` are offsets already known as foreign."""
    foreign = [(m.start(), m.end()) for m in _BLOCK.finditer(text)] + list(cut)
    if command := _COMMAND.match(text):
        foreign.append(command.span())
    pieces: list[Piece] = []
    japanese = False
    for block in _blocks(text, foreign):
        kinds = [_line_kind(text[a:b], bool(pieces), japanese) for a, b in block]
        if pieces and _begins_document(text, pieces, kinds[0], block[0][0]):
            break
        code = kinds.count("code") >= kinds.count("log")
        mostly_pasted = 2 * sum(k != "prose" for k in kinds) >= len(kinds)
        pasted = False
        for n, ((a, b), kind) in enumerate(zip(block, kinds, strict=True)):
            line = text[a:b]
            if kind == "heading" and (n or pieces):
                return pieces
            if (
                kind == "code"
                and not code
                and re.match(r"^\s*(?:#|//) ?\S", line)
                and _reads_as_remark(line.lstrip(" #/"))
            ):
                # A comment typed into a terminal log is the person's note; inside code it is not.
                pieces.append(Piece(a, b, True))
            elif kind != "prose":
                pasted = pasted or kind != "quote"
            elif not pasted and not (pieces and mostly_pasted):
                if pieces and n and _ends_open(text, pieces) and _hands_over(text, pieces):
                    return pieces
                # After a paste, a paragraph has to read as a sentence of a person to count as one.
                if (
                    not pieces
                    or not any(_pasted(text, p.end, a) for p in pieces[-1:])
                    or _reads_as_remark(line)
                ):
                    pieces.append(Piece(a, b, False))
                    japanese = japanese or bool(re.search(r"[぀-ヿ]", line))
            elif _STRONG_ASIDE.match(line) or (
                not code and (_MARKED_ASIDE.match(line) or _reads_as_remark(line))
            ):
                pieces.append(Piece(a, b, True))
    return [_up_to_citation(text, p) for p in pieces]


def _blocks(text: str, foreign: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Runs of lines without a blank line between, foreign blocks taken out."""
    blocks: list[list[tuple[int, int]]] = [[]]
    last = 0
    for m in re.finditer(r"[^\n]+", text):
        a, b = m.start(), m.end()
        if text[last:a].count("\n") > 1 and blocks[-1]:
            blocks.append([])
        last = b
        if any(s < b and a < e for s, e in foreign):
            _, a, b = _outside(text, a, b, foreign)
        if text[a:b].strip():
            blocks[-1].append((a, b))
    return [block for block in blocks if block]


def _pasted(text: str, start: int, end: int) -> bool:
    """Were lines left out between two own pieces?"""
    return bool(text[start:end].strip())


# "… wrote: from now on …": what follows the colon is not this person's statement.
_CITES = re.compile(
    r"\b(?:wrote|writes|says?|said|e?mailed|posted|answered|replied|claims?|asks|told (?:me|"
    r"us)|(?:mail|letter|ticket|issue|comment|review|page|readme|article|post|log|error|"
    r"message|banner|readme|doc)s? (?:is|was|reads|states|goes))\b[^:：.。]{0,30}[:：]\s"
    r"|(?:って|と)?(?:書いてあ|書かれて|言って|言われ|届い|来)(?:る|た|ました|ます|"
    r"て)[^:：。]{0,8}[:：]\s?",
    re.I | re.A,
)


def _up_to_citation(text: str, piece: Piece) -> Piece:
    m = _CITES.search(text, piece.start, piece.end)
    return Piece(piece.start, m.end(), piece.aside) if m else piece


def _outside(text: str, a: int, b: int, foreign: list[tuple[int, int]]) -> tuple[str, int, int]:
    """What is left of line (a, b) before or after the foreign blocks, the longer end of the two."""
    head = min(s for s, e in foreign if s < b and a < e)
    tail = max(e for s, e in foreign if s < b and a < e)
    if head - a >= b - tail:
        return text[a : max(head, a)], a, max(head, a)
    return text[tail:b], tail, b


_TOOL_PREFIX = re.compile(
    r"^\s*(?!(?:note|fyi|btw|ps|nb|context|background|remember|rule|decision|reminder|todo|"
    r"summary|also|heads-?up|me|update|edit|important|"
    r"fact)\b)[A-Za-z][\w./-]{1,24}(?:\[\d+\])?: +(?=[\[\"'a-z0-9/])",
    re.I,
)
_GAPS = re.compile(r"\S {2,}\S.* {2,}\S|\t\S|(?:[^,\s]+,){3,}\S|\S\s*\|\s*\S.*\|")
_COMMENT = re.compile(r"^\s*(?:#(?!\w)|//|/\*|\*\s|\*/|--\s|;+\s|%+\s|<!--|REM\b|\"{3}|'{3}|\(\*)", re.A)


def _line_kind(line: str, later: bool, japanese: bool) -> str:
    """prose | quote | heading | log | code.  `later` lines follow own words, in Japanese or not."""
    if _QUOTE_LINE.match(line):
        return "quote"
    if _STRONG_ASIDE.match(line) and _wordy(line):
        return "prose"
    if _HEADING.match(line):
        return (
            "heading"
            if not later or re.match(r"^\s*#{1,6} [A-Z\u3040-\u9fff][^.:。]{0,50}$", line)
            else "code"
        )
    if _COMMENT.match(line):
        return "code"
    if _MARKED_ASIDE.match(line) and _wordy(line) and not re.match(r"\s*\[[\w :.,/-]+\]", line):
        return "prose"
    if _LOG_LINE.match(line):
        return "log"
    if len(re.findall(r"[぀-ヿ]", line)) >= 8 and not re.match(r"^\s|.*[;{}]\s*$", line):
        return "prose"
    if _CODE_LINE.search(line):
        return "code"
    if later and (_TOOL_PREFIX.match(line) or _GAPS.search(line.strip())):
        return "log"
    if later and japanese and not re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", line) and len(line.split()) > 2:
        return "log"
    if re.match(r"^(?: {2,}|\t)\S", line) and not _BULLET.match(line):
        return "code"
    if later and _symbols(line) > 0.16 and len(_FUNCTION_WORD.findall(line)) < 3:
        return "code"
    return "prose"


def _symbols(line: str) -> float:
    """Share of characters that prose rarely has."""
    return len(re.findall(r"[=<>{}\[\]|\\$&^%@~*+;_0-9]", line)) / max(1, len(line.strip()))


def _wordy(line: str) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", line)) >= 4 or len(re.findall(r"[぀-ヿ]", line)) >= 4


_FUNCTION_WORD = re.compile(
    r"\b(?:the|is|are|was|we|our|i|its|it|this|that|because|only|cant|dont|and|of|to|has|"
    r"have|not|you|my)\b",
    re.I,
)


def _reads_as_remark(line: str) -> bool:
    """Prose among pasted lines counts as a remark only if it is clearly a sentence of a person."""
    if len(re.findall(r"[぀-ヿ]", line)) >= 6:
        return True
    if re.search(r"[぀-ヿ]{2,}", line):
        return bool(
            re.search(r"(?:です|ます|ない|ません|だ|た|い|る|して|よ|ね|？|\?|。)[。!！\s)）]*$", line)
        )
    return len(_FUNCTION_WORD.findall(line)) >= 3 and line.strip()[:1].isalpha()


def _begins_document(text: str, pieces: list[Piece], kind: str, at: int) -> bool:
    """Does a new paragraph open a pasted letter, page or rule file?

    It does if what was said so far hands somebody's text over and is not followed by own marks.
    """
    if kind == "heading":
        return True
    line = text[at : at + 60]
    if kind != "prose" or _STRONG_ASIDE.match(line) or _GOES_ON.match(line):
        return False
    return _hands_over(text, pieces) or _asks_about(text, pieces)


# The person's next paragraph usually says that it adds something.
_GOES_ON = re.compile(
    r"^\s*(?:also|and|but|btw|fyi|ps|note|oh|one more|another|by the way|anyway|so|then|ok|"
    r"next|remember|please|pls|from now|i|we|our|thanks|thx)\b|^\s*(?:あと|それと|ちなみに|"
    r"なお|補足|また|次|では|じゃあ|うち|今後|覚え|お願い)",
    re.I | re.A,
)
_ASKS = re.compile(
    r"[?？]|\b(?:this|these|below|it|following|summari[sz]e|review|explain|translate|check|"
    r"read|proofread|ideas|help|why|what|how)\b|これ|この|ここ|以下|要点|要約|教えて|見て|"
    r"直して|確認|判定|返事|どう|なんで|なぜ",
    re.I | re.A,
)


def _asks_about(text: str, pieces: list[Piece]) -> bool:
    """A request, a question or a few words on top of a paragraph: the paragraph is their object."""
    said = " ".join(text[p.start : p.end] for p in pieces)
    if _ANNOUNCES_OWN.search(cue_form(said)):
        return False
    brief = len(re.findall(r"[぀-鿿]", said)) <= 15 if re.search(r"[぀-ヿ]", said) else len(said.split()) <= 5
    return brief or bool(_ASKS.search(said))


def _ends_open(text: str, pieces: list[Piece]) -> bool:
    return bool(re.search(r"[:：]\s*$", text[pieces[-1].start : pieces[-1].end]))


def _hands_over(text: str, pieces: list[Piece]) -> bool:
    form = cue_form(" ".join(text[p.start : p.end] for p in pieces))
    if _ANNOUNCES_OWN.search(form) and not _OTHERS.search(form):
        return False
    return bool(_HANDS_OVER.search(form))


_OTHERS = re.compile(
    r"\b(?:from (?:a|the|our|my|another)|their|wrote|sent|mailed|posted|forwarded|vendor|"
    r"customer|client|reviewer|someone)\b|届い|取引先|先方|別プロ|別の|他の|転送|お客|業者",
    re.A,
)
