"""Files as people's programs write them, as UTF-8. Pure, standard library only.

Windows shells write redirected output as UTF-16, with its mark or, from some programs, without.
"""

from __future__ import annotations

import codecs

_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SAMPLE = 4_000  # bytes
_KANA = range(0x3041, 0x30FF)


def as_utf8(data: bytes) -> bytes:
    """UTF-16 re-coded, everything else unchanged; so is what only looks like UTF-16 and cannot be decoded."""
    name = _MARKS.get(data[:2]) or _unmarked(data)
    if not name:
        return data
    try:
        return data.decode(name).removeprefix("\ufeff").encode()
    except UnicodeError:
        return data


def _unmarked(data: bytes) -> str:
    """UTF-16 without its mark: ASCII in it, such as quotes and line ends, has its NULs on one side.

    A few on the other side are ideographic spaces.
    """
    head = data[:_SAMPLE]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(data) % 2 or max(even, odd) < 4 or min(even, odd) * 4 > max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def likely_encoding(data: bytes) -> str:
    """What a text that is not UTF-8 was probably written in: ``UTF-16`` or ``Shift_JIS``; "" where nothing tells.

    Shift_JIS is told by its kana: nearly any bytes are some kanji in it, Latin-1 with accents, too.
    """
    if data[:2] in _MARKS or _unmarked(data):
        return "UTF-16"
    start = next((at for at, byte in enumerate(data[:1_000_000]) if byte > 0x7F), 0)
    try:
        said = codecs.getincrementaldecoder("cp932")().decode(data[start : start + _SAMPLE])
    except UnicodeError:
        return ""
    return "Shift_JIS" if sum(ord(letter) in _KANA for letter in said) >= 2 else ""
