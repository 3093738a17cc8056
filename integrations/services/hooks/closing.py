"""Stop, StopFailure, SessionEnd: a turn is over, or all of them are."""

from __future__ import annotations

from typing import Any

from core.errors import NotFound
from integrations.services.hooks.desk import Desk
from integrations.services.hooks.saying import said_store, slice_store, spoken
from transcripts.models import AgentSession, Turn
from transcripts.services.late import turns_over
from transcripts.services.sessions import session_end


def stopped(desk: Desk) -> dict[str, Any]:
    """The answer as the hook brings it, the transcript since the last time, and the end of the turn.

    The transcript's last lines may not be written yet, so the answer comes with the event. After a failure of the
    service (StopFailure) there is none to keep, but what the person had said before it stays said.
    """
    if not desk.may("ingest"):
        return {}
    session = desk.session()
    read = slice_store(desk, session=session, closes=desk.turn)
    turn = desk.turn or (read[-1].key if read else "") or _open_turn(session)
    failed = desk.event.name == "StopFailure"
    text = "" if failed else desk.event.text("last_assistant_message")
    if not turn and not text:
        return {}
    message = spoken(desk, "assistant", text) if text.strip() else None
    turn = turn or f"hook:{desk.envelope.id or desk.now.timestamp()}"
    if message is not None or _is_open(session, turn):
        said_store(desk, session=session, turn=turn, message=message, closed=True)
    _over(desk)
    return {}


def ended(desk: Desk) -> dict[str, Any]:
    """What was still unsaid is stored and the session closed. A crash sends nothing; the next slice brings it."""
    if not desk.may("ingest"):
        return {}
    if desk.envelope.slice:
        slice_store(desk, session=desk.session())
    try:
        session = session_end(agent_key=desk.agent_key, key=desk.event.session, now=desk.now)
    except NotFound as error:  # it ended before anything was said
        desk.notes.append(error.code)
    else:
        _over(desk)
        desk.scan.add(session.pk)
    return {}


def _over(desk: Desk) -> None:
    """Late: whatever else has closed the turns before this moment came later than it."""
    if desk.envelope.late:
        turns_over(agent_key=desk.agent_key, session=desk.event.session, at=desk.at, now=desk.now)


def _open_turn(session: AgentSession) -> str:
    rows = Turn.objects.filter(session=session, closed_at=None).order_by("-opened_at", "-pk")
    return rows.values_list("key", flat=True).first() or ""


def _is_open(session: AgentSession, turn: str) -> bool:
    return Turn.objects.filter(session=session, key=turn, closed_at=None).exists()
