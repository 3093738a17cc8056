"""Store turns: idempotent, redacted, judged, in one transaction (design sections 3 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo

from django.db import transaction

from core.models import AgentKey
from transcripts import checks
from transcripts.inputs import Stored, StoreResult, TurnIn, Voice
from transcripts.models import AgentSession, Message, ScanState, Turn
from transcripts.readers.lines import zone
from transcripts.services.adopt import Waiting, move
from transcripts.services.drafts import Changed, Draft, drafts_of, message_changed
from transcripts.services.exposures import served_among
from transcripts.services.held import Held, hold_or_open
from transcripts.services.origins import refuse_forbidden
from transcripts.services.prepare import Prepared, prepare


def turns_store(
    *, agent_key: AgentKey, turns: Sequence[TurnIn], now: datetime, backlog: bool = False
) -> StoreResult:
    """Store turns as given, in one transaction: all of them or none.

    Known turns and messages are recognised by their keys; a replay gives the same ids. New messages are appended, a
    turn may be closed later. Raises Invalid and Forbidden (`origin_forbidden`, `out_of_reach`) naming every place,
    Paused, and Conflict (`message_changed`) when a known message comes with another text.
    """
    voice = Voice.of_key(agent_key)
    checks.refuse(checks.turns_problems(turns, now=now, zones=_zones(voice, turns)))
    refuse_forbidden(voice, *((turn.path("messages"), turn.messages) for turn in turns))
    # Redaction is the slow part; it is done before any row is locked.
    prepared = [prepare(turn.messages, voice) for turn in turns]
    with transaction.atomic():
        held = hold_or_open(agent_key=agent_key, keys=[turn.session for turn in turns], now=now)
        for each in held.values():
            each.refuse_paused()
        return store(voice=voice, held=held, turns=turns, prepared=prepared, now=now, backlog=backlog)


def store(
    *,
    voice: Voice,
    held: Mapping[str, Held],
    turns: Sequence[TurnIn],
    prepared: Sequence[Sequence[Prepared]],
    now: datetime,
    backlog: bool = False,
    queued: bool = True,
    changed: list[Changed] | None = None,
) -> StoreResult:
    """The writing part; the caller holds the sessions and has checked `turns`.

    `queued` False: new turns are not scanned by themselves, because a compaction covers them. With a list for
    `changed`, messages that are stored with another text stay and are listed there, instead of Conflict.
    """
    conflicts: list[Changed] = [] if changed is None else changed
    drafts = drafts_of(held, turns, now=now, backlog=backlog)
    squeezed = [each.session for each in held.values() if each.squeezed]
    waiting = Waiting(squeezed, prepared) if squeezed and queued else None
    outcomes: list[tuple[Draft, str, int]] = []
    for turn, messages in zip(turns, prepared, strict=True):
        draft = drafts[turn.session, turn.key]
        if draft.is_new and not (messages or draft.known):
            checks.refuse([checks.no_messages(turn)])
        status, new = draft.lay(turn, messages, now=now, waiting=waiting, changed=conflicts)
        outcomes.append((draft, status, new))
    if conflicts and changed is None:
        raise message_changed(conflicts)
    touched = [draft for draft in drafts.values() if draft.changed]
    if any(each.exposed for each in held.values()):
        _mark_served(voice, touched, now)
    _write(touched, now, queued)
    return StoreResult(
        turns=[Stored(draft.turn.key, draft.turn.pk, status, new) for draft, status, new in outcomes],
        warnings=["origin_missing"] if any(m.origin_missing for turn in prepared for m in turn) else [],
        session_ids=sorted({draft.session.pk for draft in touched if _is_due(draft, now)}),
    )


def _is_due(draft: Draft, now: datetime) -> bool:
    """Whether a worker could scan it now: a session that waits for its workspace is the sweeper's, later."""
    waits_until = draft.session.workspace_wait_until
    return bool(draft.closes or draft.turn.closed_at) and not (waits_until and waits_until > now)


def _mark_served(voice: Voice, drafts: Sequence[Draft], now: datetime) -> None:
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
    for message in fresh if served else ():
        ranges = served.ranges(message.text)
        if ranges == [(0, len(message.text))]:
            message.origin = "injected"
        message.injected = [list(span) for span in ranges]


def _write(drafts: Sequence[Draft], now: datetime, queued: bool) -> None:
    for draft in drafts:
        if draft.is_new:
            first = [*draft.adopted, *draft.fresh][0]
            # A fast clock must not put this turn after those that follow it.
            draft.turn.opened_at = min(first.at, now)
            if draft.closes:
                draft.turn.closed_at = draft.turn.due_at = now
            if not queued:
                draft.turn.scan_state = ScanState.DONE
    Turn.objects.bulk_create([draft.turn for draft in drafts if draft.is_new])
    for draft in drafts:
        if not draft.is_new:
            _reopen_scan(draft, now)
        for message in draft.fresh:
            message.turn = draft.turn
    Message.objects.bulk_create([message for draft in drafts for message in draft.fresh])
    move([(message, draft.turn) for draft in drafts for message in draft.adopted])
    if drafts:
        AgentSession.objects.filter(pk__in={draft.session.pk for draft in drafts}).update(last_turn_at=now)


def _reopen_scan(draft: Draft, now: datetime) -> None:
    """Conditional: a worker may be scanning this turn. It then finds the new messages when it finishes."""
    if draft.closes:
        Turn.objects.filter(pk=draft.turn.pk, closed_at=None).update(closed_at=now, due_at=now)
    if draft.fresh:
        Turn.objects.filter(pk=draft.turn.pk, scan_state=ScanState.DONE).update(
            scan_state=ScanState.WAITING, attempts=0, due_at=now, error=""
        )


def _zones(voice: Voice, turns: Sequence[TurnIn]) -> dict[str, tzinfo | None]:
    """Zones of the sessions that times without an offset belong to; no query when there are none."""
    naive = {
        turn.session for turn in turns for m in turn.messages if m.at is not None and m.at.tzinfo is None
    }
    if not naive:
        return {}
    rows = AgentSession.objects.visible_to(voice.user).filter(key__in=naive).values_list("key", "tz")
    return {key: zone(name) for key, name in rows}
