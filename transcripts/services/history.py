"""Write into a session's history what Hikae itself put before the agent (design section 6: `#slug`)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from core.hashing import keyed
from core.ids import new_id
from core.models import AgentKey
from transcripts.inputs import Voice
from transcripts.models import AgentSession, Message, ScanState, Turn
from transcripts.services.held import hold

# Turns of our own, for what is asked for between two turns of the client.
TURN_PREFIX = "expansion:"


@transaction.atomic
def history_append(*, agent_key: AgentKey, session: AgentSession, text: str, now: datetime) -> Message:
    """Store ``text`` as shown by Hikae: in the turn that is open, else in one of its own. It is never scanned.

    Raises Paused when the session's home is paused.
    """
    held = hold(voice=Voice.of_key(agent_key), keys=[session.key], now=now)[session.key]
    held.refuse_unreached()
    held.refuse_paused()
    key = f"{TURN_PREFIX}{new_id()}"
    turn = Turn.objects.filter(session=session, closed_at=None).order_by("-opened_at", "-pk").first()
    if turn is None:
        turn = Turn.objects.create(
            session=session,
            key=key,
            opened_at=now,
            closed_at=now,
            received_at=now,
            due_at=now,
            scan_state=ScanState.DONE,
        )
    last = Message.objects.filter(turn=turn).aggregate(Max("index"))["index__max"]
    return Message.objects.create(
        session=session,
        turn=turn,
        key=key,
        index=0 if last is None else last + 1,
        role="system",
        origin="injected",
        text=text,
        digest=keyed("message", text),
        injected=[[0, len(text)]],
        at=now,
        scanned_at=now,
    )
