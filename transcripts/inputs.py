"""What the services of this room take and give (design section 7, `POST sessions/`, `turns/`, `compactions/`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from core.models import AgentKey


@dataclass(frozen=True)
class WorkspaceIn:
    """A workspace as a client knows it: its name, and `r:`/`d:` fingerprints (design section 2)."""

    name: str
    fingerprints: Sequence[str] = ()


@dataclass(frozen=True)
class MessageIn:
    """One utterance as sent. Without `key` its index in the call is its key; without `origin` see design section 3.

    `at` may lack an offset: it is then read in the session's zone, else as UTC (lessons row 17).
    """

    role: str
    text: str
    key: str | None = None
    origin: str | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class TurnIn:
    """One exchange as sent. `where` is its place in the request, such as `turns[3]`; errors name it."""

    session: str
    key: str
    messages: Sequence[MessageIn]
    closed: bool = False
    where: str = field(default="", compare=False)

    def path(self, *steps: str) -> str:
        """`turns[3].messages[0].text`"""
        return ".".join(step for step in (self.where, *steps) if step)


@dataclass(frozen=True)
class Voice:
    """On whose behalf texts arrive.

    `speaks`: may say that a person typed a text. `trusted`: origins were judged already, by a reader of a file that
    a signed-in person handed over; they are stored as given, `injected` included.
    """

    user: User
    agent_key: AgentKey | None
    speaks: bool
    trusted: bool = False

    @classmethod
    def of_key(cls, agent_key: AgentKey) -> Voice:
        return cls(agent_key.user, agent_key, agent_key.speaks_for_person)

    @classmethod
    def of_person(cls, user: User) -> Voice:
        return cls(user, None, speaks=True, trusted=True)


@dataclass(frozen=True)
class Stored:
    """What became of one turn: `created`, `replayed` (nothing new) or `extended`; `new` counts stored messages."""

    key: str
    id: int
    status: str
    new: int = 0


@dataclass(frozen=True)
class StoreResult:
    """`turns` in the order sent. `session_ids`: sessions that now have something to scan; doors nudge for them."""

    turns: list[Stored]
    warnings: list[str]
    session_ids: list[uuid.UUID]

    @property
    def any_new(self) -> bool:
        return any(turn.status != "replayed" for turn in self.turns)


@dataclass(frozen=True)
class Shown:
    """A record as it was put before an agent; `text` is exactly what was served."""

    record_type: str
    record_id: str
    version: int
    text: str
