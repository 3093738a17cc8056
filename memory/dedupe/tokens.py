"""A folded sentence as tokens: concepts of the thesaurus, names, numbers, unknown words, control words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from core.text import stem

from . import grammar
from .lexicon import GENERIC, NORMAL, WEAK, Concept, latin_key, lexicon
from .numbers import Number, numbers

# Latin chunks: paths, calls, flags, handles and words with their joints; a closing full stop is not part of one.
_CHUNK = re.compile(r"[#@~$/.-]*<?[a-z0-9_](?:[a-z0-9_'<>{}*+#@&=/\\.:-]*[a-z0-9_>}*+#/])?(?:\(\))?")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?(?:-[a-z]+)*")
_NAMED_VERSION = re.compile(r"([a-z]{2,})-?v?(\d+(?:\.\d+)*)")
_SCRIPTS = re.compile(r"[ァ-ヺー]+|[一-龥々〆]+|[ぁ-ゟ]|[^\sA-Za-z0-9]")
_SUFFIX_KANJI = set("者員人物先元器機")
_SUFFIXES = ("ization", "isation", "ation", "ition", "ment", "tion", "ion", "ally", "ly", "at")
_IS = {"it's", "that's", "there's", "here's", "what's", "let's", "he's", "she's"}
_CONTRACTED = re.compile(r"'(?:re|m|d|ve|ll)$")


@dataclass(frozen=True)
class Token:
    """One unit. `kind`: word, name (identifier or proper form), number, unknown, control. `marker` is the
    preposition or particle that governs it; `concept` is what two texts are compared by."""

    concept: str
    weight: float
    kind: str
    surface: str
    category: str = ""
    axis: str = ""
    sign: int = 0
    marker: str = ""
    means: str = ""
    like: str = ""
    unit: str = ""
    bound: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """A number with its unit; "" for everything else."""
        return self.concept, self.unit

    @property
    def matters(self) -> bool:
        return self.kind != "control" and self.weight > 0


def _control(name: str, surface: str) -> Token:
    return Token(name, 0, "control", surface)


def _known(concept: Concept, surface: str) -> list[Token]:
    if concept.mark == "neg":
        return [_control("not_next" if surface.isascii() else "not_prev", surface)]
    if concept.mark:
        return [_control(concept.mark, surface)]
    return [
        Token(
            concept.name, concept.weight, "word", surface,
            category=concept.category, axis=concept.axis, sign=concept.sign, means=concept.means, like=concept.like,
        )
    ]  # fmt: skip


def _number(number: Number) -> Token:
    return Token(number.value, NORMAL, "number", str(number), unit=number.unit, bound=number.bound)


def _chunk_tokens(chunk: str) -> list[Token | str]:
    """Tokens of one Latin chunk; plain words stay strings until phrases have been looked up."""
    lex = lexicon()
    possessive = chunk.endswith("'s") and chunk not in _IS
    chunk = _CONTRACTED.sub("", chunk.removesuffix("'s"))
    if known := lex.latin.get(latin_key(chunk)):
        if known.weight > 0 or not _WORD.fullmatch(chunk):
            found = _known(known, chunk)
            return [replace(t, marker="'s") for t in found] if possessive else ["\0" + chunk]
        return [chunk]
    if _WORD.fullmatch(chunk):
        return [*chunk.split("-"), *(["'s"] if possessive else [])]
    if (
        (m := _NAMED_VERSION.fullmatch(chunk))
        and (name := lex.latin.get((m[1],)))
        and name.category != "uuid"
    ):
        return [*_known(name, m[1]), Token(m[2], NORMAL, "number", m[2])]
    return [Token("=" + chunk.rstrip("/").removesuffix("()"), NORMAL, "name", chunk)]


def _root(word: str) -> str:
    """Joins an unlisted word's verb and noun (abbreviat, abbreviation); only long roots: short words stay apart."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 5:
            return word[: -len(suffix)]
    return word


def _phrases(units: list[Token | str]) -> list[Token]:
    """Looks up the longest phrases among consecutive words; what is in no table is an unknown word by its stem."""
    lex = lexicon()
    out: list[Token] = []
    i = 0
    while i < len(units):
        unit = units[i]
        if isinstance(unit, Token):
            out.append(unit)
            i += 1
            continue
        if unit == "'s":
            if out:
                out[-1] = replace(out[-1], marker="'s")
            i += 1
            continue
        words: list[str] = []
        for other in units[i : i + max(lex.longest, grammar.LONGEST_ENGLISH)]:
            if not isinstance(other, str) or other == "'s":
                break
            words.append(other.lstrip("\0"))
        for n in range(len(words), 0, -1):
            key = latin_key(" ".join(words[:n]))
            surface = " ".join(words[:n])
            if control := grammar.ENGLISH.get(key):
                out.append(_control(control, surface))
                break
            if concept := lex.latin.get(key):
                out.extend(_known(concept, surface))
                break
        else:
            n = 1
            out.append(Token(_root(stem(words[0])), NORMAL, "unknown", words[0]))
        i += n
    return out


def _japanese_at(text: str, at: int) -> tuple[int, list[Token]] | None:
    lex = lexicon()
    for n in range(min(max(lex.longest_japanese, grammar.LONGEST_JAPANESE), len(text) - at), 0, -1):
        piece = text[at : at + n]
        concept, control = lex.japanese.get(piece), grammar.JAPANESE.get(piece)
        if control and not (concept and concept.weight > 0):
            return n, [_control(control, piece)]
        if concept:
            return n, _known(concept, piece)
    return None


def _with_suffixes(tokens: list[Token]) -> list[Token]:
    """管理 + 者 is another word than 管理: such suffixes make one full word with what they follow."""
    out: list[Token] = []
    for token in tokens:
        if (
            token.surface in _SUFFIX_KANJI
            and out
            and out[-1].matters
            and re.search("[一-龥ァ-ー]$", out[-1].surface)
        ):
            word = out[-1].surface + token.surface
            out[-1] = Token(word, NORMAL, "unknown", word)
        else:
            out.append(token)
    return out


def _clean_unknown(tokens: list[Token]) -> list[Token]:
    """Joins unknown hiragana characters; a lone one is an ending nobody misses, two or more are a word."""
    out: list[Token] = []
    for token in tokens:
        if token.kind == "hiragana" and out and out[-1].kind == "hiragana":
            joined = out[-1].surface + token.surface
            out[-1] = replace(out[-1], surface=joined, concept=joined)
        else:
            out.append(token)
    out = _with_suffixes(out)
    return [
        replace(t, kind="unknown", weight=NORMAL if len(t.surface) > 2 else WEAK)
        if t.kind == "hiragana"
        else t
        for t in out
        if t.kind != "hiragana" or len(t.surface) > 1
    ]


def _modifiers(tokens: list[Token]) -> list[Token]:
    """A general word right before a noun narrows it (generated code, file server, 管理画面), so its absence matters."""
    out = list(tokens)
    for i, (token, after) in enumerate(pairwise(tokens)):
        if not (
            token.kind == "word" and 0 < token.weight < NORMAL and after.matters and after.kind != "number"
        ):
            continue
        japanese = not token.surface.isascii()
        noun = after.weight in (NORMAL, WEAK) and not (japanese and re.search("[ぁ-ゟ]", after.surface))
        verb = token.weight == GENERIC
        tied = noun and (
            re.search("[一-龥ァ-ー]$", token.surface) if japanese else not verb or token.surface[-2:] == "ed"
        )
        if tied and token.like != "filler":
            out[i] = replace(token, weight=NORMAL)
    return out


def tokenise(text: str) -> list[Token]:
    """Tokens of one folded sentence in reading order, punctuation as `cut` controls."""
    text = text.replace("`", " ").replace('"', " ")
    at_number = {number.start: number for number in numbers(text)}
    units: list[Token | str] = []
    i = 0
    while i < len(text):
        if number := at_number.get(i):
            units.append(_number(number))
            i = number.end
            continue
        ch = text[i]
        if ch.isspace():
            i += 1
        elif ch.isascii():
            limit = min((start for start in at_number if start > i), default=len(text))
            m = _CHUNK.match(text, i, limit)
            if m and any(c.isalnum() for c in m.group()):
                glued = len(m.group()) == 1 and m.end() < len(text) and not text[m.end()].isascii()
                # Aチーム: a letter written onto Japanese is a name, not an article.
                units.extend([Token("=" + ch, NORMAL, "name", ch)] if glued else _chunk_tokens(m.group()))
                i = m.end()
            else:
                if ch in ",;:.!?()[]":
                    units.append(_control("cut", ch))
                i += 1
        elif found := _japanese_at(text, i):
            units.extend(found[1])
            i += found[0]
        else:
            m = _SCRIPTS.match(text, i)
            piece = m.group() if m else ch
            # 週三回: a number ends the run of kanji before it.
            piece = piece[: min((start for start in at_number if start > i), default=len(text)) - i]
            i, token = _unknown(text, i, piece)
            units.append(token)
    return _modifiers(_clean_unknown(_phrases(units)))


def _unknown(text: str, i: int, piece: str) -> tuple[int, Token]:
    """An unlisted run of kanji or katakana, cut where a listed word begins inside it."""
    if piece in "→⇒➡":
        return i + 1, _control("arrow", piece)
    if not re.match("[ァ-ヺー一-龥々〆ぁ-ゟ]", piece):
        return i + 1, _control("cut", piece)
    if re.match("[ぁ-ゟ]", piece):
        return i + 1, Token(piece, WEAK, "hiragana", piece)
    n = 1
    if not re.match("[ァ-ヺー]", piece):
        while n < len(piece) and not ((hit := _japanese_at(text, i + n)) and hit[0] > 1):
            n += 1
    else:
        n = len(piece)
    word = piece[:n].rstrip("ー") or piece[:n]
    return i + n, Token(word, NORMAL, "unknown", piece[:n])
