"""What the acts of the queue answer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from core.errors import DomainError
from review.models import Act


@dataclass(frozen=True)
class ActResult:
    """What happened: items done, left out (heavy kinds in a bulk approval), and changed meanwhile (with why).

    ``remaining``: how many of "all matching" lie beyond the most that one act takes.
    """

    act: Act | None
    done: list[uuid.UUID] = field(default_factory=list)
    left_out: list[uuid.UUID] = field(default_factory=list)
    changed: dict[uuid.UUID, DomainError] = field(default_factory=dict)
    remaining: int = 0
