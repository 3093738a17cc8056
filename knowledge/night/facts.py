"""A memory as the night sees it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from knowledge.night import cues
from memory import dedupe

TRUST = ("injected", "tool", "unknown", "agent", "confirmed", "human")


@dataclass(frozen=True)
class Fact:
    """An active memory, its text compiled once.

    ``said_at`` is the time of its evidence, ``since`` when it last became active or was edited. ``used_at``: the last
    explicit use (an agent asked for this very memory); ``shown_at``: the last time that recall put it before an agent.
    """

    id: uuid.UUID
    version: int
    kind: str
    text: str
    language: str
    trust: str
    said_at: datetime
    since: datetime
    used_at: datetime | None = None
    shown_at: datetime | None = None
    features: dedupe.Features = field(repr=False, compare=False, kw_only=True)

    @cached_property
    def tells_change(self) -> bool:
        """The text says that something is otherwise than before; read once, compared with many."""
        return cues.tells_change(self.text)

    @cached_property
    def tells_end(self) -> bool:
        """The text says that something is over."""
        return cues.tells_end(self.text)

    @property
    def weight(self) -> tuple[int, int, float, str]:
        """Which of two equal texts to keep: the better trusted, the fuller, the newer; the id settles ties."""
        trust = TRUST.index(self.trust) if self.trust in TRUST else 0
        return trust, len(self.text), self.said_at.timestamp(), str(self.id)
