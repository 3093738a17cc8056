"""Roles inside a sentence: what is chosen and what rejected, what is denied, what comes before what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .grammar import PREPOSITIONS
from .tokens import Token

_PREFERENCE = {
    "i'd rather have",
    "i'd rather",
    "prefer",
    "preferred",
    "favour",
    "favor",
    "pick",
    "picked",
    "choose",
    "chose",
    "chosen",
    "like",
    "love",
    "select",
    "selected",
    "go",
    "opt",
    "use",
    "want",
}
_STANCES = ("may", "unneed", "past", "plan", "only", "except", "until")
_BESIDE = {"なし", "無し", "なしで", "無しで", "なしの"}
_NARROW = _BESIDE | {"without"}
_MOST_REJECTED = 3  # words; "instead of the old billing importer" is about as long as an alternative gets


@dataclass
class Roles:
    """What one sentence says. Sets hold indices into `tokens`."""

    tokens: list[Token]
    rejected: set[int] = field(default_factory=set)
    denied: set[int] = field(default_factory=set)
    local: set[int] = field(default_factory=set)  # denied by a negation of their own
    ignored: set[int] = field(default_factory=set)  # said by a flag already
    droppable: set[int] = field(default_factory=set)
    order: list[tuple[frozenset[int], frozenset[int]]] = field(default_factory=list)
    stances: set[str] = field(default_factory=set)
    unasked: bool = False
    first: bool = False


def with_markers(tokens: list[Token]) -> list[Token]:
    """Notes on every content word the preposition before it or the particle after it."""
    out = list(tokens)
    preposition = ""
    for i, token in enumerate(tokens):
        if token.kind == "control":
            if token.concept in PREPOSITIONS:
                preposition = token.concept
            elif token.concept.startswith("p:"):
                if i and out[i - 1].kind != "control" and not out[i - 1].marker:
                    out[i - 1] = replace(out[i - 1], marker=token.concept)
                elif i > 1 and out[i - 1].surface in {"さん", "様", "氏"}:
                    out[i - 2] = replace(out[i - 2], marker=token.concept)
            elif token.concept != "glue":
                preposition = ""
        elif token.matters:
            if not token.marker and preposition:
                out[i] = replace(token, marker=preposition)
            preposition = ""
    for i in range(len(out) - 2, -1, -1):
        # 認証サービスを: the particle marks the whole compound, not its last word alone.
        if out[i].matters and not out[i].marker and out[i + 1].matters and out[i + 1].marker.startswith("p:"):
            out[i] = replace(out[i], marker=out[i + 1].marker)
    for i, token in enumerate(out[:-1]):
        # 田中さんが: the particle stands behind the honorific.
        if out[i + 1].surface in {"さん", "様", "氏"} and out[i + 1].marker and not token.marker:
            out[i] = replace(token, marker=out[i + 1].marker)
    return out


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.roles = Roles(with_markers(tokens))
        self.tokens = self.roles.tokens

    def content(self, indices: Iterable[int]) -> list[int]:
        return [i for i in indices if self.tokens[i].matters]

    def clause(self, i: int) -> tuple[int, int]:
        """Bounds of the stretch between cuts that holds token `i`."""
        start = end = i
        while start > 0 and self.tokens[start - 1].concept != "cut":
            start -= 1
        while end < len(self.tokens) and self.tokens[end].concept != "cut":
            end += 1
        return start, end

    def after(self, i: int) -> list[int]:
        """The alternative that follows a contrast word: content up to the next control word."""
        found: list[int] = []
        for j in range(i + 1, len(self.tokens)):
            token = self.tokens[j]
            if token.kind == "control" and token.concept != "glue" and found:
                break
            if token.concept == "cut" or len(found) == _MOST_REJECTED:
                break
            if token.matters:
                found.append(j)
        return found

    def before(self, i: int, stops: tuple[str, ...] = ("p:", "cut", "instead")) -> list[int]:
        """The phrase that a Japanese marker closes: content back to the last particle or comma."""
        found: list[int] = []
        for j in range(i - 1, -1, -1):
            token = self.tokens[j]
            if (
                token.kind == "control"
                and token.concept.startswith(stops)
                and (found or token.concept == "cut")
            ):
                break
            if token.matters:
                found.append(j)
        return found

    def deny(self, i: int) -> None:
        """Denies what a negation reaches: its whole clause, or for "without" and なし just what they stand beside.

        The whole clause, because word order is free: 略語を変数名に使わない = 変数名に略語は使わない.
        """
        start, end = self.clause(i)
        surface = self.tokens[i].surface
        if surface == "without":
            reach = self.content(range(i + 1, end))
            self.roles.local.update(reach)
        elif surface in _BESIDE:
            reach = self.content(range(i - 1, start - 1, -1))[:1]
            self.roles.local.update(reach)
        else:
            # A Japanese predicate closes its clause: what follows ずに or ない is another statement.
            end = end if self.tokens[i].concept == "not_next" else i
            reach = [j for j in self.content(range(start, end)) if j not in self.roles.local]
            if self.tokens[i].concept == "not_prev":
                self.roles.local.update(reach)
        support = [j for j in reach if self.tokens[j].concept == "support"]
        reach = support or reach  # "no longer support X" says nothing against X
        reach = [j for j in reach if j not in self.roles.rejected and self.tokens[j].kind != "number"]
        if not reach and i and self.tokens[i - 1].kind != "control":
            reach = [i - 1]  # a bare 使わない: deny the verb itself
        if surface == "without" and any(self.tokens[j].concept in {"ask", "approve"} for j in reach):
            self.roles.unasked = True
            self.roles.ignored.update(j for j in reach if self.tokens[j].concept in {"ask", "approve"})
            reach = []
        self.roles.denied.update(reach)

    def contrast(self) -> None:
        surfaces = {t.surface for t in self.tokens}
        moving = any(t.concept == "move" for t in self.tokens)
        for i, token in enumerate(self.tokens):
            name = token.concept if token.kind == "control" else ""
            if (
                name == "instead_next"
                or (name == "over_next" and surfaces & _PREFERENCE)
                or (name == "to_next" and surfaces & {"prefer", "preferred", "prefers"} and not moving)
                or (token.surface == "than" and any("rather" in s for s in surfaces))
            ):
                self.reject(self.after(i), True)
            elif name == "instead_prev":
                if i and self.tokens[i - 1].kind != "number":
                    self.reject(self.before(i), True)
            elif name == "from_next" and moving:
                self.reject(self.after(i), False)
            elif name == "p:から" and moving:
                self.reject(self.before(i), False)
            elif token.surface in {"replace", "replaced", "swap", "swapped"} and token.concept == "move":
                self.reject(self.after(i), False)
            elif name == "chosen_next":
                self.roles.ignored.update(
                    j for j in range(*self.clause(i)) if self.tokens[j].concept == "delete"
                )
                self.reject(self.content(range(self.clause(i)[0], i))[-1:], True)

    def reject(self, indices: list[int], droppable: bool) -> None:
        self.roles.rejected.update(indices)
        if droppable:
            self.roles.droppable.update(indices)

    def sequence(self) -> None:
        for i, token in enumerate(self.tokens):
            if token.kind != "control" or not token.concept.startswith(("before_", "after_")):
                continue
            start, end = self.clause(i)
            if token.concept.endswith("_next"):
                inner = self.content(range(i + 1, end))
            else:
                inner = [j for j in self.before(i, ("p:は", "p:が", "cut")) if j >= start]
                if not inner:
                    inner = self.content(range(start, i))
            if all(self.tokens[j].kind == "number" for j in inner):  # "after 30 seconds" orders nothing
                continue
            outer = [j for j in self.content(range(len(self.tokens))) if j not in inner]
            if inner and outer:
                pair = (frozenset(outer), frozenset(inner))
                self.roles.order.append(pair if token.concept.startswith("before_") else pair[::-1])

    def read(self) -> Roles:
        self.contrast()
        self.sequence()
        only_negative = False
        negations: list[int] = []
        alternative = False
        for i, token in enumerate(self.tokens):
            if token.kind != "control":
                continue
            if token.concept in ("not_next", "not_prev"):
                if only_negative:  # しか … ない says "only"
                    only_negative = False
                    continue
                negations.append(i)
            elif token.concept in _STANCES:
                self.roles.stances.add(token.concept)
                only_negative = token.surface == "しか"
            elif token.concept == "or":
                alternative = True
            elif token.concept == "unasked":
                self.roles.unasked = True
            elif token.concept in ("first", "then"):
                self.roles.first = True
        if alternative and not negations:  # "no a or b" denies both, "a or b" is another rule than "a and b"
            self.roles.stances.add("or")
        # "without" first, so that a wider negation in the same clause leaves its words alone.
        for i in sorted(negations, key=lambda i: self.tokens[i].surface not in _NARROW):
            self.deny(i)
        return self.roles


def roles(tokens: list[Token]) -> Roles:
    """Reads the control words of one sentence; every content token keeps its place."""
    return _Reader(tokens).read()
