"""Numbers, versions, times and their units in both languages, as values that can be compared.

A number is never part of a paraphrase: another value, unit or bound makes another memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_UNITS = {
    "ms": "ms milliseconds millisecond msec ミリ秒",
    "second": "seconds second secs sec s 秒間 秒",
    "minute": "minutes minute mins min m 分間 分",
    "hour": "hours hour hrs hr h 時間",
    "day": "days day d 日間 日",
    "week": "weeks week w 週間 週",
    "month": "months month か月間 ヶ月間 か月 ヶ月 カ月 ケ月 箇月",
    "year": "years year yrs 年間 年",
    "time": "times time 回",
    "person": "people persons person reviewers reviewer approvals approval approvers approver 人 名",
    "line": "lines line 行",
    "char": "characters character chars char letters 文字",
    "kb": "kb kib キロバイト",
    "mb": "mb mib メガバイト",
    "gb": "gb gib ギガバイト",
    "tb": "tb tib テラバイト",
    "percent": "% percent パーセント 割",
    "fold": "x 倍",
    "yen": "yen jpy 円",
    "dollar": "dollars dollar usd ドル",
    "euro": "euros euro eur ユーロ",
    "point": "points point pt pts ポイント",
    "px": "px pixels pixel ピクセル",
    "": "個 件 つ 番目 番 並列 台 本 枚 系 版 点 項目 種類 段階",
}
_UNIT_OF = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}
_LATIN_UNITS = "|".join(sorted((re.escape(f) for f in _UNIT_OF if f.isascii()), key=len, reverse=True))
_JAPANESE_UNITS = "|".join(sorted((f for f in _UNIT_OF if not f.isascii()), key=len, reverse=True))
_COUNTED = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_WORDS = {
    **{word: n for n, word in enumerate(_COUNTED)},
    "once": 1, "twice": 2, "thrice": 3, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
    "ひとつ": 1, "ふたつ": 2, "みっつ": 3, "ひとり": 1, "ふたり": 2,
}  # fmt: skip
_KANJI = {k: n for n, k in enumerate("〇一二三四五六七八九")}
_TENS = {"十": 10, "百": 100, "千": 1000}
_SCALE = {"k": 1000, "千": 1000, "万": 10_000, "億": 100_000_000}
_COUNTER = r"(?:回|人|名|件|日|時間|時|分|秒|個|行|年|か月|ヶ月|週|文字|つ|倍|割|台|本|枚|種類|段階|円|ドル)"
_CLOCK = re.compile(
    r"(?P<ja>午前|午後|朝|夜|夕方)?\s*(?:(?<![\d.])(?P<h>\d{1,2}):(?P<m>\d\d)(?::\d\d)?(?!\d)\s*(?P<ap>[ap]\.?m\b\.?)?"
    r"|(?<![\d.])(?P<h2>\d{1,2})\s*(?P<ap2>[ap]\.?m\b\.?)"
    r"|(?<![\d.])(?P<h3>\d{1,2})時(?!間|点)(?:(?P<half>半)|(?P<m3>\d{1,2})分)?)"
)
_DATE = re.compile(r"(?<!\d)(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|(\d{4}年)?(\d{1,2})月(\d{1,2})日)")
_NUMBER = re.compile(
    rf"(?<![a-z0-9_.])(?P<v>v|ver\.?\s?)?(?P<n>[-+]?\d[\d,]*(?:\.\d+|\.x)*)(?P<scale>k(?![a-z])|[千万億])?"
    rf"(?:[\s-]?(?P<lu>{_LATIN_UNITS})(?![a-z])|\s?(?P<ju>{_JAPANESE_UNITS}))?"
    rf"|(?<![a-z])(?P<w>{'|'.join(w for w in _WORDS if w.isascii())})(?![a-z])(?:[\s-](?P<wu>{_LATIN_UNITS})(?![a-z]))?"
    rf"|(?P<jw>{'|'.join(w for w in _WORDS if not w.isascii())})"
    rf"|(?:(?<![一-龥])|(?<=[朝晩夜昼日週月年度本枚個件人]))(?P<k>[一二三四五六七八九十百千万億]+)(?P<ku>{_COUNTER})(?!曜|目線|度)"
)
_MOST = (
    r"(?:at most|up to|no more than|no longer than|not more than|not longer than|under|below|less than|fewer than"
    r"|shorter than|within|maximum of|maximum|max|limited to|capped at|not exceed|<=?|最大で?|最長で?|上限は?)"
)
_LEAST = (
    r"(?:at least|no less than|no fewer than|minimum of|minimum|min|over|above|more than|longer than|greater than"
    r"|exceeds?|>=?|最低でも|最低|最小で?|少なくとも)"
)
_BEFORE = re.compile(
    rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<from>after|from|starting at))\s*:?\s*(?:of |a )?$"
)
_AFTER = re.compile(
    r"\s*(?:(?P<most>or less|or fewer|or below|or under|max\b|maximum|以内|以下|未満|まで|が上限|を上限"
    r"|を(?:超|越|上回)(?:えない|らない|えては))"
    r"|(?P<least>or more|or later|or newer|or above|or higher|or greater|and up|minimum|\+|以上|以降|超|を超え|を上回"
    r"|より多|より大き)|(?P<from>後(?:に|の|で)?|から|later\b)|(?P<before>前(?:に|の|まで|から)?|ago\b|earlier\b))"
)
_BOUNDS = {"most": "max", "least": "min", "from": "from", "before": "before"}


@dataclass(frozen=True)
class Number:
    """`value` in a canonical spelling ("3.11", "10000", "16:00"), `unit` ("" = none), `bound`: "max" (at most), "min"
    (at least), "from" (after, から), "before" (3日前) or ""."""

    value: str
    unit: str
    bound: str
    start: int
    end: int

    @property
    def key(self) -> tuple[str, str]:
        return self.value, self.unit

    def __str__(self) -> str:
        return f"{self.value} {self.unit}".strip()


def _kanji_value(text: str) -> int:
    total = 0
    for mark in ("億", "万"):
        head, found, rest = text.partition(mark)
        if found:
            total, text = total + (_below_myriad(head) or 1) * _SCALE[mark], rest
    return total + _below_myriad(text)


def _below_myriad(text: str) -> int:
    total = current = 0
    for ch in text:
        if ch in _KANJI:
            current = current * 10 + _KANJI[ch]
        else:
            total += (current or 1) * _TENS[ch]
            current = 0
    return total + current


def _plain(digits: str, scale: str | None) -> str:
    """Digits without separators; versions (two dots, or a trailing zero as in 3.10) keep their spelling."""
    digits = digits.rstrip(",").replace(",", "").lstrip("+")
    if not scale:
        return digits.removesuffix(".x")
    try:
        return format((Decimal(digits) * _SCALE[scale]).quantize(Decimal(1)), "f")
    except InvalidOperation:  # "1.2.3k" is no number we know
        return digits + scale


def _clock(m: re.Match[str]) -> str:
    hour = int(m["h"] or m["h2"] or m["h3"])
    minute = int(m["m"] or m["m3"] or (30 if m["half"] else 0))
    late = (m["ap"] or m["ap2"] or "").startswith("p") or m["ja"] in ("午後", "夜", "夕方")
    return f"{hour + 12 if late and hour < 12 else hour}:{minute:02}"


def _bounded(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The bound written around a number, and the span that includes those words."""
    before, after = _BEFORE.search(text, max(0, start - 24), start), _AFTER.match(text, end)
    bound = ""
    for m in (before, after):
        if m:
            bound = next(name for group, name in _BOUNDS.items() if m.groupdict().get(group))
            start, end = min(start, m.start()), max(end, m.end())
    return bound, start, end


def numbers(text: str) -> list[Number]:
    """Numbers of a folded text (`core.text.fold`) in reading order, without overlap; offsets are into `text`."""
    found: list[Number] = []
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return all(end <= s or start >= e for s, e in taken)

    def note(value: str, unit: str, start: int, end: int) -> None:
        bound, outer_start, outer_end = _bounded(text, start, end)
        taken.append((outer_start, outer_end))
        found.append(Number(value, unit, bound, outer_start, outer_end))

    for m in _DATE.finditer(text):
        value = f"{int(m[2])}/{int(m[3])}" if m[2] else m.group().replace("/", "-")
        note(f"{m[1]}{value}" if m[1] else value, "date", *m.span())
    for m in _CLOCK.finditer(text):
        if free(*m.span()):
            note(_clock(m), "clock", *m.span())
    for m in _NUMBER.finditer(text):
        if not free(*m.span()):
            continue
        if m["n"]:
            note(_plain(m["n"], m["scale"]), _UNIT_OF.get(m["lu"] or m["ju"] or "", ""), *m.span())
        elif m["w"]:
            unit = "time" if m["w"] in ("once", "twice", "thrice") else _UNIT_OF.get(m["wu"] or "", "")
            note(str(_WORDS[m["w"]]), unit, *m.span())
        elif m["jw"]:
            note(str(_WORDS[m["jw"]]), "person" if m["jw"].endswith("り") else "", *m.span())
        else:
            unit = "clock" if m["ku"] == "時" else _UNIT_OF.get(m["ku"], "")
            value = str(_kanji_value(m["k"]))
            note(f"{value}:00" if unit == "clock" else value, unit, *m.span())
    return sorted(found, key=lambda number: number.start)
