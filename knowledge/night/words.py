"""What a text is about, as words that two texts can share across English and Japanese. Pure.

Built on the thesaurus of ``memory.dedupe``: デプロイ and "deploys" are one subject. What only directs, dates or
measures ("later", "monday", "more") is no subject; everyday words ("file", "check") are weak ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from core.text import STOP_WORDS, fold, stem
from memory.dedupe.lexicon import lexicon
from memory.dedupe.tokens import Token, tokenise

STRONG, FAINT = 1.0, 0.35
HEAD_WEIGHT = 0.6  # from here a subject can name a note
_TIMES = frozenset({"day", "month", "monthpart", "daypart", "relday", "frequency", "meeting"})
# Subjects of almost any sentence about software: they describe, but name no topic of their own.
_EVERYDAY = frozenset(
    [
        "answer",
        "ask",
        "branch_name",
        "call_act",
        "cause",
        "change_word",
        "character",
        "check",
        "class",
        "code",
        "column",
        "column_name",
        "comment",
        "compatible",
        "composition",
        "conclusion",
        "copy",
        "customer",
        "date",
        "develop",
        "error",
        "everyone",
        "example",
        "exception",
        "explain",
        "fail_fast",
        "file",
        "figure",
        "fix",
        "function",
        "function_name",
        "guarantee",
        "implement",
        "issue_number",
        "length",
        "limit_word",
        "line",
        "loop",
        "measure",
        "message",
        "method",
        "name",
        "nest",
        "null",
        "open",
        "outside",
        "output",
        "parameter",
        "person_user",
        "plan_noun",
        "quarter",
        "read",
        "reason_word",
        "receive",
        "return_act",
        "return_value",
        "row",
        "screen",
        "search",
        "send",
        "share",
        "skip",
        "spec_doc",
        "split",
        "submit",
        "suggest",
        "summary",
        "team",
        "test_name",
        "thing",
        "tool",
        "two_people",
        "unclear",
        "update",
        "variable",
        "variable_name",
        "verify",
        "version",
        "wait",
        "word_count",
        "word_language",
        "work_ready",
        "package",
        "library",
        "framework",
        "language",
        "app",
        "service",
        "table",
    ]
)
_NOTHING = frozenset(
    [
        "alone",
        "both",
        "clear",
        "friendly",
        "guess",
        "immediately",
        "inline",
        "later",
        "only",
        "often_release",
        "optional",
        "same_word",
        "different_word",
        "before_word",
        "tentatively",
        "together",
        "unused",
        "alphabetically",
        "project",
        "state",
        "setting",
        "rather_have",
        "be",
        "break",
        "pass",
        "because",
        "full",
        "way",
        "thing",
        "kind",
        "case",
        "point",
        "good",
        "bad",
        "new",
        "old",
        "make",
        "made",
        "let",
        "against",
        "lesson",
        "learn",
        "learned",
        "fire",
        "during",
        "without",
        "within",
        "between",
        "per",
        "carry",
        "carri",
        "catch",
        "everywhere",
        "somewhere",
        "almost",
        "already",
        "another",
        "anything",
        "anywhere",
        "around",
        "available",
        "away",
        "back",
        "become",
        "behind",
        "beside",
        "best",
        "better",
        "bring",
        "care",
        "certain",
        "come",
        "common",
        "correct",
        "current",
        "different",
        "difficult",
        "directly",
        "easily",
        "easy",
        "either",
        "else",
        "end",
        "enough",
        "especially",
        "even",
        "ever",
        "exactly",
        "example",
        "few",
        "find",
        "fine",
        "general",
        "give",
        "go",
        "great",
        "happen",
        "hard",
        "help",
        "high",
        "however",
        "important",
        "instead",
        "item",
        "kept",
        "know",
        "large",
        "last",
        "late",
        "later",
        "least",
        "less",
        "likely",
        "little",
        "long",
        "look",
        "lot",
        "low",
        "main_thing",
        "many",
        "maybe",
        "mean",
        "might",
        "moment",
        "most",
        "much",
        "near",
        "necessary",
        "need",
        "never",
        "next",
        "normally",
        "nothing",
        "number",
        "often",
        "old",
        "once",
        "part",
        "particular",
        "perhaps",
        "place",
        "possible",
        "problem",
        "put",
        "quickly",
        "quite",
        "rather",
        "real",
        "reason",
        "right",
        "same",
        "second",
        "see",
        "seem",
        "several",
        "shall",
        "should",
        "side",
        "since",
        "small",
        "something",
        "soon",
        "sort",
        "start",
        "still",
        "sure",
        "take",
        "tell",
        "than",
        "there",
        "therefore",
        "think",
        "third",
        "today",
        "together",
        "too",
        "try",
        "turn",
        "twice",
        "under",
        "understand",
        "unless",
        "until",
        "upon",
        "usual",
        "usually",
        "various",
        "very",
        "want",
        "whatever",
        "whenever",
        "where",
        "wherever",
        "whether",
        "whole",
        "wrong",
        "yet",
        "場合",
        "必要",
        "全部",
        "一部",
        "今回",
        "次回",
        "前回",
        "最初",
        "最後",
        "以上",
        "以下",
        "以内",
        "以外",
        "自分",
        "自身",
        "内容",
        "方法",
        "状態",
        "対象",
        "通常",
        "基本",
        "現在",
        "毎回",
        "専用",
        "必須",
        "可能",
        "不要",
        "重要",
        "理由",
        "原因",
        "結果",
        "途中",
        "直後",
        "直前",
        "先頭",
        "末尾",
        "全体",
        "各自",
        "今後",
        "本人",
        "発生",
    ]
)
_TWO_THINGS = frozenset(["ship", "ships", "shipped", "shipping"])  # a release, or a parcel
_ROLE = re.compile(r"_(?:act|char|fmt|hw|kind|noun|right|term|thing|word)$")
_STEMS = frozenset(stem(word) for word in _NOTHING)


@dataclass(frozen=True)
class Subject:
    """``key`` is shared by all its forms; ``form`` is how this text writes it; ``weight`` 0 to 1."""

    key: str
    form: str
    weight: float


@lru_cache(maxsize=50_000)
def subjects(text: str) -> tuple[Subject, ...]:
    """The subjects of a text in reading order, each once."""
    found: dict[str, Subject] = {}
    for token in tokenise(fold(text)):
        weight = _weight(token)
        if weight and token.concept not in found:
            found[token.concept] = Subject(token.concept, _as_written(token.surface, text), weight)
    return tuple(found.values())


def keys(text: str) -> frozenset[str]:
    """The keys alone."""
    return frozenset(each.key for each in subjects(text))


def other_language(key: str, language: str) -> str:
    """The word for a subject in the other one of the two languages; empty when the thesaurus has none."""
    return _names().get((key, "en" if language == "ja" else "ja"), "")


def ascii_word(key: str) -> str:
    """The subject in letters a–z and digits, for a slug; empty when it has no English name."""
    # The thesaurus tells some of its names apart by what they are: order_thing.
    plain = _ROLE.sub("", key.removeprefix("=")).replace("_", "-").lower()
    english = _names().get((key, "en"), "")
    if english and english.isascii():
        return "-".join(re.findall(r"[a-z0-9]+", english.lower()))
    return "-".join(re.findall(r"[a-z0-9]+", plain)) if plain.isascii() else ""


def _weight(token: Token) -> float:
    if token.kind not in ("word", "unknown", "name") or token.weight < FAINT or token.category in _TIMES:
        return 0.0
    if (
        token.concept in _NOTHING
        or stem(token.surface) in _STEMS
        or token.surface in STOP_WORDS
        or len(token.surface) < 2
    ):
        return 0.0
    if token.kind == "word" and token.axis and not token.category:
        return 0.0
    if token.kind == "unknown" and not _names_something(token.surface):
        return 0.0
    # "look into", "kept for"; a flag says how, not what about
    if not STOP_WORDS.isdisjoint(token.surface.split()) or token.surface.startswith("-"):
        return FAINT
    if token.surface in _TWO_THINGS:
        return FAINT
    if "ぁ" <= token.surface[-1] <= "ゟ":  # 戻し: a verb as it was inflected there
        return FAINT
    if token.kind == "word" and token.weight == 0.5:  # "run", "add", "handle"
        return 0.0
    return FAINT if token.weight < STRONG or token.concept in _EVERYDAY else STRONG


def _names_something(surface: str) -> bool:
    if surface.isascii():
        return len(surface) > 2
    return not all("ぁ" <= ch <= "ゟ" for ch in surface)


def _as_written(surface: str, text: str) -> str:
    """With the capitals that the text gives it."""
    match = re.search(re.escape(surface), text, re.I) if surface.isascii() else None
    return match.group() if match else surface


@lru_cache(maxsize=1)
def _names() -> dict[tuple[str, str], str]:
    """(key, language) → the first form of the thesaurus."""
    words = lexicon()
    found: dict[tuple[str, str], str] = {}
    for form, concept in words.japanese.items():
        if len(form) > 1 and not form.isascii():
            found.setdefault((concept.name, "ja"), form)
    for stems, concept in words.latin.items():
        plain = concept.name.replace("_", " ")
        # Stems are no words to show: an entry's own name is, where it is one of the forms.
        if tuple(plain.split()) == stems or _same(stems, plain):
            found.setdefault((concept.name, "en"), plain)
    return found


def _same(stems: Iterable[str], plain: str) -> bool:
    """A name whose words begin with the stems: ``stag`` and ``staging``."""
    words = plain.split()
    pairs = list(stems)
    return len(words) == len(pairs) and all(
        word.startswith(stem[:-1] or stem) for word, stem in zip(words, pairs, strict=True)
    )
