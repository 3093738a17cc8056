"""Hikae's own exchange format → sessions.

One JSON document::

    {"sessions": [{"key", "client"?, "tz"?, "persona"?, "workspace"?, "cwd"?, "git_branch"?, "started_at"?,
                   "turns": [{"key", "closed"?, "messages": [{"key"?, "role", "origin"?, "text", "at"?}]}]}]}

or JSON Lines, each a turn as `POST turns/` takes it (`{"session", "key", "closed"?, "messages"}`) or a batch
(`{"turns": […]}`). Times are ISO 8601; one without an offset is read in the session's `tz`, else in UTC.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from core.json_faults import is_cut_off
from core.said import gettext_noop
from transcripts.readers.fences import shape_origin
from transcripts.readers.lines import Notes, cleaned, instant, is_storable, key_of, numbered_lines, zone
from transcripts.readers.shapes import ORIGINS, ROLES, ReadMessage, ReadResult, ReadSession, ReadTurn

CLIENT: Final = "plain_json"
_LEFT_OUT: Final = "not valid JSON; the line was left out"
_DEFAULT_ORIGIN: Final = {"assistant": "agent", "tool": "tool", "system": "system"}


@dataclass
class _Session:
    key: str
    about: dict[str, Any]
    turns: dict[str, ReadTurn] = field(default_factory=dict)


@dataclass(frozen=True)
class _Place:
    """Where in the file we are: a line, and a path inside it for the person who has to mend it."""

    line: int
    path: str

    def at(self, step: str) -> "_Place":
        return _Place(self.line, f"{self.path}.{step}" if self.path else step)


def read_plain_json(
    data: bytes, *, filename: str, tz: str | None = None, speaks_for_person: bool = False
) -> ReadResult:
    """The sessions of one file. A turn or message of wrong shape is named and left out; the rest is read.

    role user without origin → unknown, or human when the caller speaks for the person; the shape of a text may
    lower either. "human" on another role than user is lowered to that role's own origin and named.
    """
    reader = _Reader(PurePath(filename).stem or "import", tz, speaks_for_person)
    for line, value in _values(data, reader.notes):
        reader.take(value, _Place(line, ""))
    return ReadResult(reader.sessions(), reader.notes.problems(), dict(reader.notes.skipped))


def _values(data: bytes, notes: Notes) -> Iterator[tuple[int, object]]:
    """The whole file as one JSON value, or one value a line. Nothing is read of a document that is broken."""
    if not re.match(rb"(?:\xef\xbb\xbf)?\s*[\[{]", data):
        notes.problem(1, gettext_noop("neither a JSON object nor a list"))
        return
    first = next((text for _, text in numbered_lines(data, Notes()) if text.strip()), "")
    if isinstance(_loaded(first), dict):
        yield from _line_by_line(data, notes)
        return
    for _ in numbered_lines(data, notes):
        pass  # names the lines whose bytes are no UTF-8
    text = data.decode("utf-8-sig", errors="replace")
    try:
        yield 1, json.loads(text)
    except RecursionError:
        notes.problem(1, gettext_noop("nested too deeply; nothing of the file was read"))
    except json.JSONDecodeError as error:
        if any(_is_turns(_loaded(raw)) for _, raw in numbered_lines(data, Notes()) if raw.startswith("{")):
            yield from _line_by_line(data, notes)  # only its first line is broken
        elif is_cut_off(error, text):
            line = text.count("\n") + 1
            said = gettext_noop("the JSON is cut off here, after %(size)s bytes; nothing of it was read")
            notes.problem(line, said, size=f"{len(data):,}")
        else:
            said = gettext_noop("not valid JSON at character %(n)s; nothing of the file was read")
            notes.problem(error.lineno, said, n=error.colno)
    except ValueError:
        notes.problem(
            1, gettext_noop("holds a number of more than 4,300 digits; nothing of the file was read")
        )


def _line_by_line(data: bytes, notes: Notes) -> Iterator[tuple[int, object]]:
    unread = 0
    for number, text in numbered_lines(data, notes):
        if unread:
            notes.problem(unread, _LEFT_OUT)
            unread = 0
        if not text.strip():
            continue
        value = _loaded(text)
        if value is None:
            unread = number
        else:
            yield number, value
    if unread and not data.endswith(b"\n"):
        notes.skip("half_written_last_line")
    elif unread:
        notes.problem(unread, _LEFT_OUT)


def _loaded(text: str) -> object:
    """None where it is no JSON."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _is_turns(value: object) -> bool:
    return isinstance(value, dict) and any(name in value for name in ("sessions", "turns", "messages"))


class _Reader:
    def __init__(self, fallback: str, tz: str | None, speaks_for_person: bool) -> None:
        self.notes = Notes()
        self.fallback = key_of(fallback) or "import"
        self.tz = tz
        self.speaks_for_person = speaks_for_person
        self._sessions: dict[str, _Session] = {}

    def take(self, value: object, place: _Place) -> None:
        """One value of the file: a document, a batch, a turn, or a list of these."""
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, list):
                    self.notes.problem(place.line, gettext_noop("a list inside a list"), at=f"[{index}]")
                else:
                    self.take(item, place.at(f"[{index}]"))
        elif not isinstance(value, dict):
            self._problem(place, gettext_noop("must be an object"))
        elif "sessions" in value:
            for item, where in self._items(value, "sessions", place):
                self._session(item, where)
        elif "turns" in value:
            self._session(value, place)
        elif "messages" in value:
            self._turn(self._of(value), value, place)
        else:
            self._problem(place, gettext_noop('has none of "sessions", "turns", "messages"'))

    def sessions(self) -> tuple[ReadSession, ...]:
        return tuple(self._finished(session) for session in self._sessions.values() if session.turns)

    def _problem(self, place: _Place, said: str, /, **values: str | int) -> None:
        self.notes.problem(place.line, said, at=place.path, **values)

    def _items(
        self, value: dict[str, Any], name: str, place: _Place
    ) -> Iterator[tuple[dict[str, Any], _Place]]:
        items = value.get(name)
        if not isinstance(items, list):
            self._problem(place.at(name), gettext_noop("must be a list"))
            return
        for index, item in enumerate(items):
            where = place.at(f"{name}[{index}]")
            if isinstance(item, dict):
                yield item, where
            else:
                self._problem(where, gettext_noop("must be an object"))

    def _of(self, value: dict[str, Any]) -> _Session:
        """The session that a turn, batch or session object belongs to."""
        named = value.get("session")
        about = named if isinstance(named, dict) else value if "turns" in value else {}
        key = key_of(named) or key_of(about.get("key")) or self.fallback
        session = self._sessions.setdefault(key, _Session(key, {}))
        session.about = {**about, **session.about}
        return session

    def _session(self, value: dict[str, Any], place: _Place) -> None:
        session = self._of(value)
        for item, where in self._items(value, "turns", place):
            self._turn(self._of(item) if "session" in item else session, item, where)

    def _turn(self, session: _Session, value: dict[str, Any], place: _Place) -> None:
        key = key_of(value.get("key")) or f"t{len(session.turns)}"
        if key in session.turns:
            self._problem(place, gettext_noop('a second turn with key "%(key)s"; it was left out'), key=key)
            return
        local = zone(session.about.get("tz") or self.tz)
        messages: dict[str, ReadMessage] = {}
        for index, (item, where) in enumerate(self._items(value, "messages", place)):
            message = self._message(index, item, where)
            if message is None:
                continue
            if message.key in messages:
                said = gettext_noop('a second message with key "%(key)s"; it was left out')
                self._problem(where, said, key=message.key)
                continue
            at = instant(item.get("at"), local=local)
            if item.get("at") is not None and at is None:
                self._problem(where.at("at"), gettext_noop("must be an ISO 8601 time; it was left empty"))
            messages[message.key] = ReadMessage(message.key, message.role, message.origin, message.text, at)
        if messages:
            session.turns[key] = ReadTurn(key, tuple(messages.values()), value.get("closed") is not False)

    def _message(self, index: int, value: dict[str, Any], place: _Place) -> ReadMessage | None:
        role, text, stated = value.get("role"), value.get("text"), value.get("origin")
        if not isinstance(role, str) or role not in ROLES:
            self._problem(
                place.at("role"), gettext_noop("must be one of %(allowed)s"), allowed=", ".join(ROLES)
            )
            return None
        if not isinstance(text, str) or not text.strip():
            self._problem(place.at("text"), gettext_noop("must be a text that is not empty"))
            return None
        if not is_storable(text):
            said = gettext_noop("held NUL characters or lone surrogates; they were replaced")
            self._problem(place.at("text"), said)
            text = cleaned(text)
        return ReadMessage(
            key_of(value.get("key")) or str(index), role, self._origin(role, stated, text, place), text, None
        )

    def _origin(self, role: str, stated: object, text: str, place: _Place) -> str:
        default = _DEFAULT_ORIGIN.get(role) or ("human" if self.speaks_for_person else "unknown")
        origin = default if stated is None else stated
        if not isinstance(origin, str) or origin not in ORIGINS:
            said = gettext_noop("must be one of %(allowed)s; taken as unknown")
            self._problem(place.at("origin"), said, allowed=", ".join(ORIGINS))
            origin = "unknown"
        if origin == "human" and role != "user":
            said = gettext_noop("human is for role user; taken as %(origin)s")
            self._problem(place.at("origin"), said, origin=default)
            origin = default
        if origin in ("human", "unknown"):
            return shape_origin(text) or origin
        return origin

    def _finished(self, session: _Session) -> ReadSession:
        about = session.about
        name = about.get("tz") or self.tz
        local = zone(name)
        times = [message.at for turn in session.turns.values() for message in turn.messages if message.at]
        return ReadSession(
            key=session.key,
            client=key_of(about.get("client")) or CLIENT,
            turns=tuple(session.turns.values()),
            compactions=(),
            cwd=key_of(about.get("cwd")),
            git_branch=key_of(about.get("git_branch")),
            started_at=instant(about.get("started_at"), local=local) or min(times, default=None),
            tz=name if local else None,
            persona=key_of(about.get("persona")),
            workspace=key_of(about.get("workspace")),
        )
