"""What recall takes and gives (design section 4, Recall)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from core.scope import Scope
from memory.models import Memory

MAX_QUESTION = 20_000  # characters; agents paste whole prompts
MAX_HITS = 50
MAX_BUDGET = 1_000_000  # tokens; far above what any agent reads


@dataclass(frozen=True)
class RecallQuery:
    """``budget`` in tokens (``core.text.tokens``) over the texts served; ``as_of`` asks what was valid then.

    ``floor=False`` ranks ``k`` memories however little they have to do with the question.
    """

    text: str
    scope: Scope
    k: int = 8
    budget: int | None = None
    as_of: datetime | None = None
    floor: bool = True


@dataclass(frozen=True)
class Why:
    """Why a memory came: the words of the question it holds, how near its meaning is (cosine; None without a
    vector), what its kind adds to the score, and whether the question holds one of its short forms."""

    terms: tuple[str, ...]
    lexical: float
    meaning: float | None
    kind: float
    named: bool = False


@dataclass(frozen=True)
class Hit:
    """``content`` is the text to serve: redacted once more. ``score`` orders the hits of one answer."""

    memory: Memory
    content: str
    score: float
    why: Why

    @property
    def id(self) -> uuid.UUID:
        return self.memory.pk


@dataclass(frozen=True)
class RecallResult:
    """``degraded``: words alone decided, for some or all memories. ``omitted``: hits that the budget left out."""

    hits: tuple[Hit, ...]
    degraded: bool = False
    omitted: int = 0
