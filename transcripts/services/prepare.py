"""From a message as sent to what may be stored: redacted, fences cut, origin judged (design section 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.hashing import keyed
from core.redact import redact
from transcripts.checks import keys_of
from transcripts.inputs import MessageIn, Voice
from transcripts.readers.fences import cut_fences, shape_origin
from transcripts.services.markers import fence_marker

_ORIGIN_OF_ROLE = {"assistant": "agent", "tool": "tool", "system": "system"}
_PLACEHOLDER = re.compile(r"\[redacted:([a-z0-9-]{1,40})\]")


@dataclass(frozen=True)
class Prepared:
    """A message that may be stored. `digest` tells a replay from a change; the raw text is gone from here on.

    `keyed` is False for a default key. `redactions` are `{"type", "start", "end"}` in `text`, in characters.
    """

    key: str
    keyed: bool
    role: str
    origin: str
    text: str
    digest: str
    redactions: list[dict[str, str | int]]
    cut: int
    at: datetime | None
    origin_missing: bool


def prepare(messages: Sequence[MessageIn], voice: Voice) -> list[Prepared]:
    """Prepare the messages of one call, in order. They were checked before."""
    marker = fence_marker()
    return [
        _prepared(message, key, voice, marker)
        for message, key in zip(messages, keys_of(messages), strict=True)
    ]


def _prepared(message: MessageIn, key: str, voice: Voice, marker: str) -> Prepared:
    clean = redact(message.text).text
    origin, missing = _origin(message, clean, voice)
    cut = cut_fences(clean, marker=marker)
    text = cut.text_without
    if cut.ranges:
        # What a fence held apart may read as one secret once the fence is gone.
        text = redact(text).text
    return Prepared(
        key=key,
        keyed=message.key is not None,
        role=message.role,
        origin=origin,
        text=text,
        digest=keyed("message", message.text),
        redactions=[
            {"type": mark[1], "start": mark.start(), "end": mark.end()}
            for mark in _PLACEHOLDER.finditer(text)
        ],
        cut=sum(end - start for start, end in cut.ranges),
        at=message.at,
        origin_missing=missing,
    )


def _origin(message: MessageIn, text: str, voice: Voice) -> tuple[str, bool]:
    """The origin, and whether the caller left open who typed a user's text. Its shape may lower it, never raise it."""
    if voice.trusted:
        return message.origin or "unknown", False
    missing = message.origin is None and message.role == "user" and not voice.speaks
    origin = message.origin or _ORIGIN_OF_ROLE.get(message.role) or ("human" if voice.speaks else "unknown")
    if origin in ("human", "unknown"):
        origin = shape_origin(text) or origin
    return origin, missing
