"""What a text says, compiled once, in a form two texts can be compared by."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from core.text import fold, language, normal_form

from .reasons import without_reasons
from .structure import Roles, roles
from .tokens import Token, tokenise

_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|get|gets)\s+(?:\w+ly\s+)?(?:\w+ed|kept|sent|built|done|made|run|held|put|set|written|chosen|given|"
    r"shown|found|owned|in charge|responsible)\b|\bbelongs? to\b"
)
Order = tuple[frozenset[str], frozenset[str]]  # what comes earlier, what later


@dataclass(frozen=True)
class Features:
    """One text. `content`: what it speaks of and affirms, in order; `denied`: concept → how often denied; `alternatives`:
    those denied only as the other side of a choice ("X instead of Y"); `stances`: may, unneed, past, plan, only …"""

    normal: str
    language: str
    content: tuple[Token, ...]
    numbers: tuple[Token, ...]
    sequence: tuple[Token, ...]  # content and numbers as they stand
    passive: bool
    denied: tuple[tuple[str, int], ...]
    alternatives: frozenset[str]
    order: tuple[Order, ...]
    stances: frozenset[str]
    first: bool

    @property
    def concepts(self) -> dict[str, Token]:
        """Affirmed concepts by name; a word said twice counts once."""
        found: dict[str, Token] = {}
        for token in self.content:
            found.setdefault(token.concept, token)
        return found

    @property
    def identifiers(self) -> frozenset[str]:
        """Names, numbers and Latin words: what a translation leaves as it is."""
        return frozenset(
            t.concept
            for t in (*self.content, *self.numbers)
            if t.concept.lstrip("=").isascii() and t.kind != "word"
        )


def _with_bounds(tokens: list[Token]) -> list[Token]:
    """`maximum line length is 100`: the word belongs to the number, wherever it stands."""
    bounds = {
        t.concept: b for t in tokens for c, b in (("maximum", "max"), ("minimum", "min")) if t.concept == c
    }
    if not bounds or not any(t.kind == "number" for t in tokens):
        return tokens
    bound = next(iter(bounds.values()))
    return [
        replace(t, bound=t.bound or bound) if t.kind == "number" else t
        for t in tokens
        if t.concept not in bounds
    ]


def _support_ended(sentence: Roles) -> bool:
    """ "Support for X was dropped" denies support; the dropping is no second claim."""
    concepts = {t.concept for t in sentence.tokens if t.matters}
    return "support" in concepts and bool(concepts & {"delete", "stop"})


def _alternatives(content: list[Token], denied: Counter[str], read: list[Roles]) -> set[str]:
    """Denied words that are the other side of a choice made in the same text ("use X; don't use Y")."""
    found = {r.tokens[i].concept for r in read for i in r.droppable}
    for sentence in read:
        for i in sentence.denied:
            token = sentence.tokens[i]
            for other in content:
                if other.concept != token.concept and (
                    (token.category and token.category == other.category)
                    or (token.kind == other.kind == "name")
                ):
                    found.add(token.concept)
    return {name for name in found if denied[name]}


@lru_cache(maxsize=4096)
def features(text: str) -> Features:
    """Compile `text`. Deterministic, no side effects, about 0.1 ms per sentence; any string is accepted."""
    read = [roles(_with_bounds(tokenise(sentence))) for sentence in without_reasons(text)]
    content: list[Token] = []
    numbers: list[Token] = []
    sequence: list[Token] = []
    denied: Counter[str] = Counter()
    order: list[Order] = []
    stances: set[str] = set()
    for sentence in read:
        dropped: set[str] = set()
        if _support_ended(sentence):
            dropped = {"delete", "stop"}
            denied["support"] += 1
        if sentence.unasked:
            denied["ask"] += 1
        refused = {*sentence.rejected, *sentence.denied}
        for i in (*sentence.rejected, *sentence.denied):
            denied[sentence.tokens[i].concept] += 1
        for i, token in enumerate(sentence.tokens):
            if not token.matters or i in refused or token.concept in dropped:
                continue
            sequence.append(token)
            if token.kind == "number":
                numbers.append(token)
            elif not (token.concept == "support" and denied["support"]):
                content.append(token)
        order.extend(
            (
                frozenset(sentence.tokens[i].concept for i in earlier),
                frozenset(sentence.tokens[i].concept for i in later),
            )
            for earlier, later in sentence.order
        )
        stances |= sentence.stances
    return Features(
        normal=normal_form(text),
        language=language(text),
        content=tuple(content),
        numbers=tuple(numbers),
        sequence=tuple(sequence),
        passive=bool(_PASSIVE.search(fold(text))),
        denied=tuple(sorted(denied.items())),
        alternatives=frozenset(_alternatives(content, denied, read)),
        order=tuple(order),
        stances=frozenset(stances),
        first=any(r.first for r in read),
    )
