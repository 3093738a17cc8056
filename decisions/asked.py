"""What ``recommend`` is asked and what it says, as doors and pages see it (design section 7)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from decisions.learning.types import Advice, Lang, Prediction, Question


@dataclass(frozen=True)
class AskIn:
    """One to four questions of a session. ``lang`` None: that of the first question."""

    session: str
    questions: tuple[Question, ...]
    context: Mapping[str, str] = field(default_factory=dict)
    lang: Lang | None = None


@dataclass(frozen=True)
class Advised:
    """What is said about one question. ``id`` names the issued row, ``point`` the recurring question if it is known."""

    id: uuid.UUID
    point: uuid.UUID | None
    question: Question
    category: str
    prediction: Prediction
    advice: Advice
    labels: Mapping[str, str]  # option key to label
    evidence: tuple[str, ...]  # choice ids, newest first
    defects: tuple[str, ...]


@dataclass(frozen=True)
class Recommended:
    """The answer to one call: ``questions`` in the order to ask."""

    id: uuid.UUID
    questions: tuple[Advised, ...]
