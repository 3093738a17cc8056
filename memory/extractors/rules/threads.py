"""The last word of a thread wins across the whole window."""

from __future__ import annotations

import re

from core.text import is_weak_term, terms
from memory.extractors.base import Proposal, Window

_NEGATION = re.compile(r"\b(?:not|no|never|dont|wont|isnt|without)\b|ない|ません|ず|不", re.A)


def last_word(told: list[tuple[int, Proposal]], reversals: set[int], window: Window) -> list[Proposal]:
    """`told` is (utterance number, proposal), oldest first; `reversals` number utterances that take back.

    A reversal silences the nearest earlier statement of its turn, and every earlier one on its topic.
    Repeats are told once, in their last wording.
    """
    gone: set[int] = set()
    for at in reversals:
        earlier = [n for n, (when, _) in enumerate(told) if when < at]
        if earlier:
            nearest = told[earlier[-1]][0]
            people = sum(1 for u in window.utterances[nearest + 1 : at] if u.origin == "human")
            if people == 0:
                gone.update(n for n in earlier if told[n][0] == nearest)
        for n in earlier:
            if any(_same_topic(told[n][1].content, p.content) for when, p in told if when == at):
                gone.add(n)
    for n, (_, p) in enumerate(told):
        for later_at, later in told[n + 1 :]:
            if _same_text(p.content, later.content) or (
                later_at != told[n][0]
                and (
                    _new_value(p.content, later.content) or _restated(p, later, told[n][0], later_at, window)
                )
            ):
                gone.add(n)
    return [p for n, (_, p) in enumerate(told) if n not in gone]


def _restated(p: Proposal, later: Proposal, at: int, later_at: int, window: Window) -> bool:
    """Within one exchange, what the person says about the same thing after the agent acted replaces the first order."""
    if window.mode != "turn" or p.spans[0].role != "statement":
        return False
    between = window.utterances[at + 1 : later_at]
    return any(u.origin == "agent" for u in between) and bool(_topics(p.content) & _topics(later.content))


def _topics(text: str) -> set[str]:
    return {t for t in _key(text) if len(t) > 1 and not re.search(r"\d", t)}


def _key(text: str) -> set[str]:
    return {t for t in terms(text) if not is_weak_term(t)}


def _same_topic(a: str, b: str) -> bool:
    x, y = _key(a), _key(b)
    return bool(x and y) and len(x & y) >= max(1, min(len(x), len(y)) // 3)


def _same_text(a: str, b: str) -> bool:
    x, y = _key(a), _key(b)
    return (
        bool(x and y)
        and len(x & y) / len(x | y) > 0.85
        and bool(_NEGATION.search(a)) == bool(_NEGATION.search(b))
    )


def _new_value(a: str, b: str) -> bool:
    """Same statement with another number: the later value holds."""
    na, nb = set(re.findall(r"\d[\d.:/]*", a)), set(re.findall(r"\d[\d.:/]*", b))
    if not na or not nb or na == nb:
        return False
    x = {t for t in _key(a) if not re.search(r"\d", t)}
    y = {t for t in _key(b) if not re.search(r"\d", t)}
    return bool(x and y) and len(x & y) / len(x | y) > 0.6
