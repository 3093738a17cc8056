"""Rules that a turn must keep before anything is done with it. Every broken rule is named, not only the first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Invalid
from core.models.namespace import NAME
from transcripts import limits
from transcripts.inputs import MessageIn, TurnIn, WorkspaceIn
from transcripts.readers.lines import zone
from transcripts.readers.shapes import ORIGINS, ROLES

_FINGERPRINT = re.compile(r"[rd]:[0-9a-zA-Z]{8,78}")
_MAX_FINGERPRINTS = 20
CLIENT_ORIGINS = tuple(origin for origin in ORIGINS if origin != "injected")


@dataclass(frozen=True)
class Problem:
    """One broken rule: where, which (for programs), what (for people), and what is allowed."""

    field: str
    code: str
    message: str
    allowed: Any = None


def refuse(problems: Sequence[Problem]) -> None:
    """Raise one Invalid that names them all; nothing when there are none."""
    if problems:
        first = problems[0]
        raise Invalid(
            first.message,
            code=first.code,
            field=first.field,
            allowed=first.allowed,
            problems=[asdict(problem) for problem in problems],
        )


def instant(at: datetime | None, local: tzinfo | None) -> datetime | None:
    """The UTC instant of a client's time; without an offset it is read in the session's zone, else as UTC."""
    if at is None:
        return None
    aware = at if at.tzinfo else at.replace(tzinfo=local or UTC)
    try:
        return aware.astimezone(UTC)
    except OverflowError:  # year 1 or 9999, moved over the edge by its offset
        return aware.replace(tzinfo=UTC)


def key_problems(field: str, key: str) -> Iterator[Problem]:
    if not key.strip() or len(key) > limits.MAX_KEY_CHARS:
        yield Problem(
            field,
            "invalid_key",
            _("Give a key of 1 to %(most)d characters.") % {"most": limits.MAX_KEY_CHARS},
            {"min": 1, "max": limits.MAX_KEY_CHARS},
        )


def zone_problems(field: str, name: str) -> Iterator[Problem]:
    if name and (len(name) > 60 or zone(name) is None):
        yield Problem(
            field,
            "unknown_time_zone",
            _("This time zone is not known. Use an IANA name such as Asia/Tokyo."),
            "IANA time zone name",
        )


def workspace_problems(field: str, workspace: WorkspaceIn) -> Iterator[Problem]:
    name = workspace.name.removeprefix("workspace:").rpartition("/")[2]  # another person's is owner/name
    if not NAME.fullmatch(name):
        yield Problem(
            f"{field}.name",
            "invalid_name",
            _("Use 1 to 200 letters, digits, dots, hyphens or underscores, without spaces."),
            NAME.pattern,
        )
    if len(workspace.fingerprints) > _MAX_FINGERPRINTS:
        yield Problem(
            f"{field}.fingerprints",
            "too_many_fingerprints",
            _("At most %(most)d fingerprints are taken.") % {"most": _MAX_FINGERPRINTS},
            {"max": _MAX_FINGERPRINTS},
        )
    for index, value in enumerate(workspace.fingerprints):
        if not _FINGERPRINT.fullmatch(value):
            yield Problem(
                f"{field}.fingerprints[{index}]",
                "invalid_fingerprint",
                _("A fingerprint is r: or d: and 8 to 78 letters or digits."),
                _FINGERPRINT.pattern,
            )


def future_problems(
    field: str, at: datetime | None, now: datetime, local: tzinfo | None
) -> Iterator[Problem]:
    moment = instant(at, local)
    if moment is not None and moment > now + limits.CLOCK_SKEW:
        yield Problem(
            field,
            "future_date",
            _("This time lies in the future. Check the clock and the time zone of the client."),
            {"latest": (now + limits.CLOCK_SKEW).isoformat()},
        )


def message_problems(
    message: MessageIn, path: str, *, now: datetime, local: tzinfo | None = None, trusted: bool = False
) -> Iterator[Problem]:
    """`local`: the session's zone. `trusted`: a reader judged the origins, `injected` among them."""
    if message.key is not None:
        yield from key_problems(f"{path}.key", message.key)
    if message.role not in ROLES:
        yield Problem(
            f"{path}.role", "unknown_role", _("Unknown role. Use one of %(all)s.") % _list(ROLES), list(ROLES)
        )
    if message.origin == "injected" and not trusted:
        yield Problem(
            f"{path}.origin",
            "origin_injected",
            _("Only Hikae decides that a text was injected. Leave the origin out, or use one of %(all)s.")
            % _list(CLIENT_ORIGINS),
            list(CLIENT_ORIGINS),
        )
    elif message.origin is not None and message.origin not in ORIGINS:
        yield Problem(
            f"{path}.origin",
            "unknown_origin",
            _("Unknown origin. Use one of %(all)s.") % _list(CLIENT_ORIGINS),
            list(CLIENT_ORIGINS),
        )
    elif message.origin == "human" and message.role in ROLES and message.role != "user":
        yield Problem(
            f"{path}.origin",
            "origin_of_role",
            _("A text that a person typed has the role user, not %(role)s.") % {"role": message.role},
            [origin for origin in CLIENT_ORIGINS if origin != "human"],
        )
    if not message.text.strip():
        yield Problem(f"{path}.text", "text_empty", _("The text is empty."), {"min": 1})
    elif len(message.text) > limits.MAX_MESSAGE_CHARS:
        yield Problem(
            f"{path}.text",
            "text_too_long",
            _("The text has %(has)d characters; at most %(most)d are taken.")
            % {"has": len(message.text), "most": limits.MAX_MESSAGE_CHARS},
            {"max": limits.MAX_MESSAGE_CHARS},
        )
    yield from future_problems(f"{path}.at", message.at, now, local)


def messages_problems(
    messages: Sequence[MessageIn],
    path: str,
    *,
    now: datetime,
    local: tzinfo | None = None,
    trusted: bool = False,
    most: int = limits.MAX_TURN_MESSAGES,
) -> Iterator[Problem]:
    """Of a list of messages as a whole, then of each."""
    if len(messages) > most and not trusted:
        yield Problem(
            path,
            "too_many_messages",
            _("There are %(has)d messages; at most %(most)d are taken at once.")
            % {"has": len(messages), "most": most},
            {"max": most},
        )
        return
    keys = Counter(keys_of(messages))
    for index, (message, key) in enumerate(zip(messages, keys_of(messages), strict=True)):
        where = f"{path}[{index}]"
        yield from message_problems(message, where, now=now, local=local, trusted=trusted)
        if keys[key] > 1:
            yield Problem(
                f"{where}.key",
                "duplicate_message",
                _("Two messages of this call have the key “%(key)s”.") % {"key": key},
            )


def turn_problems(
    turn: TurnIn, *, now: datetime, local: tzinfo | None = None, trusted: bool = False
) -> Iterator[Problem]:
    yield from key_problems(turn.path("session"), turn.session)
    yield from key_problems(turn.path("key"), turn.key)
    if not turn.messages and not turn.closed:
        yield no_messages(turn)
    yield from messages_problems(turn.messages, turn.path("messages"), now=now, local=local, trusted=trusted)


def no_messages(turn: TurnIn) -> Problem:
    return Problem(turn.path("messages"), "no_messages", _("Send at least one message."), {"min": 1})


def turns_problems(
    turns: Iterable[TurnIn],
    *,
    now: datetime,
    zones: dict[str, tzinfo | None] | None = None,
    trusted: bool = False,
) -> list[Problem]:
    """Every problem of a batch. `zones`: session key → zone, for times without an offset."""
    local = zones or {}
    return [
        problem
        for turn in turns
        for problem in turn_problems(turn, now=now, local=local.get(turn.session), trusted=trusted)
    ]


def keys_of(messages: Sequence[MessageIn]) -> list[str]:
    """Each message's key; the default is its index (design section 3)."""
    return [str(index) if message.key is None else message.key for index, message in enumerate(messages)]


def _list(names: Sequence[str]) -> dict[str, str]:
    return {"all": ", ".join(names)}
