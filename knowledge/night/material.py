"""What notes are drafted from: approved memories, requests, choices, and the notes that exist. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

# How much a kind says that can be used again; an event is over.
WORTH: Mapping[str, float] = {
    "pattern": 2.0,
    "postmortem": 2.0,
    "habit": 2.0,
    "decision": 1.5,
    "fact": 1.0,
    "preference": 1.0,
}


@dataclass(frozen=True)
class Piece:
    """One sentence or two that a note can hold. ``type`` is memory or point (kind ``habit``); ``fresh``: new since the
    last night. ``text`` is one line.
    """

    type: str
    id: str
    version: int
    kind: str
    text: str
    language: str
    at: datetime
    fresh: bool = True


@dataclass(frozen=True)
class Asked:
    """One request of a person: ``session`` tells repetitions apart from a long talk."""

    id: str
    session: str
    summary: str
    language: str
    at: datetime
    fresh: bool = True


@dataclass(frozen=True)
class Recurring:
    """Requests that ask for the same in several sessions, the latest first; ``keys`` are the subjects they share."""

    asked: tuple[Asked, ...]
    keys: frozenset[str]
    sessions: int

    @property
    def fresh(self) -> bool:
        return any(each.fresh for each in self.asked)


@dataclass(frozen=True)
class Held:
    """An active note as it is. ``sources`` are ids of the memories and points that its text was made from."""

    id: str
    version: int
    title: str
    slug: str
    description: str
    body: str
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Topic:
    """Pieces that belong together. ``heads`` are the subjects that name it, the strongest first, as (key, form)."""

    heads: tuple[tuple[str, str], ...]
    pieces: tuple[Piece, ...]
    recurring: tuple[Recurring, ...] = ()

    @property
    def worth(self) -> float:
        asked = 1.5 if self.recurring else 0.0
        return sum(WORTH.get(piece.kind, 0.0) for piece in self.pieces) + asked

    @property
    def fresh(self) -> bool:
        return any(piece.fresh for piece in self.pieces) or any(each.fresh for each in self.recurring)

    @property
    def language(self) -> str:
        """Of most of its pieces; English when they say nothing about it."""
        japanese = sum(piece.language == "ja" for piece in self.pieces)
        return "ja" if japanese * 2 > len(self.pieces) else "en"


@dataclass(frozen=True)
class Drafted:
    """A note as it would be made. ``pieces`` are those whose words stand in it."""

    title: str
    slug: str
    description: str
    body: str
    confidence: float
    pieces: tuple[Piece, ...]
    recurring: tuple[Recurring, ...] = ()
    language: str = "en"


@dataclass(frozen=True)
class Changed:
    """A note with other words. ``added`` are new pieces; ``gone`` maps the text of a line that is no longer true to
    what is true now, empty where nothing took its place.
    """

    held: Held
    description: str
    body: str
    confidence: float
    added: tuple[Piece, ...] = ()
    gone: Mapping[str, str] = field(default_factory=dict)


def one_line(text: str) -> str:
    """Without line breaks: a piece stands in a list."""
    return " ".join(text.split())


def languages(pieces: Sequence[Piece]) -> frozenset[str]:
    """Which of the two languages occur."""
    return frozenset(piece.language for piece in pieces if piece.language in ("ja", "en"))
