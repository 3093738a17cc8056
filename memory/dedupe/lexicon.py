"""The thesaurus behind dedupe: which words a person would take for the same thing (design section 4, "Dedupe").

Reads `words/*.txt` once. A line is `name flags | English forms | Japanese forms`; the header of `words/frame.txt`
explains the flags. Both languages share the concept names, so Japanese and English can be compared word by word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.text import fold, stem

NORMAL, GENERIC, WEAK, NOTHING = 1.0, 0.5, 0.35, 0.0
_WEIGHTS = {"0": NOTHING, "~": WEAK, "g": GENERIC}
# Endings of the classes of Japanese verbs, by the kana of the dictionary form.
_ENDINGS = {
    "う": "わいうえおっ",
    "く": "かきくけこい",
    "ぐ": "がぎぐげごい",
    "す": "さしすせそ",
    "つ": "たちつてとっ",
    "ぬ": "なにぬねのん",
    "ぶ": "ばびぶべぼん",
    "む": "まみむめもん",
    "る": "らりるれろっ",
    "い": "いくけさな",
}


@dataclass(frozen=True)
class Concept:
    """One entry. `weight`: how much its absence matters; `axis` and `sign` name opposites; `category` a closed set."""

    name: str
    weight: float = NORMAL
    category: str = ""
    axis: str = ""
    sign: int = 0
    mark: str = ""
    means: str = ""
    like: str = ""


@dataclass(frozen=True)
class Lexicon:
    """`latin`: stems of a phrase → concept, at most `longest` words. `japanese`: exact folded form → concept."""

    latin: dict[tuple[str, ...], Concept]
    japanese: dict[str, Concept]
    concepts: dict[str, Concept]
    longest: int
    longest_japanese: int


def _concept(head: str) -> Concept:
    name, *flags = head.split()
    known: dict[str, str] = {}
    weight = NORMAL
    for flag in flags:
        key, colon, value = flag.partition(":")
        if colon:
            known[key] = value
        else:
            weight = _WEIGHTS[key]
    axis = known.get("axis", "")
    return Concept(
        name=name,
        weight=weight,
        category=known.get("cat", ""),
        axis=axis[:-1],
        sign={"+": 1, "-": -1}.get(axis[-1:], 0),
        mark=known.get("mark", ""),
        means=known.get("means", ""),
        like=known.get("like", ""),
    )


def conjugated(form: str) -> list[str]:
    """Written forms of one Japanese entry: `使/う` → 使わ, 使い, 使っ …; `つけ/る1` → つけ; anything else itself."""
    root, slash, ending = form.partition("/")
    if not slash:
        return [form]
    if ending == "る1":
        return [root, root + "る"]
    return [root + kana for kana in _ENDINGS.get(ending, ending)]


def latin_key(phrase: str) -> tuple[str, ...]:
    """What English forms are looked up by: the stems of their words, hyphens read as spaces."""
    return tuple(stem(word) for word in phrase.replace("-", " ").split())


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The whole thesaurus; the first entry that claims a form keeps it, so the files' order decides (names first)."""
    latin: dict[tuple[str, ...], Concept] = {}
    japanese: dict[str, Concept] = {}
    concepts: dict[str, Concept] = {}
    folder = Path(__file__).parent / "words"
    for file in ("names", "time", "things", "work", "qualities", "actions", "frame", "light"):
        for line in (folder / f"{file}.txt").read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            head, english, other = (part.strip() for part in line.split("|"))
            concept = _concept(head)
            for raw in (*english.split(","), *other.split(",")):
                form = fold(raw)
                if concept.name.startswith("*"):
                    concept = replace(concept, name="*" + form.split("/")[0])
                concepts.setdefault(concept.name, concept)
                if form.isascii() and form:
                    latin.setdefault(latin_key(form), concept)
                elif form:
                    for written in conjugated(form):
                        japanese.setdefault(written, concept)
    return Lexicon(latin, japanese, concepts, max(map(len, latin)), max(map(len, japanese)))
