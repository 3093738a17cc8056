"""Transcript lines from a byte offset on, as turns (design section 3; the reader: `transcripts.readers`).

A slice may begin in the middle of a turn. Which turn that is the plugin remembers; the reader cannot know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from transcripts.readers.claude_code import read_claude_code
from transcripts.readers.shapes import ReadTurn


@dataclass(frozen=True)
class Sliced:
    """``turns`` in order, each key once. ``problems`` counts lines that could not be read."""

    turns: tuple[ReadTurn, ...] = ()
    problems: int = 0


def sliced(lines: Sequence[str], *, session: str, turn: str, speaks: bool) -> Sliced:
    """The turns of ``session``. What a fork copied from another session belongs to that one, and is left out."""
    if not lines:
        return Sliced()
    data = "\n".join(lines).encode("utf-8", "replace") + b"\n"
    read = read_claude_code(data, filename=f"{session}.jsonl", speaks_for_person=speaks)
    turns = [each for found in read.sessions if found.key == session for each in found.turns]
    if turns and turn and not _opens(turns[0]):
        turns[0] = replace(turns[0], key=turn)
    joined: dict[str, ReadTurn] = {}
    for each in turns:
        known = joined.get(each.key)
        joined[each.key] = (
            each if known is None else replace(known, messages=(*known.messages, *each.messages))
        )
    return Sliced(tuple(joined.values()), len(read.problems))


def _opens(turn: ReadTurn) -> bool:
    """Begins with what somebody or something asked, not with an answer to it."""
    return bool(turn.messages) and turn.messages[0].role == "user"
