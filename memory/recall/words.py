"""Matched terms as a person reads them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from core.text import fold


def readable(asked: Sequence[str], found: Collection[str]) -> tuple[str, ...]:
    """The found terms in the question's order, with overlapping bigrams joined: 承認, 認フ, フロ → 承認フロ."""
    return tuple(dict.fromkeys(_joined([term for term in asked if term in found], asked)))


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
