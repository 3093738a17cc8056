"""Put an answer together that fits: what the agent reads, and what the person sees in passing (design section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from integrations.hooks.limits import ANSWER_CHARS, NOTICE_CHARS
from knowledge.notes.resident import shorten
from transcripts.readers.fences import fence

_MANY = 10**9  # tokens: characters alone decide here
_LEAST = 200  # characters; a shorter beginning of a text helps nobody


@dataclass(frozen=True)
class Piece:
    """A text for the agent. ``rest`` says how to read it when there is no room for all of it."""

    text: str
    rest: str = ""


def fenced(head: str, pieces: Sequence[Piece], *, marker: str, most: int = ANSWER_CHARS) -> str:
    """The pieces under a heading, in our fence, at most ``most`` characters with everything; "" without pieces."""
    if not pieces:
        return ""
    room = most - len(fence("", marker)) - len(head) - 2
    while True:
        made = fence(f"{head}\n\n{_fitted(pieces, room)}", marker)
        if len(made) <= most or room <= 0:
            return made
        room -= len(made) - most  # a tag inside the text was escaped, which takes more room


def _fitted(pieces: Sequence[Piece], room: int) -> str:
    """As many pieces as there is room for, in order; each that is cut or left out is named in a line."""
    said: list[str] = []
    for number, piece in enumerate(pieces):
        # So that each later one can be named, or stands whole: what has no ``rest`` is short and cannot be cut.
        kept = sum(len(later.rest or later.text) + 2 for later in pieces[number + 1 :])
        left = room - sum(len(text) + 2 for text in said) - kept
        if len(piece.text) <= left:
            said.append(piece.text)
            continue
        part = ""
        if piece.rest and left - len(piece.rest) - 1 >= _LEAST:
            part = shorten(piece.text, budget=_MANY, characters=left - len(piece.rest) - 1)
        text = "\n".join(filter(None, (part, piece.rest)))
        if text and len(text) <= left:
            said.append(text)
    return "\n\n".join(said)


def answer(event: str, *, context: str = "", notice: str = "") -> dict[str, Any]:
    """The hook's answer: ``context`` goes to the agent, ``notice`` to the person alone."""
    found: dict[str, Any] = {}
    if context:
        found["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    if notice:
        found["systemMessage"] = notice if len(notice) <= NOTICE_CHARS else f"{notice[: NOTICE_CHARS - 1]}…"
    return found
