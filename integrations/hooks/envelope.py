"""What the plugin puts around an event (design section 7).

Only our own program writes it, so a field that is odd is left out rather than refused: a broken hint must not cost
the event that it came with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from integrations.hooks import limits
from transcripts.readers.lines import zone

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
_PRINT: Final = re.compile(r"[rd]:[0-9a-zA-Z]{8,78}")
_WORD_CHARS: Final = 200
_SKEW: Final = timedelta(minutes=5)
_UNFIT: Final = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Envelope:
    """``id`` names the event for ever; empty for a bare payload. ``seq`` counts a session's events.

    ``at``: when it happened, never in the future. ``late``: it comes from the spool, nobody waits for the answer.
    ``waiting``: how many others the program still has there; None for one that does not say.
    ``transcript``: the program reads the client's transcript, so what was said comes in slices. ``slice`` holds whole
    lines from ``from_byte`` on; its first lines belong to the turn ``turn``.
    """

    id: str = ""
    seq: int | None = None
    at: datetime | None = None
    late: bool = False
    waiting: int | None = None
    protocol: int | None = None
    plugin: str = ""
    machine: str = ""
    tz: str = ""
    git_branch: str = ""
    workspace: str = ""
    fingerprints: tuple[str, ...] = ()
    transcript: bool = False
    turn: str = ""
    from_byte: int = 0
    slice: tuple[str, ...] = field(default=(), repr=False)


def envelope_of(raw: Mapping[str, Any], *, at: datetime | None, now: datetime) -> Envelope:
    """``at`` is the parsed time of the client's clock; one in the future becomes now."""
    place = raw.get("workspace")
    where: Mapping[str, Any] = place if isinstance(place, Mapping) else {}
    given = raw.get("id")
    return Envelope(
        id=given if isinstance(given, str) and _ID.fullmatch(given) else "",
        seq=_number(raw.get("seq")),
        at=min(at, now) if at is not None and at <= now + _SKEW else None,
        late=raw.get("late") is True,
        waiting=_number(raw.get("waiting")),
        protocol=_number(raw.get("protocol")),
        plugin=_word(raw.get("plugin"))[:40],
        machine=_word(raw.get("machine")),
        tz=_zone(raw.get("tz")),
        git_branch=_word(raw.get("git_branch")),
        workspace=_name(where.get("name")),
        fingerprints=_prints(where.get("fingerprints")),
        transcript=raw.get("transcript") is True,
        turn=_word(raw.get("turn")),
        from_byte=_number(raw.get("from_byte")) or 0,
        slice=_lines(raw.get("slice")),
    )


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62 else None


def _word(value: Any) -> str:
    fits = isinstance(value, str) and len(value) <= _WORD_CHARS and value.isprintable()
    return value.strip() if fits else ""


def _zone(value: Any) -> str:
    found = _word(value)
    return found if zone(found) is not None else ""


def _name(value: Any) -> str:
    """A folder's name as a workspace may be called; an explicit ``<owner>/<name>`` stays."""
    owner, slash, name = _word(value).rpartition("/")
    name = _UNFIT.sub("-", name).strip("-.")[:_WORD_CHARS]
    return f"{owner}{slash}{name}" if name else ""


def _prints(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(v for v in value if isinstance(v, str) and _PRINT.fullmatch(v)))[:20]


def _lines(value: Any) -> tuple[str, ...]:
    """At most what one request should make us read; the plugin cuts far earlier."""
    if not isinstance(value, list):
        return ()
    kept: list[str] = []
    room = limits.MAX_SLICE_BYTES
    for line in value[: limits.MAX_SLICE_LINES]:
        if isinstance(line, str):
            room -= len(line)
            if room < 0:
                break
            kept.append(line)
    return tuple(kept)
