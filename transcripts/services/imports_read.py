"""From a transcript file to what may be stored of it: read, checked, redacted. Writes nothing (design section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import PurePath

from django.contrib.auth.models import User

from core.errors import Invalid
from transcripts import checks, limits
from transcripts.inputs import MessageIn, TurnIn, Voice
from transcripts.readers import read
from transcripts.readers.lines import shortened
from transcripts.readers.shapes import Problem, ReadSession, ReadTurn, TooLarge
from transcripts.services.prepare import Prepared, prepare

_NOTE_CHARS = 100  # room for the note that says how much was left out


@dataclass(frozen=True)
class FileTurn:
    """A closed turn of the file, ready to be stored."""

    key: str
    messages: tuple[Prepared, ...]


@dataclass(frozen=True)
class FileSession:
    """A session of the file. ``persona`` and ``workspace`` are what the file says, by name or reference."""

    key: str
    client: str
    persona: str | None
    workspace: str | None
    tz: str | None
    started_at: datetime | None
    turns: tuple[FileTurn, ...]

    @property
    def message_count(self) -> int:
        return sum(len(turn.messages) for turn in self.turns)


@dataclass
class Transcript:
    """A file without its secrets. ``persona`` and ``workspace`` are the person's word and win over the file's.

    ``problems`` name lines (0: not one line), ``skipped`` counts what was left out on purpose, by reason.
    """

    filename: str
    sha256: str
    persona: str | None
    workspace: str | None
    sessions: list[FileSession] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def secrets(self) -> int:
        """How many were cut out."""
        return sum(
            len(message.redactions)
            for session in self.sessions
            for turn in session.turns
            for message in turn.messages
        )


def transcript_read(
    *,
    user: User,
    data: bytes,
    filename: str,
    persona: str | None = None,
    workspace: str | None = None,
    now: datetime,
    tz: str | None = None,
) -> Transcript:
    """Everything slow about an import, before any row is locked. Raises Invalid (``file_too_large``)."""
    try:
        result = read(data, filename=filename, tz=tz, speaks_for_person=True)
    except TooLarge as error:
        raise Invalid(str(error), code="file_too_large", field="file") from error
    name = PurePath(filename).name
    found = Transcript(name, sha256(data).hexdigest(), persona, workspace, problems=list(result.problems))
    found.skipped.update(result.skipped)
    voice = Voice.of_person(user)
    waiting = list(reversed(result.sessions))
    del result  # a session's first form goes when its second is made: a large file is not held twice
    while waiting:
        session = waiting.pop()
        turns = tuple(_turns(session, found, voice, now))
        found.sessions.append(
            FileSession(
                session.key,
                session.client,
                session.persona,
                session.workspace,
                session.tz,
                session.started_at,
                turns,
            )
        )
    return found


def _turns(session: ReadSession, found: Transcript, voice: Voice, now: datetime) -> Iterator[FileTurn]:
    """What may be stored of a session; what may not is named in the report."""
    at = session.started_at
    for each in session.turns:
        turn, at = _turn(session, each, at, found, now)
        wrong = checks.turns_problems([turn], now=now, trusted=True)
        found.problems += [
            Problem(0, "%(said)s", {"said": problem.message}, f"{turn.key}: {problem.field}")
            for problem in wrong
        ]
        if not wrong:
            yield FileTurn(turn.key, tuple(prepare(turn.messages, voice)))


def _turn(
    session: ReadSession, turn: ReadTurn, at: datetime | None, found: Transcript, now: datetime
) -> tuple[TurnIn, datetime | None]:
    """Times the file leaves open follow the message before, so that an old conversation keeps its place."""
    messages = []
    for message in turn.messages:
        if message.at is not None and message.at > now + limits.CLOCK_SKEW:
            found.skipped["future_time"] += 1
        elif message.at is not None:
            at = message.at
        text = shortened(message.text, limits.MAX_MESSAGE_CHARS - _NOTE_CHARS)
        found.skipped["end_of_long_text"] += text != message.text
        messages.append(MessageIn(message.role, text, message.key, message.origin, at))
    return TurnIn(session.key, turn.key, messages, closed=True), at
