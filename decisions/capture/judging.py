"""Is this a choice of a person? (design section 5, "Not an observation", "Readings")"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.text import fold
from decisions.capture import reasons
from decisions.capture.shapes import ANY, Asked, Odd
from decisions.learning.labels import match_answer
from decisions.learning.types import OTHER, OptionIn


@dataclass(frozen=True)
class Judged:
    """``observed`` with what was chosen, or the reason why not.

    ``answer`` identifies the answer as such, whatever became of it: a redelivery with another one is a contradiction.
    """

    reason: str
    chosen: tuple[str, ...]
    other: str
    answer: str

    @property
    def observed(self) -> bool:
        return not self.reason


def judge(
    asked: Asked,
    *,
    options: tuple[OptionIn, ...],
    displays: Mapping[str, str],
    skip: str = "",
    prefilled: Collection[str] = (),
) -> Judged:
    """``options`` are those of the question under their own labels, ``displays`` the texts they were shown under.

    ``skip``: why nothing of the call counts. Raises Odd for several answers to a single choice.
    """
    chosen: tuple[str, ...] = ()
    other = ""
    if asked.answer is not None:
        match = match_answer(asked.answer, options, displays=displays, multi=asked.multi)
        chosen, other = match.chosen, match.other
        if len(chosen) > 1 and not asked.multi:
            raise Odd(reasons.MANY_FOR_ONE, f"answers: {asked.text}")
    missing = "" if chosen else reasons.NO_ANSWER
    said = skip or asked.skip or missing
    answer = json.dumps([said, sorted(chosen), fold(other)], ensure_ascii=False)
    return Judged(said or _before(asked, prefilled), chosen, other, answer)


def _before(asked: Asked, prefilled: Collection[str]) -> str:
    seen = ANY in prefilled or fold(asked.text) in {fold(text) for text in prefilled}
    return reasons.PREFILLED if seen else ""


def typed(asked: Asked, judged: Judged) -> list[str]:
    """What the person typed with this answer: words of their own, and a note. Nothing where nobody did."""
    if judged.reason in reasons.NOBODY:
        return []
    return [text for text in (judged.other if OTHER in judged.chosen else "", asked.note) if text.strip()]
