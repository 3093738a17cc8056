"""Store turns: idempotent, redacted, judged, in one transaction (design sections 3 and 7)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, Forbidden
from core.models import AgentKey
from transcripts import checks
from transcripts.inputs import Stored, StoreResult, TurnIn, Voice
from transcripts.models import AgentSession, Message, ScanState, Turn
from transcripts.readers.lines import zone
from transcripts.services.exposures import served_among
from transcripts.services.prepare import Prepared, prepare
from transcripts.services.sessions import refuse_paused, sessions_locked


@dataclass
class _Draft:
    """A turn while it is put together: what is known of it, and what is new."""

    session: AgentSession
    turn: Turn
    known: dict[str, Message]
    fresh: list[Message] = field(default_factory=list)
    is_new: bool = False
    closes: bool = False
    next_index: int = 0


def turns_store(
    *, agent_key: AgentKey, turns: Sequence[TurnIn], now: datetime, backlog: bool = False
) -> StoreResult:
    """Store turns as given, in one transaction: all of them or none.

    Known turns and messages are recognised by their keys; a replay gives the same ids. New messages are appended, a
    turn may be closed later. Raises Invalid and Forbidden (`origin_forbidden`, `out_of_reach`) naming every place,
    Paused, and Conflict (`message_changed`) when a known message comes with another text.
    """
    voice = Voice.of_key(agent_key)
    zones = _zones(voice, turns)
    checks.refuse(checks.turns_problems(turns, now=now, zones=zones))
    _refuse_forbidden_origins(voice, turns)
    # Redaction is the slow part; it is done before any row is locked.
    prepared = [prepare(turn.messages, voice) for turn in turns]
    with transaction.atomic():
        sessions = sessions_locked(agent_key=agent_key, keys=[turn.session for turn in turns], now=now)
        for session in sessions.values():
            refuse_paused(session)
        return store(voice=voice, sessions=sessions, turns=turns, prepared=prepared, now=now, backlog=backlog)


def store(
    *,
    voice: Voice,
    sessions: dict[str, AgentSession],
    turns: Sequence[TurnIn],
    prepared: Sequence[Sequence[Prepared]],
    now: datetime,
    backlog: bool,
    keep_changed: bool = False,
) -> StoreResult:
    """The writing part; the caller holds the rows of `sessions` and has checked `turns`.

    `keep_changed`: a known message with another text stays as it is instead of raising Conflict.
    """
    drafts = _drafts(sessions, turns, now, backlog)
    outcomes: list[tuple[_Draft, str, int]] = []
    conflicts: list[tuple[TurnIn, int, str]] = []
    for turn, messages in zip(turns, prepared, strict=True):
        draft = drafts[turn.session, turn.key]
        if draft.is_new and not (messages or draft.fresh):
            checks.refuse([checks.no_messages(turn)])
        outcomes.append((draft, *_merge(draft, turn, messages, now, conflicts)))
    if conflicts and not keep_changed:
        raise _message_changed(conflicts)
    changed = [draft for draft in drafts.values() if draft.fresh or draft.closes or draft.is_new]
    _mark_served(voice, changed, now)
    _write(changed, now)
    return StoreResult(
        turns=[Stored(draft.turn.key, draft.turn.pk, status, new) for draft, status, new in outcomes],
        warnings=["origin_missing"] if any(m.origin_missing for turn in prepared for m in turn) else [],
        session_ids=_due(changed),
    )


def _drafts(
    sessions: dict[str, AgentSession], turns: Sequence[TurnIn], now: datetime, backlog: bool
) -> dict[tuple[str, str], _Draft]:
    """One draft for each turn of the call, with what is stored of it. Two queries, one when all are new."""
    by_id = {session.pk: session for session in sessions.values()}
    drafts: dict[tuple[str, str], _Draft] = {}
    for row in Turn.objects.filter(session__in=by_id, key__in={turn.key for turn in turns}):
        session = by_id[row.session_id]
        drafts[session.key, row.key] = _Draft(session, row, {})
    wanted = {(turn.session, turn.key) for turn in turns}
    drafts = {place: draft for place, draft in drafts.items() if place in wanted}
    if drafts:
        by_turn = {draft.turn.pk: draft for draft in drafts.values()}
        for message in Message.objects.filter(turn__in=by_turn).only(
            "turn", "key", "role", "digest", "index"
        ):
            draft = by_turn[message.turn_id]
            draft.known[message.key] = message
            draft.next_index = max(draft.next_index, message.index + 1)
    for turn in turns:
        if (turn.session, turn.key) not in drafts:
            session = sessions[turn.session]
            row = Turn(session=session, key=turn.key, opened_at=now, received_at=now, backlog=backlog)
            drafts[turn.session, turn.key] = _Draft(session, row, {}, is_new=True)
    return drafts


def _merge(
    draft: _Draft,
    turn: TurnIn,
    messages: Sequence[Prepared],
    now: datetime,
    conflicts: list[tuple[TurnIn, int, str]],
) -> tuple[str, int]:
    """Lay one delivery over what is known. A batch may hold the same turn twice: first open, then closed."""
    created = draft.is_new and not draft.known and not draft.fresh and not draft.closes
    local = zone(draft.session.tz)
    new = 0
    for position, message in enumerate(messages):
        known = draft.known.get(message.key)
        if known is not None:
            if (known.digest, known.role) != (message.digest, message.role):
                conflicts.append((turn, position, message.key))
            continue
        row = Message(
            session=draft.session,
            key=message.key,
            index=draft.next_index,
            role=message.role,
            origin=message.origin,
            text=message.text,
            digest=message.digest,
            redactions=message.redactions,
            cut=message.cut,
            at=checks.instant(message.at, local) or now,
        )
        draft.next_index += 1
        draft.known[message.key] = row
        draft.fresh.append(row)
        new += 1
    closes = turn.closed and draft.turn.closed_at is None and not draft.closes
    draft.closes = draft.closes or closes
    if created:
        return "created", new
    return ("extended" if new or closes else "replayed"), new


def _mark_served(voice: Voice, drafts: Iterable[_Draft], now: datetime) -> None:
    """Text equal or nearly equal to what this agent was shown is not its own, whoever sends it."""
    fresh = [message for draft in drafts for message in draft.fresh if message.text]
    if not fresh:
        return
    served = served_among(
        sessions={message.session for message in fresh},
        agent_key=voice.agent_key,
        texts=[message.text for message in fresh],
        now=now,
    )
    if not served:
        return
    for message in fresh:
        ranges = served.ranges(message.text)
        if ranges == [(0, len(message.text))]:
            message.origin = "injected"
        message.injected = [list(span) for span in ranges]


def _write(drafts: Sequence[_Draft], now: datetime) -> None:
    for draft in drafts:
        if draft.is_new:
            # A fast clock must not put this turn after those that follow it.
            draft.turn.opened_at = min(draft.fresh[0].at, now)
            if draft.closes:
                draft.turn.closed_at = draft.turn.due_at = now
    Turn.objects.bulk_create([draft.turn for draft in drafts if draft.is_new])
    for draft in drafts:
        if not draft.is_new:
            _reopen_scan(draft, now)
        for message in draft.fresh:
            message.turn = draft.turn
    Message.objects.bulk_create([message for draft in drafts for message in draft.fresh])
    if drafts:
        AgentSession.objects.filter(pk__in={draft.session.pk for draft in drafts}).update(last_turn_at=now)


def _reopen_scan(draft: _Draft, now: datetime) -> None:
    """Conditional: a worker may be scanning this turn. It then finds the new messages when it finishes."""
    if draft.closes:
        Turn.objects.filter(pk=draft.turn.pk, closed_at=None).update(closed_at=now, due_at=now)
    if draft.fresh:
        Turn.objects.filter(pk=draft.turn.pk, scan_state=ScanState.DONE).update(
            scan_state=ScanState.WAITING, attempts=0, due_at=now, error=""
        )


def _due(drafts: Iterable[_Draft]) -> list[uuid.UUID]:
    return sorted({draft.session.pk for draft in drafts if draft.turn.closed_at or draft.closes})


def _zones(voice: Voice, turns: Sequence[TurnIn]) -> dict[str, tzinfo | None]:
    """Zones of the sessions that times without an offset belong to; no query when there are none."""
    naive = {
        turn.session for turn in turns for m in turn.messages if m.at is not None and m.at.tzinfo is None
    }
    if not naive:
        return {}
    rows = AgentSession.objects.visible_to(voice.user).filter(key__in=naive).values_list("key", "tz")
    return {key: zone(name) for key, name in rows}


def _refuse_forbidden_origins(voice: Voice, turns: Sequence[TurnIn]) -> None:
    if voice.speaks:
        return
    places = [
        turn.path(f"messages[{index}].origin")
        for turn in turns
        for index, message in enumerate(turn.messages)
        if message.origin == "human"
    ]
    if places:
        raise Forbidden(
            _("This key does not speak for its person, so it cannot say that a human typed a text."),
            code="origin_forbidden",
            field=places[0],
            fields=places,
            allowed=[origin for origin in checks.CLIENT_ORIGINS if origin != "human"],
        )


def _message_changed(conflicts: Sequence[tuple[TurnIn, int, str]]) -> Conflict:
    turn, position, key = conflicts[0]
    return Conflict(
        _("Message “%(message)s” of turn “%(turn)s” is stored with another text; the first stays.")
        % {"message": key, "turn": turn.key},
        code="message_changed",
        field=turn.path(f"messages[{position}].text"),
        session=turn.session,
        turn=turn.key,
        message_key=key,
        changed=[
            {
                "field": each.path(f"messages[{index}].text"),
                "session": each.session,
                "turn": each.key,
                "message_key": name,
            }
            for each, index, name in conflicts
        ],
    )
