"""Messages that a compaction stored first move into their turn when that arrives, so that nothing is scanned twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from transcripts.models import AgentSession, Message, Turn, TurnPin
from transcripts.services.prepare import Prepared

# Turns that a compaction opened itself, because their own had not arrived yet.
TURN_PREFIX = "compaction:"


class Waiting:
    """What compactions stored of these sessions and no turn has claimed yet."""

    def __init__(self, sessions: Iterable[AgentSession], prepared: Iterable[Sequence[Prepared]]) -> None:
        self._rows: dict[tuple[UUID, str, str], list[Message]] = {}
        rows = Message.objects.filter(
            session__in=list(sessions),
            turn__key__startswith=TURN_PREFIX,
            digest__in={message.digest for messages in prepared for message in messages},
        )
        for row in rows.order_by("pk"):
            self._rows.setdefault((row.session_id, row.role, row.digest), []).append(row)

    def take(self, session: AgentSession, message: Prepared, at: datetime | None) -> Message | None:
        """The stored row of this very message. It is known by its key, or by text and time: "yes" is said often."""
        rows = self._rows.get((session.pk, message.role, message.digest), [])
        for row in rows:
            if (message.keyed and row.key == message.key) or (at is not None and row.at == at):
                rows.remove(row)
                return row
        return None


def move(adopted: Collection[tuple[Message, Turn]]) -> None:
    """Write the moves. A turn left empty goes; what held it holds the turns that took its messages."""
    if not adopted:
        return
    sources: dict[int, set[int]] = {}
    for message, turn in adopted:
        sources.setdefault(message.turn_id, set()).add(turn.pk)
        message.turn = turn
    Message.objects.bulk_update([message for message, _turn in adopted], ["turn", "key", "index"])
    TurnPin.objects.bulk_create(
        [
            TurnPin(turn_id=target, holder=pin.holder)
            for pin in TurnPin.objects.filter(turn__in=sources)
            for target in sorted(sources[pin.turn_id])
        ],
        ignore_conflicts=True,
    )
    Turn.objects.filter(pk__in=sources, messages=None).delete()
