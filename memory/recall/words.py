"""Matched terms as a person reads them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from core.text import fold, stem

_LATIN_WORD = re.compile(r"[A-Za-z]+")


def readable(asked: Sequence[str], found: Collection[str], question: str) -> tuple[str, ...]:
    """The found terms in the order of the question, as it writes them.

    Overlapping bigrams are joined (承認, 認フ, フロ → 承認フロ), and stems become the word they were taken from: to a
    reader cach is no word of "Where are the caches?".
    """
    written: dict[str, str] = {}
    for word in _LATIN_WORD.findall(question):
        written.setdefault(stem(word.casefold()), word)
    joined = _joined([term for term in asked if term in found], asked)
    return tuple(dict.fromkeys(written.get(term, term) for term in joined))


def names(question: str, aliases: Collection[str]) -> bool:
    """Whether the folded question holds one of these short forms as a word of its own (in Japanese: anywhere)."""
    return any(
        re.search(rf"(?<![a-z0-9_]){re.escape(short)}(?![a-z0-9_])", question)
        for short in map(fold, aliases)
        if short in question and short
    )


def _joined(terms: Sequence[str], asked: Sequence[str]) -> Iterator[str]:
    place = {term: index for index, term in enumerate(asked)}
    word, last = "", ""
    for term in terms:
        follows = bool(last) and place[term] == place[last] + 1
        if follows and _is_pair(term) and _is_pair(last) and term[0] == last[1]:
            word += term[1]
        else:
            if word:
                yield word
            word = term
        last = term
    if word:
        yield word


def _is_pair(term: str) -> bool:
    return len(term) == 2 and not term.isascii()
