"""The folded form that cues are matched on.

People type "dont", "don't" and "don’t", full-width letters and half-width kana.  Cue tables would
triple in size if each had to know that, so text is folded once: NFKC, lower case, contractions
without apostrophes.  Offsets are lost here on purpose; spans are always taken from the original.
"""

from __future__ import annotations

import re
import unicodedata

# What may stand around words.  `\\W` would not do: in ASCII mode it also swallows Japanese.
MARK = (
    r"[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\uff01-"
    r"\uff0f\uff1a-\uff20\U0001f300-\U0001faff]"
)


def cue(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a cue: word boundaries see Latin words only, so that they also hold inside Japanese."""
    return re.compile(pattern.replace(r"\W", MARK), re.ASCII | flags)


_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "〜": "~"})
_EXPAND = (
    (re.compile(r"\b(we|you|they)'ll\b"), r"\1 will"),
    (re.compile(r"\b(we|you|they)'re\b"), r"\1 are"),
    (re.compile(r"\b(we|you|they)'ve\b"), r"\1 have"),
    # "well keep it", "were sticking with": the apostrophe is often left out where a verb follows.
    (
        re.compile(
            r"\bwell (?=(?:not |just |only |never |always )?(?:keep|use|stay|stick|go|drop|run|"
            r"ship|host|adopt|move|switch|store|skip|leave|stop|build|write|do|have|need)\b)"
        ),
        "we will ",
    ),
    (
        re.compile(
            r"\bwere (?=(?:not |now |just )?(?:going|keeping|using|sticking|staying|dropping|"
            r"moving|switching|running|standardi[sz]ing|adopting|hosting|doing)\b)"
        ),
        "we are ",
    ),
    (re.compile(r"(?<=[a-z])'(?=[a-z]{1,2}\b)"), ""),
)
# Words inside quotation marks or back-ticks are mentioned, not said: no cue may fire on them.
_QUOTED = re.compile(r"「[^」\n]{9,}」|『[^』\n]{9,}』|\"[^\"\n]{14,}\"|(?<![a-z])'[^'\n]{14,}'(?![a-z])")
_CODE = re.compile(r"`[^`\n]+`")
_URL = re.compile(r"https?://\S+")


def cue_form(text: str) -> str:
    """Fold `text` for cue matching; quoted passages, code and URLs become neutral placeholders."""
    s = unicodedata.normalize("NFKC", text).translate(_QUOTES).lower()
    s = _CODE.sub(" codeitem_x ", s)
    s = _URL.sub(" urlitem_x ", s)
    s = _QUOTED.sub(" quoteditem ", s)
    for pattern, to in _EXPAND:
        s = pattern.sub(to, s)
    return re.sub(r"\s+", " ", s).strip()


_KANA = re.compile(r"[぀-ヿ]")
_CJK = re.compile(r"[぀-ヿ㐀-鿿]")


def is_japanese(text: str) -> bool:
    """True when the sentence is built in Japanese, whatever Latin terms it carries."""
    if not _KANA.search(text):
        return len(_CJK.findall(text)) * 3 > len(text.strip())
    return len(_CJK.findall(text)) * 6 >= len(re.sub(r"\s", "", text))


def columns(text: str) -> int:
    """Display width; full-width characters count two (the limit of a content is in columns)."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
