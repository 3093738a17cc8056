"""Store what was said: the prompt, the answer, and the transcript between them, each message once.

The same text arrives twice: by the hook at once, by the transcript later. So a message is known by who says it and
what, within its turn; whichever comes first is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from core.hashing import keyed
from integrations.hooks.slices import sliced
from integrations.services.hooks.desk import Desk
from transcripts import limits
from transcripts.inputs import MessageIn, StoreResult, TurnIn
from transcripts.models import AgentSession
from transcripts.readers.lines import shortened
from transcripts.readers.shapes import ReadMessage, ReadTurn
from transcripts.services.late import turns_backdate, turns_settle
from transcripts.services.turns import turns_store

_BATCH = 400  # messages of one turn that are stored at a time
_NOTE_CHARS = 100  # room for the note that says how much was left out
_SAID = ("user", "assistant")


def said_store(
    desk: Desk,
    *,
    session: AgentSession,
    turn: str,
    message: MessageIn | None,
    closed: bool,
    at: datetime | None = None,
) -> None:
    """One message of a hook, and whether the turn is over (``at``: since when, if not since this event).

    Nothing to say and nothing to close stores nothing.
    """
    if message is not None and not message.text.strip():
        message = None
    if message is not None or closed:
        _store(desk, [TurnIn(session.key, turn, [message] if message else [], closed)], closed=at)


def slice_store(desk: Desk, *, session: AgentSession, closes: str = "") -> Sequence[ReadTurn]:
    """The slice of the transcript. All its turns but the last are over; the last one, if it is ``closes``."""
    found = sliced(
        desk.envelope.slice,
        session=session.key,
        turn=desk.envelope.turn,
        speaks=desk.agent_key.speaks_for_person,
    )
    if found.problems:
        desk.notes.append(f"unread_lines:{found.problems}")
    last = len(found.turns) - 1
    for place, turn in enumerate(found.turns):
        messages = _messages(desk, turn.messages)
        if not messages:
            continue
        for start in range(0, len(messages), _BATCH):
            part = messages[start : start + _BATCH]
            ends = start + _BATCH >= len(messages)
            _store(
                desk,
                [TurnIn(session.key, turn.key, part, closed=ends and (place < last or turn.key == closes))],
            )
    return found.turns


def spoken(desk: Desk, role: str, text: str, *, origin: str | None = None) -> MessageIn:
    """A message that a hook brings by itself."""
    text = _short(text.strip())
    return MessageIn(role, text, key=_key(role, text), origin=origin, at=desk.at)


def _messages(desk: Desk, read: Iterable[ReadMessage]) -> list[MessageIn]:
    """As the reader judged them; a time in the future, or none, becomes that of the event."""
    found: list[MessageIn] = []
    seen: Counter[str] = Counter()
    latest = desk.now + timedelta(seconds=1)
    # A key that does not speak for its person cannot vouch for what a transcript says of them either.
    kept = ("human", "unknown", "system") if desk.agent_key.speaks_for_person else ("unknown", "system")
    for each in read:
        text = _short(each.text.strip())
        if not text:
            continue
        key = _key(each.role, text) if each.role in _SAID else each.key
        seen[key] += 1
        if seen[key] > 1:
            key = f"{key}#{seen[key]}"
        at = each.at if each.at is not None and each.at <= latest else desk.at
        # What the transcript shows of our own blocks is cut by the fence; the server alone calls a text injected.
        origin = each.origin if each.origin in kept else None
        found.append(MessageIn(each.role, text, key=key, origin=origin, at=at))
    return found


def _key(role: str, text: str) -> str:
    return f"{role[0]}:{keyed('hook-message', text)[:24]}"


def _short(text: str) -> str:
    return shortened(text, limits.MAX_MESSAGE_CHARS - _NOTE_CHARS)


def _store(desk: Desk, turns: Sequence[TurnIn], closed: datetime | None = None) -> StoreResult:
    stored = turns_store(agent_key=desk.agent_key, turns=turns, now=desk.now)
    desk.scan.update(stored.session_ids)
    grown = [turn.key for turn in stored.turns if turn.status == "extended" and turn.new]
    if desk.envelope.late:
        turns_backdate(agent_key=desk.agent_key, turns=turns, closed=closed or desk.at, now=desk.now)
        grown = [turn.key for turn in stored.turns]
    if grown:
        turns_settle(agent_key=desk.agent_key, session=turns[0].session, keys=grown, now=desk.now)
    return stored
