"""A turn while it is put together from what is stored and what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from core.errors import Conflict
from transcripts import checks
from transcripts.inputs import TurnIn
from transcripts.models import AgentSession, Message, Turn
from transcripts.readers.lines import zone
from transcripts.services.adopt import Waiting
from transcripts.services.held import Held
from transcripts.services.prepare import Prepared


@dataclass(frozen=True)
class Changed:
    """A message that is stored with another text."""

    turn: TurnIn
    place: int
    key: str

    @property
    def field(self) -> str:
        return self.turn.path(f"messages[{self.place}].text")


@dataclass
class Draft:
    """What is known of one turn, and what is new: `fresh` messages, and those `adopted` from a compaction."""

    session: AgentSession
    turn: Turn
    known: dict[str, Message]
    fresh: list[Message] = field(default_factory=list)
    adopted: list[Message] = field(default_factory=list)
    is_new: bool = False
    closes: bool = False
    next_index: int = 0

    @property
    def changed(self) -> bool:
        return bool(self.is_new or self.fresh or self.adopted or self.closes)

    def lay(
        self,
        turn: TurnIn,
        messages: Sequence[Prepared],
        *,
        now: datetime,
        waiting: Waiting | None,
        changed: list[Changed],
    ) -> tuple[str, int]:
        """Lay one delivery over what is known; returns its status and how many messages were new.

        A batch may hold the same turn twice, first open, then closed. Texts that differ go to `changed`.
        """
        created = self.is_new and not self.known
        local = zone(self.session.tz)
        new = 0
        for place, message in enumerate(messages):
            known = self.known.get(message.key)
            if known is None:
                at = checks.instant(message.at, local)
                self._add(message, waiting.take(self.session, message, at) if waiting else None, at or now)
                new += 1
            elif (known.digest, known.role) != (message.digest, message.role):
                changed.append(Changed(turn, place, message.key))
        closes = turn.closed and self.turn.closed_at is None and not self.closes
        self.closes = self.closes or closes
        if created:
            return "created", new
        return ("extended" if new or closes else "replayed"), new

    def _add(self, message: Prepared, stored: Message | None, at: datetime) -> None:
        if stored is not None:
            stored.key = message.key
            self.adopted.append(stored)
        row = stored or Message(
            session=self.session,
            key=message.key,
            role=message.role,
            origin=message.origin,
            text=message.text,
            digest=message.digest,
            redactions=message.redactions,
            cut=message.cut,
            at=at,
        )
        if stored is None:
            self.fresh.append(row)
        row.index = self.next_index
        self.next_index += 1
        self.known[message.key] = row


def drafts_of(
    held: Mapping[str, Held], turns: Sequence[TurnIn], *, now: datetime, backlog: bool
) -> dict[tuple[str, str], Draft]:
    """One draft for each turn of the call, by session and turn key. Two queries, one when all are new."""
    sessions = {each.session.pk: each.session for each in held.values()}
    wanted = {(turn.session, turn.key) for turn in turns}
    drafts: dict[tuple[str, str], Draft] = {}
    for row in Turn.objects.filter(session__in=sessions, key__in={key for _session, key in wanted}):
        place = (sessions[row.session_id].key, row.key)
        if place in wanted:  # the query asks for every key in every session
            drafts[place] = Draft(sessions[row.session_id], row, {})
    by_turn = {draft.turn.pk: draft for draft in drafts.values()}
    if by_turn:
        for message in Message.objects.filter(turn__in=by_turn).only(
            "turn", "key", "role", "digest", "index"
        ):
            draft = by_turn[message.turn_id]
            draft.known[message.key] = message
            draft.next_index = max(draft.next_index, message.index + 1)
    for turn in turns:
        if (turn.session, turn.key) not in drafts:
            session = held[turn.session].session
            new = Turn(session=session, key=turn.key, opened_at=now, received_at=now, backlog=backlog)
            drafts[turn.session, turn.key] = Draft(session, new, {}, is_new=True)
    return drafts


def message_changed(changed: Sequence[Changed]) -> Conflict:
    """Names every message that came with another text."""
    first = changed[0]
    return Conflict(
        _("Message “%(message)s” of turn “%(turn)s” is stored with another text; the first stays.")
        % {"message": first.key, "turn": first.turn.key},
        code="message_changed",
        field=first.field,
        session=first.turn.session,
        turn=first.turn.key,
        message_key=first.key,
        changed=[
            {
                "field": each.field,
                "session": each.turn.session,
                "turn": each.turn.key,
                "message_key": each.key,
            }
            for each in changed
        ],
    )
