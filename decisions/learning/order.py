"""In which order to ask: what tells most comes first (design section 5, "Several questions")."""

from __future__ import annotations

from collections.abc import Sequence

from core.text import fold

from .types import Order, Question


def order_questions(questions: Sequence[Question], gains: Sequence[float]) -> Order:
    """Highest information gain first, nothing before what it depends on, given order on ties.

    Defects, by question: "unknown_dependency" (no question has that text; ignored) and "circular_dependency" (the
    questions of the circle keep their order by gain). ValueError unless there is one gain for each question.
    """
    if len(questions) != len(gains):
        raise ValueError("every question needs exactly one gain")
    places: dict[str, int] = {}
    for i, question in enumerate(questions):
        places.setdefault(fold(question.text), i)
    named = [[places.get(fold(text)) for text in question.depends_on] for question in questions]
    needs = [{n for n in one if n is not None} for one in named]
    circles = {i for i in range(len(questions)) if i in _all_before(i, needs)}
    defects = tuple(
        ("unknown_dependency",) * (None in named[i]) + ("circular_dependency",) * (i in circles)
        for i in range(len(questions))
    )
    left, done = sorted(range(len(questions)), key=lambda i: (-gains[i], i)), list[int]()
    while left:
        free = next((i for i in left if needs[i] <= set(done)), None)
        if free is None:
            free = next(i for i in left if i in circles)
        done.append(free)
        left.remove(free)
    return Order(tuple(done), defects)


def _all_before(question: int, needs: Sequence[set[int]]) -> set[int]:
    """What must be asked before it, and before that, and so on."""
    found: set[int] = set()
    ahead = set(needs[question])
    while ahead:
        found |= ahead
        ahead = {n for i in ahead for n in needs[i]} - found
    return found
