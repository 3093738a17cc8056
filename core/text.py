"""Text primitives that every room shares (design sections 2, 4 and 6).

Standard library only, as is `core.english` beside it, and fit for Python 3.9, where a client may run it. All functions
are pure and deterministic across processes and machines; their results are stored (hashes, terms, fingerprints), so a
change of behaviour needs a re-index.

Lengths and offsets count code points of the string that was passed in, never bytes and never the folded text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from itertools import compress
from typing import Callable

from core.english import STOP_WORDS as STOP_WORDS
from core.english import stem as stem

# Character classes, written as the inside of a [...] set.
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CJK = _KANA + _HAN + "\uac00-\ud7a3"
# Marks that continue a letter but are no "word character" for `re`: accents, voiced sound marks, Indic and Thai vowels.
_MARKS = "\u0300-\u036f\u3099\u309a\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"

# --- Cleaning, folding, hashing


def clean(s: str) -> str:
    """Return `s` unchanged if it can be stored; raise ValueError naming the first character that cannot.

    PostgreSQL refuses NUL and UTF-8 has no lone surrogates. Nothing is normalised: quotes must stay verbatim.
    """
    for i, ch in enumerate(s) if _UNSTORABLE.search(s) else ():
        if ch == "\0":
            raise ValueError(f"text contains a NUL character (U+0000) at position {i}")
        if "\ud800" <= ch <= "\udfff":
            raise ValueError(f"text contains a lone surrogate (U+{ord(ch):04X}) at position {i}")
    return s


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# Zero-width characters, bidi controls, soft hyphen, variation selectors: they must not make two texts differ.
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+")
_TYPOGRAPHIC = {
    **dict.fromkeys(map(ord, "‘’‚‛′´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−⁃"), "-"),
    **dict.fromkeys(map(ord, "〜∼"), "~"),
}
_HAS_TYPOGRAPHIC = re.compile("[" + "".join(map(chr, _TYPOGRAPHIC)) + "]")
_HAS_ODD = re.compile(f"{_HAS_TYPOGRAPHIC.pattern}|{_INVISIBLE.pattern}")


def fold(s: str) -> str:
    """Fold what readers do not distinguish: width (NFKC), case, quotes, dashes, whitespace runs, invisible characters.

    Idempotent. Words, punctuation and their order survive.
    """
    if not s.isascii():
        return " ".join(_fold_characters(s).split())
    return " ".join(s.casefold().split())


def _fold_characters(s: str) -> str:
    s = _INVISIBLE.sub("", s)
    if _HAS_TYPOGRAPHIC.search(
        s
    ):  # before NFKC, which would turn an acute accent into a space and a combining mark
        s = s.translate(_TYPOGRAPHIC)
    while True:  # case folding may undo NFKC and the other way round; two rounds are the norm
        s = unicodedata.normalize("NFKC", s).casefold()
        if _HAS_TYPOGRAPHIC.search(s):
            s = s.translate(_TYPOGRAPHIC)
        if unicodedata.is_normalized("NFKC", s) and s.casefold() == s:
            return s


_LATIN = f"[^\\W{_CJK}]"
# Leading Markdown of a line: quote, heading, bullet, check box, number.
_LINE_DECORATION = re.compile(
    r"^[ \t\u3000]*(?:(?:>|#{1,6}|[-*+・•●■◆]|\d{1,2}[.)])[ \t\u3000]+(?:\[[ xX]\][ \t]+)?)+", re.M
)
_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n`]*$", re.M)
_EM_DASH = re.compile("[—―]+|(?<=\\w)--+(?=\\w)")
_UNDERSCORED = re.compile(rf"(?<!\w)(_{{1,2}})(?=[^\W_])([^_\n]{{1,200}})(?<=[^\W_])\1(?![\w{_MARKS}])")
_COMPARISONS = {ord("≠"): "!=", ord("≤"): "<=", ord("≥"): ">=", ord("≦"): "<=", ord("≧"): ">="}
_THOUSANDS = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")
# What normal_form keeps: words with their inner joints (gen-itgc, 3.11, std::vector), a prefix that changes the meaning
# (-1, ~2, .env, #12, @scope, /etc), c++ and c#, percent, currency, comparisons, and marks that say "no".
_KEPT = re.compile(
    rf"""(?:(?<![!-~])-(?=\d) | [~^](?=\d) | [<>]\s?(?=\d) | (?<![!-~])[.#@$/](?={_LATIN}))?
         \w[\w{_MARKS}]* (?:(?<={_LATIN})(?:[.\-/:@'&=~\\+]|::|://)(?={_LATIN})[\w{_MARKS}]+)*
         (?:(?<=[a-z])(?:\+{{1,2}}|\#)(?!{_LATIN}|[+\#]) | (?<=\d)\s?%)?
       | [¥£€₩] | [!=<>]= | [❌×✕✖✗✘🚫⛔👎]""",
    re.X,
)
_CJK_SPACE = re.compile(f"(?<=[{_CJK}]) | (?=[{_CJK}])")
# A final ー after two or more katakana; written so that the search jumps from ー to ー.
_TRAILING_LONG_VOWEL = re.compile("ー(?<=[ァ-ヺー][ァ-ヺ]ー)ー*(?![ァ-ヺー])")


def normal_form(s: str) -> str:
    """What duplicates share: fold, without punctuation, decoration, spaces beside CJK, or a final long-vowel mark.

    Numbers, versions, identifiers, signs, comparisons and negations survive, so `3.11`, `3.12`, `-1`, `C#` and
    `使わない` stay apart. Katakana words of three or more characters lose a trailing ー (マネージャー = マネージャ).
    Idempotent.
    """
    before = None
    while s != before:  # what one pass removes may join what the next one knows; two passes are the norm
        before, s = s, _without_decoration(s)
    return s


def _without_decoration(s: str) -> str:
    s = _LINE_DECORATION.sub("", _FENCE_LINE.sub(" ", s))
    s = _UNDERSCORED.sub(r"\2", fold(_EM_DASH.sub(" ", s)).translate(_COMPARISONS))
    s = _THOUSANDS.sub(lambda m: m.group().replace(",", ""), s)
    s = " ".join(m.group().replace(" ", "") for m in _KEPT.finditer(s))
    return _TRAILING_LONG_VOWEL.sub("", _CJK_SPACE.sub("", s))


def normal_hash(s: str) -> str:
    """SHA-256 (hex) of `normal_form(s)`."""
    return sha256(normal_form(s))


def sha256(s: str) -> str:
    """SHA-256 (hex) of the UTF-8 of `s`; ValueError (UnicodeEncodeError) on lone surrogates."""
    return hashlib.sha256(s.encode()).hexdigest()


# --- Measures


def tokens(s: str) -> int:
    """The one token estimate (design section 6): ASCII characters ÷ 4 rounded up, plus one per other character."""
    ascii_count = len(s) if s.isascii() else len(s.encode("ascii", "ignore"))
    return -(-ascii_count // 4) + len(s) - ascii_count


def width(s: str) -> int:
    """Columns on a terminal or in a table: full-width characters count two, combining and invisible ones none."""
    if s.isascii():
        return len(s)
    s = _INVISIBLE.sub("", s)
    return sum(
        0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in s
    )


_CODEISH = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\w+://\S+|[\w.\-/\\@:]*[\d_./\\@:][\w.\-/\\@:]*", re.S | re.A
)
_HIRAGANA = re.compile("[\u3041-\u309f]")
_JA_OTHER = re.compile(f"[\u30a1-\u30fa\u30fc-\u30ff{_HAN}]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_FOREIGN = re.compile("[^\\W\\d_\u0041-\u024f\u1e00-\u1eff]")


def language(s: str) -> str:
    """Return "ja", "en" or "und" (no letters, or another script) by script ratio; code and identifiers do not count.

    Hiragana weighs double because it carries the grammar: a Japanese sentence full of product names is Japanese.
    """
    prose = _CODEISH.sub(" ", unicodedata.normalize("NFKC", s))
    hiragana = len(_HIRAGANA.findall(prose))
    japanese = 2 * hiragana + len(_JA_OTHER.findall(prose))
    english = foreign = 0
    for word in _WORD.findall(re.sub(f"[{_KANA}{_HAN}]+", " ", prose)):
        if _FOREIGN.search(word):
            foreign += 1
        elif len(word) > 1:
            english += 3 if word.lower() in STOP_WORDS else 1
    if foreign > english + japanese // 2 or not (japanese or english):
        return "und"
    return "ja" if japanese >= english else "en"


# --- Sentences

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|ca|mr|mrs|ms|dr|prof|st|no|nos|fig|figs|sec|ver|vol|pp|dept|est|inc|ltd|al|incl|resp)"
    r"|\b[A-Za-z])\.$",
    re.I,
)
_CLOSERS = "」』）)]】》〉\"'”’*_`"
_ENDINGS = re.compile(f"[。！？!?．.]+[{re.escape(_CLOSERS)}]*|…+(?=\\s|$)|\n")
_QUOTE_GOES_ON = re.compile("(?:と|って|で|は|が|を|に|も|の|な|だ|か|へ|や|、)")
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.M | re.S)
_NEW_BLOCK = re.compile(r"[ \t\u3000]*(?:\n|$|[-*+・•●■◆>|#]|\d{1,3}[.)][ \t]|`{3}|~{3}|[A-Z\u3000-\uffff])")
_NUMBERING = re.compile(r"(?:^|\n)[ \t]*\d{1,3}\.$")
_CJK_CHAR = re.compile(f"[{_CJK}]")
_WRAP_WIDTH = 55  # an English line at least this long that goes on in lower case was wrapped, not ended


def sentences(s: str) -> list[tuple[int, int]]:
    """Offsets (start, end) of the sentences of `s`, both languages, in order, without overlap.

    Every non-blank character lies in exactly one span and no span begins or ends with a blank. Dots inside names,
    versions and URLs do not split; a code fence is one span; a quotation 「…。」と言った stays with its sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for fence in _FENCED.finditer(s):
        _split_prose(s, start, fence.start(), spans)
        _add_span(s, fence.start(), fence.end(), spans)
        start = fence.end()
    _split_prose(s, start, len(s), spans)
    return spans


def _split_prose(s: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    for m in _ENDINGS.finditer(s, start, end):
        if _ends_sentence(s, start, m, end):
            _add_span(s, start, m.end(), spans)
            start = m.end()
    _add_span(s, start, end, spans)


def _add_span(s: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    text = s[start:end]
    left = len(text) - len(text.lstrip())
    if left < len(text):
        spans.append((start + left, start + len(text.rstrip())))


def _ends_sentence(s: str, start: int, m: re.Match[str], end: int) -> bool:
    mark, after = m.group(), s[m.end() : m.end() + 1] if m.end() < end else ""
    if mark == "\n":
        line = s[max(s.rfind("\n", 0, m.start()) + 1, start) : m.start()]
        return len(line) < _WRAP_WIDTH or not line.isascii() or bool(_NEW_BLOCK.match(s, m.end(), end))
    previous = s[m.start() - 1 : m.start()]
    goes_on = after.isascii() and (after.isalnum() or after in "_-/")
    if mark[0] in "。！？．":
        before = s[max(start, m.start() - 200) : m.start()]
        quoted = before.rfind("「") > before.rfind("」") and "」" not in mark
        if quoted and "」" in s[m.end() : m.end() + 200].split("\n")[0]:
            return False
        if mark[0] == "．" and all(ch.isalnum() and not _CJK_CHAR.match(ch) for ch in (previous, after)):
            return False
        return not (mark[-1] in "」』）" and _QUOTE_GOES_ON.match(s, m.end(), end))
    if after and not after.isspace():
        # No blank after an ASCII mark: inside a name or URL, unless Japanese ended with it.
        return bool(_CJK_CHAR.match(previous)) and not goes_on
    head = s[max(start, m.start() - 12) : m.start() + 1]
    numbering = _NUMBERING.search("\n" + head if start + 12 >= m.start() else head)
    if mark == "." and (numbering or _ABBREVIATION.search(head)):
        return not after or after == "\n"
    return True


# --- Search terms

_RUN = re.compile(
    rf"([{_CJK}]+)|((?:{_LATIN}[{_MARKS}]*)+(?:[.\-/:@'&+#=]{{1,3}}(?:{_LATIN}[{_MARKS}]*)+)*(?:\+\+|#)?)"
)
# A kana that may be left out between two kanji (申し込み, 申込); particles are not among them.
_OKURIGANA = re.compile(f"([{_HAN}])[いえきぎけげしじせちってびべみめりれ](?=([{_HAN}]))")
_COMPOUND = re.compile(f"[{_HAN}]{{4,}}")
_LONE_HAN = re.compile(f"(?<![{_HAN}])[{_HAN}](?![{_HAN}])")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_ADDRESS = re.compile("[/:@]")
_SEPARATORS = re.compile(r"[.\-/:@'&+#=_]+")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)")
_SUBWORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_LONGEST_TERM = 64  # longer Latin runs (base64, minified code) are cut: nobody searches for them whole
_LONG_HIRAGANA = re.compile(f"(?<![{_CJK}])[ぁ-ゖー]{{3,}}(?![{_CJK}])")
_TO_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
_LARGE_KANA = dict(zip("ァィゥェォャュョヮヵヶ", "アイウエオヤユヨワカケ"))  # noqa: B905 - Python 3.9 has no strict
_SMALL_KANA = re.compile("[ァィゥェォャュョヮヵヶ]")
_WEAK_TERM = re.compile("[\u3041-\u309f\u30fc]{1,2}|[ァ-ヺ]|[a-bd-qs-z0-9_]|[A-Z]")


def terms(s: str, *, query: bool = False) -> list[str]:
    """Search terms of `s`, repeats included (count them for term frequency), words first, lone kanji last.

    Latin: words without their inflection (`stem`), identifiers whole, joined and in parts (`gen-itgc` → gen-itgc,
    genitgc, gen, itgc), versions whole and shortened (3.11.7 → 3.11.7, 3.11). Japanese: bigrams over the whole run,
    then every kanji; katakana that differs in a final ー or in small letters shares terms, and so do kanji with and
    without a kana between them (申し込み, 申込). Long compounds also have their short name (経済産業省 → 経産, 産省).
    With `query`, short names and kanji inside longer runs are left out (they are indexed so that a short question
    finds them, and would only add noise to a longer one), and a word in hiragana alone is also asked for in katakana
    (てすと → テス, スト).
    """
    if not s.isascii():
        s = unicodedata.normalize("NFKC", s)
        if _HAS_ODD.search(s):
            s = _INVISIBLE.sub("", s).translate(_TYPOGRAPHIC)
        s = _SMALL_KANA.sub(_large_kana, s)
    extra: list[str] = []
    if "ー" in s:
        s = _TRAILING_LONG_VOWEL.sub("", s)
    if not s.isascii():
        extra += [a + b for a, b in _OKURIGANA.findall(s)]
    if query:
        extra += _LONE_HAN.findall(s)
        for word in _LONG_HIRAGANA.findall(s):
            katakana = _SMALL_KANA.sub(_large_kana, word.translate(_TO_KATAKANA))
            extra += [a + b for a, b in zip(katakana, katakana[1:])]  # noqa: B905, RUF007
    else:
        for word in _COMPOUND.findall(s):  # the first characters of its two-character words
            extra += [a + b for a, b in zip(word[::2], word[2::2])]  # noqa: B905
        extra += "".join(_HAN_RUN.findall(s))
    out: list[str] = []
    for run, word in _RUN.findall(s):
        if word:
            out += _latin_terms(word)
        elif len(run) > 1:
            out += [a + b for a, b in zip(run, run[1:])]  # noqa: B905, RUF007 - Python 3.9
        elif not _HAN_RUN.match(run):  # a lone kanji is among the extras
            out.append(run)
    return out + extra


def _large_kana(m: re.Match[str]) -> str:
    return _LARGE_KANA[m.group()]


@lru_cache(maxsize=50_000)
def _latin_terms(word: str) -> tuple[str, ...]:
    whole = word.casefold()[:_LONGEST_TERM]
    if whole in STOP_WORDS:
        return (whole,)
    if whole.endswith("n't") and len(whole) > 4:
        return (stem(whole[:-3]), "not")
    if whole.endswith("'s"):
        return _latin_terms(word[:-2])
    chunks = [chunk for chunk in _SEPARATORS.split(word[: _LONGEST_TERM * 4]) if chunk]
    if chunks == [word] and len(_SUBWORD.findall(word)) <= 1:
        return (stem(whole),)
    found = [whole]
    if not _VERSION.fullmatch(whole):
        found += [] if _ADDRESS.search(word) else ["".join(chunks).casefold()]
        for chunk in chunks:
            found += [chunk.casefold(), *(stem(part.casefold()) for part in _SUBWORD.findall(chunk))]
    for version in _VERSION.findall(whole):
        steps = version.split(".")
        found += [".".join(steps[:n]) for n in range(2, len(steps) + 1)]
    return tuple(dict.fromkeys(term[:_LONGEST_TERM] for term in found if len(term) > 1 or term.isalpha()))


def is_weak_term(t: str) -> bool:
    """True for terms that must not find anything alone: English stop words, all-hiragana bigrams, single characters of
    kana, Latin (except c and r, the languages) or a lone digit."""
    return t in STOP_WORDS or _WEAK_TERM.fullmatch(t) is not None


# --- Nearly equal texts

_NOT_WORD = re.compile(r"[\W_]+")
_MIX = 0x9E3779B97F4A7C15  # odd, so the product permutes 64-bit values: the order becomes random, nothing collides
_MASK = (1 << 64) - 1
_SPAN = 8  # bytes in a gram: eight Latin letters, four kana or kanji


def shingles(s: str) -> list[int]:
    """Fingerprints of `s` as sorted distinct signed 64-bit integers, about two for three characters.

    Case, width, punctuation, Markdown, spaces and line wrapping do not matter. A fingerprint is a gram of eight Latin
    or four Japanese characters; the local maxima of a mixed order are left out, so the choice depends on the
    neighbours alone and a text quoted anywhere keeps all its fingerprints there. Texts of at least 11 Latin letters or
    7 Japanese characters can be found inside others; shorter ones only equal themselves. Fingerprints can be turned
    back into text: delete them with the text they come from.
    """
    letters = _NOT_WORD.sub("", fold(s))
    raw = letters.encode("utf-16-le", "surrogatepass")
    if not raw:
        return []
    # One byte for a Latin-1 letter, two for the others, and a flag where a character begins.
    keep = bytearray(raw)
    begins = bytearray(len(raw))
    keep[0::2] = begins[0::2] = b"\1" * (len(raw) // 2)
    data = bytes(compress(raw, keep))
    if len(data) <= _SPAN:
        grams = [int.from_bytes(data, "little")]
    else:
        grams = list(compress(_windows(data), compress(begins, keep)))
    mixed = [gram * _MIX & _MASK for gram in grams]
    chosen = {b for a, b, c in zip(mixed, mixed[1:], mixed[2:]) if not a < b > c}  # noqa: B905
    chosen = chosen or {min(mixed)}
    return sorted(h - (1 << 64) if h >> 63 else h for h in chosen)


def _windows(data: bytes) -> list[int]:
    """Every run of eight bytes as a number: eight strided casts are far cheaper than one slice per byte."""
    out = [0] * (len(data) - _SPAN + 1)
    view = memoryview(data)
    for shift in range(min(_SPAN, len(out))):
        out[shift::_SPAN] = view[shift : shift + (len(data) - shift) // _SPAN * _SPAN].cast("Q").tolist()
    return out


def containment(needle: list[int], hay: list[int]) -> float:
    """Share (0 to 1) of the needle's fingerprints that the hay has; 0 when the needle has none.

    1.0 = quoted whole; 0.8 and more = a longer text quoted with a word or two changed. A short text reworded, but also
    one contradicted (npm for pnpm), lies between 0.4 and 0.75; other texts on the same subject stay below 0.3.
    """
    wanted = set(needle)
    return len(wanted.intersection(hay)) / len(wanted) if wanted else 0.0


# --- Finding a quote
_CLUSTER = re.compile(f"\\s+|[^\\s][{_MARKS}\uff9e\uff9f\u1160-\u11ff]*")
_MOST_TRIES = 50


def find_span(quote: str, text: str) -> tuple[int, int] | None:
    """Offsets of `quote` in `text`, or None. Exact first, then equal after `fold`, then also without spaces beside CJK.

    The slice is always of the original text, so what is stored as a quote is what the person wrote.
    """
    if not quote.strip():
        return None
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    wanted = fold(quote)
    squashed = _squash(wanted)
    folded_text = fold(text)
    if not wanted or (wanted not in folded_text and squashed not in _squash(folded_text)):
        return None  # the common answer, without the map below
    folded, starts, ends = _fold_map(text)
    found = _find_folded(wanted, folded, starts, ends, lambda a, b: fold(text[a:b]) == wanted)
    if found is None:
        keep = [True] * len(folded)
        for m in _CJK_SPACE.finditer(folded):
            keep[m.start()] = False
        found = _find_folded(
            squashed,
            "".join(compress(folded, keep)),
            list(compress(starts, keep)),
            list(compress(ends, keep)),
            lambda a, b: _squash(fold(text[a:b])) == squashed,
        )
    return found


def _squash(folded: str) -> str:
    return _CJK_SPACE.sub("", folded)


def _fold_map(text: str) -> tuple[str, list[int], list[int]]:
    """The folded text with, for each of its characters, the (start, end) of what it came from."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for m in _CLUSTER.finditer(text):
        part = m.group()
        piece = " " if part.isspace() else part.casefold() if part.isascii() else _fold_characters(part)
        pieces.append(piece)
        starts.extend([m.start()] * len(piece))
        ends.extend([m.end()] * len(piece))
    return "".join(pieces), starts, ends


def _find_folded(
    wanted: str, folded: str, starts: list[int], ends: list[int], equal: Callable[[int, int], bool]
) -> tuple[int, int] | None:
    """First place where the slice truly equals: a match may begin inside one character's expansion (㍻ → 平成)."""
    at = folded.find(wanted)
    for _ in range(_MOST_TRIES):
        if at < 0:
            return None
        start, end = starts[at], ends[at + len(wanted) - 1]
        if equal(start, end):
            return start, end
        at = folded.find(wanted, at + 1)
    return None
