"""What a text says, compiled once, in a form two texts can be compared by."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.text import fold, language, normal_form

from .lexicon import NORMAL
from .reasons import without_reasons
from .structure import Roles, roles
from .tokens import Token, tokenise

_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|get|gets)\s+(?:\w+ly\s+)?(?:\w+ed|kept|sent|built|done|made|run|held|put|set|written|chosen|given|"
    r"shown|found|owned|in charge|responsible)\b|\bbelongs? to\b"
)
# Characters. A memory is a few sentences; longer texts are only ever the same when their normal forms are equal.
LONGEST = 2_000
Order = tuple[frozenset[str], frozenset[str]]  # what comes earlier, what later


@dataclass(frozen=True)
class Features:
    """One text. `content`: what it speaks of and affirms, in order; `denied`: what it denies; `alternatives`:
    those denied only as the other side of a choice ("X instead of Y"); `stances`: may, unneed, past, plan, only …"""

    normal: str
    whole: bool  # False: longer than LONGEST, the rest was not read
    language: str
    content: tuple[Token, ...]
    numbers: tuple[Token, ...]
    sequence: tuple[Token, ...]  # content and numbers as they stand
    passive: bool
    plain: bool  # English without preposition, comma or copula
    denied: tuple[Token, ...]
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
    def refused(self) -> dict[str, Token]:
        """Denied concepts by name."""
        return {token.concept: token for token in self.denied}

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


def _alternatives(content: list[Token], read: list[Roles]) -> frozenset[str]:
    """Denied words that are the other side of a choice made in the same text ("use X; don't use Y")."""
    found = {r.tokens[i].concept for r in read for i in r.droppable}
    for token in (r.tokens[i] for r in read for i in r.denied):
        for other in content:
            rivals = token.category and token.category == other.category
            if other.concept != token.concept and (rivals or token.kind == other.kind == "name"):
                found.add(token.concept)
    return frozenset(found)


def _is_plain(sentence: Roles) -> bool:
    controls = [
        t for t in sentence.tokens[:-1] if t.kind == "control" and t.concept not in ("glue", "not_next")
    ]
    return not controls and not any(t.surface in {"is", "are", "was", "were", "be"} for t in sentence.tokens)


_ASK = Token("ask", NORMAL, "word", "without asking")
_SUPPORT = Token("support", NORMAL, "word", "support")


class _Collector:
    """Gathers the sentences of one text."""

    def __init__(self) -> None:
        self.content: list[Token] = []
        self.numbers: list[Token] = []
        self.sequence: list[Token] = []
        self.denied: list[Token] = []
        self.order: list[Order] = []

    def add(self, sentence: Roles) -> None:
        ended = _support_ended(sentence)
        refused = sentence.rejected | sentence.denied
        if ended:
            self.denied.append(_SUPPORT)
        if sentence.unasked:
            self.denied.append(_ASK)
        for i, token in enumerate(sentence.tokens):
            if i in sentence.ignored or (ended and token.concept in {"support", "delete", "stop"}):
                continue
            if i in refused:
                self.denied.append(token)
            elif token.kind == "number":
                self.numbers.append(token)
            elif token.matters:
                self.content.append(token)
            if token.matters:
                self.sequence.append(token)
        names = [token.concept for token in sentence.tokens]
        for earlier, later in sentence.order:
            self.order.append((frozenset(names[i] for i in earlier), frozenset(names[i] for i in later)))


def features(text: str) -> Features:
    """Compile `text`: deterministic, about 0.5 ms, any string is accepted.

    Not cached on purpose: a deleted text must not live on in a worker's memory. Callers compile once and keep it.
    """
    read = [roles(_with_bounds(tokenise(sentence))) for sentence in without_reasons(text[:LONGEST])]
    collected = _Collector()
    for sentence in read:
        collected.add(sentence)
    return Features(
        normal=normal_form(text),
        whole=len(text) <= LONGEST,
        language=language(text),
        content=tuple(collected.content),
        numbers=tuple(collected.numbers),
        sequence=tuple(collected.sequence),
        passive=bool(_PASSIVE.search(fold(text))),
        plain=all(_is_plain(r) for r in read),
        denied=tuple(collected.denied),
        alternatives=_alternatives(collected.content, read),
        order=tuple(collected.order),
        stances=frozenset(stance for r in read for stance in r.stances),
        first=any(r.first for r in read),
    )
