"""What every reader returns: sessions, turns and messages of one transcript file (design section 3).

All times are aware and in UTC. All texts and keys are free of NUL and lone surrogates, so that
`core.text.clean` accepts them. Keys are stable: reading a longer copy of the same file gives the same
keys again, so that an import can be repeated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

ROLES = ("user", "assistant", "tool", "system")
ORIGINS = ("human", "agent", "tool", "system", "injected", "unknown")


class TooLarge(ValueError):
    """The file is larger than a reader takes; the message names both sizes in bytes."""


class UnknownFormat(ValueError):
    """`format` is none of the registered names; the message lists them."""


@dataclass(frozen=True)
class ReadMessage:
    """One utterance. `role` is one of ROLES, `origin` one of ORIGINS; `at` is None when the file is silent."""

    key: str
    role: str
    origin: str
    text: str
    at: datetime | None


@dataclass(frozen=True)
class ReadTurn:
    """A prompt and everything until the next one. Only a closed turn may be scanned."""

    key: str
    messages: tuple[ReadMessage, ...]
    closed: bool


@dataclass(frozen=True)
class ReadCompaction:
    """The client summarised its window away. `trigger`: manual, auto or unknown; `after_message`: a message key."""

    key: str
    trigger: str
    after_message: str | None
    at: datetime | None


@dataclass(frozen=True)
class ReadSession:
    """One run of a client. `tz` is an IANA name when the file states one; persona and workspace likewise."""

    key: str
    client: str
    turns: tuple[ReadTurn, ...]
    compactions: tuple[ReadCompaction, ...]
    cwd: str | None
    git_branch: str | None
    started_at: datetime | None
    tz: str | None
    persona: str | None = None
    workspace: str | None = None


@dataclass(frozen=True)
class Problem:
    """A line (1-based; 0: none) that could not be read, or was read with a change, and why.

    ``said % values`` is the English sentence; who shows it translates ``said``. ``place`` is where in a document.
    """

    line: int
    said: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    place: str = ""

    @property
    def reason(self) -> str:
        """In English, with its place."""
        sentence = self.said % self.values
        return f"{self.place}: {sentence}" if self.place else sentence


@dataclass(frozen=True)
class ReadResult:
    """`skipped` counts what was left out on purpose, by reason; nothing disappears uncounted."""

    sessions: tuple[ReadSession, ...]
    problems: tuple[Problem, ...]
    skipped: Mapping[str, int]
