"""What services take and give; plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.models import AgentKey, Namespace
    from memory.models import Candidate
    from transcripts.models import AgentSession, Message

MAX_CONTENT_CHARS = 8_000


@dataclass(frozen=True)
class SpanIn:
    """A verbatim span: ``quote == message.text[start:end]`` while the message exists."""

    message: Message | None
    role: str
    origin: str
    quote: str
    start: int
    end: int
    at: datetime


@dataclass(frozen=True)
class Vector:
    """An embedding with the name of its space."""

    space: str
    values: list[float]


@dataclass(frozen=True)
class Proposed:
    """What an extractor, an agent or a person proposes, validated and grounded."""

    namespace: Namespace
    kind: str
    content: str
    source: str
    trust: str
    confidence: float = 0.5
    why: str = ""
    extractor: str = ""
    spans: tuple[SpanIn, ...] = ()
    session: AgentSession | None = None
    agent_key: AgentKey | None = None
    idempotency_key: str = ""
    vector: Vector | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of a proposal: ``created``, ``sighted``, ``reopened``, ``suppressed`` or ``replayed``.

    ``candidate`` is None when it was suppressed, or is known as a memory that no candidate led to.
    """

    result: str
    candidate: Candidate | None = None
    detail: str = ""
    resembles: tuple[str, ...] = field(default=())
