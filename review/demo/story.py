"""Read ``history.json`` and put it on the calendar. Pure: no Django, no room.

The file tells days before loading and a time of day in its zone; here they become moments. The same day
always gives the same moments, so that a load that was cut short can go on where it stopped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

FILE = Path(__file__).with_name("history.json")
ROLES = {"human": "user", "agent": "assistant", "tool": "tool", "system": "system"}
SECONDS_A_MESSAGE = 20
_DATE = re.compile(r"\{(j?)date-(\d+)\}")


@dataclass(frozen=True)
class Line:
    """One utterance: ``role`` and ``origin`` as design section 2 names them."""

    role: str
    origin: str
    text: str
    at: datetime


@dataclass(frozen=True)
class Wish:
    """An explicit ``remember`` of the agent. ``scope`` is persona or workspace; ``quote`` may be empty."""

    key: str
    kind: str
    scope: str
    content: str
    quote: str
    confidence: float


@dataclass(frozen=True)
class Squeeze:
    """A compaction right after a turn that is still open."""

    key: str
    trigger: str
    at: datetime


@dataclass(frozen=True)
class Exchange:
    """One turn; ``closed`` is false where a compaction came first."""

    key: str
    lines: tuple[Line, ...]
    closed: bool
    wishes: tuple[Wish, ...]
    squeeze: Squeeze | None

    @property
    def at(self) -> datetime:
        return self.lines[-1].at


@dataclass(frozen=True)
class Conversation:
    """One session of an agent client."""

    key: str
    client: str
    persona: str
    workspace: str
    at: datetime
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True)
class Verdict:
    """What the person did with the candidate of the wish ``candidate`` (act: approve or reject).

    ``content`` is an edited text, ``replaces`` the wish whose memory it supersedes; both may be empty.
    """

    act: str
    candidate: str
    at: datetime
    content: str
    replaces: str
    reason: str


@dataclass(frozen=True)
class Story:
    """Everything, each list in the order of time."""

    zone: str
    personas: tuple[str, ...]
    conversations: tuple[Conversation, ...]
    verdicts: tuple[Verdict, ...]


@cache
def _raw() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def zone() -> ZoneInfo:
    return ZoneInfo(_raw()["zone"])


def story(day: date) -> Story:
    """The history as it looks when it is loaded on ``day`` (a date in the story's zone)."""
    raw = _raw()
    conversations = [_conversation(each, day) for each in raw["sessions"]]
    verdicts = [_verdict(each, day) for each in raw["decisions"]]
    return Story(
        zone=raw["zone"],
        personas=tuple(raw["personas"]),
        conversations=tuple(sorted(conversations, key=lambda each: each.at)),
        verdicts=tuple(sorted(verdicts, key=lambda each: each.at)),
    )


def _moment(entry: Mapping[str, Any], day: date) -> datetime:
    hour, minute = entry["time"].split(":")
    return datetime.combine(
        day - timedelta(days=entry["days_ago"]), time(int(hour), int(minute)), tzinfo=zone()
    )


def _dated(text: str, day: date) -> str:
    """Fill in ``{date-N}`` (2026-05-04) and ``{jdate-N}`` (5月4日)."""

    def fill(match: re.Match[str]) -> str:
        then = day - timedelta(days=int(match[2]))
        return f"{then.month}月{then.day}日" if match[1] else then.isoformat()

    return _DATE.sub(fill, text)


def _conversation(entry: Mapping[str, Any], day: date) -> Conversation:
    at = _moment(entry, day)
    return Conversation(
        key=entry["key"],
        client=entry["client"],
        persona=entry["persona"],
        workspace=entry["workspace"],
        at=at,
        exchanges=tuple(_exchange(f"t{n}", turn, at, day) for n, turn in enumerate(entry["turns"], 1)),
    )


def _exchange(key: str, entry: Mapping[str, Any], start: datetime, day: date) -> Exchange:
    at = start + timedelta(minutes=entry["minute"])
    squeeze = entry.get("compaction")
    return Exchange(
        key=key,
        lines=_lines(entry["messages"], at, day),
        closed=not entry.get("open", False),
        wishes=tuple(
            Wish(
                key=wish["key"],
                kind=wish["kind"],
                scope=wish["namespace"],
                content=_dated(wish["content"], day),
                quote=_dated(wish.get("quote", ""), day),
                confidence=wish["confidence"],
            )
            for wish in entry.get("remember", ())
        ),
        squeeze=squeeze
        and Squeeze(squeeze["key"], squeeze["trigger"], start + timedelta(minutes=squeeze["minute"] + 1)),
    )


def _lines(entries: Sequence[Mapping[str, Any]], at: datetime, day: date) -> tuple[Line, ...]:
    return tuple(
        Line(
            role=ROLES[entry["origin"]],
            origin=entry["origin"],
            text=_dated(entry["text"], day),
            at=at + timedelta(seconds=SECONDS_A_MESSAGE * n),
        )
        for n, entry in enumerate(entries)
    )


def _verdict(entry: Mapping[str, Any], day: date) -> Verdict:
    return Verdict(
        act=entry["act"],
        candidate=entry["candidate"],
        at=_moment(entry, day),
        content=_dated(entry.get("content", ""), day),
        replaces=entry.get("replaces", ""),
        reason=entry.get("reason", ""),
    )
