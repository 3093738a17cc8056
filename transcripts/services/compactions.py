"""Take in a window before its client summarises it away (design section 4, `compaction`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from core.errors import Conflict
from core.hashing import keyed
from core.models import AgentKey
from transcripts import checks, limits
from transcripts.inputs import MessageIn, TurnIn, Voice
from transcripts.models import AgentSession, Compaction, Message, ScanState, Turn
from transcripts.services.adopt import TURN_PREFIX
from transcripts.services.held import hold_or_open
from transcripts.services.origins import refuse_forbidden
from transcripts.services.prepare import Prepared, prepare
from transcripts.services.turns import store


@dataclass(frozen=True)
class Accepted:
    """A compaction that is safe now. `stored` counts messages that were not known before."""

    compaction: Compaction
    stored: int
    replayed: bool
    warnings: list[str]


def compaction_store(
    *,
    agent_key: AgentKey,
    session: str,
    key: str | None,
    trigger: str,
    through: str | None,
    messages: Sequence[MessageIn],
    now: datetime,
) -> Compaction:
    """As `compaction_accept`, for callers that only want the row."""
    return compaction_accept(
        agent_key=agent_key,
        session=session,
        key=key,
        trigger=trigger,
        through=through,
        messages=messages,
        now=now,
    ).compaction


def compaction_accept(
    *,
    agent_key: AgentKey,
    session: str,
    key: str | None,
    trigger: str,
    through: str | None,
    messages: Sequence[MessageIn],
    now: datetime,
    happened: datetime | None = None,
) -> Accepted:
    """Store what of the window is not stored yet, then queue everything unscanned up to `through` for scanning.

    Messages with a key are known by it, anywhere in the session; the others are matched with stored ones by role and
    text, as often as they occur. New ones become turns of their own, one for each prompt, until their turn arrives.
    `through` is a message's key; without it the range ends with the last message stored. The default key is the
    range's end, so that a replay is recognised. `happened`: the client delivers late what it did at that moment; the
    range is what had been said until then, though some of it may come later still. Raises what `turns_store`
    raises, and Invalid (`through_unknown`).
    """
    voice = Voice.of_key(agent_key)
    _check(session, key, trigger, messages, now)
    refuse_forbidden(voice, ("messages", messages))
    prepared = prepare(messages, voice)
    with transaction.atomic():
        held = hold_or_open(agent_key=agent_key, keys=[session], now=now)
        held[session].refuse_paused()
        row = held[session].session
        fresh = _not_stored(row, prepared)
        turns, parts = _as_turns(row, key, fresh, messages)
        store(voice=voice, held=held, turns=turns, prepared=parts, now=now, queued=False)
        through_id = _through(row, through)
        compaction, replayed = _upsert(
            row, key or f"through:{through_id}", trigger, through_id, now, happened
        )
    missing = any(message.origin_missing for message in prepared)
    return Accepted(compaction, len(fresh), replayed and not fresh, ["origin_missing"] if missing else [])


def _check(session: str, key: str | None, trigger: str, messages: Sequence[MessageIn], now: datetime) -> None:
    problems = list(checks.key_problems("session", session))
    if key is not None:
        problems += checks.key_problems("key", key)
    if not trigger.strip() or len(trigger) > 20:
        problems.append(
            checks.Problem(
                "trigger",
                "invalid_trigger",
                _("Say in 1 to 20 characters what set it off, such as manual or auto."),
                {"min": 1, "max": 20},
            )
        )
    problems += checks.messages_problems(messages, "messages", now=now, most=limits.MAX_COMPACTION_MESSAGES)
    checks.refuse(problems)


def _not_stored(session: AgentSession, prepared: Sequence[Prepared]) -> list[tuple[int, Prepared]]:
    """The messages of the window that the session lacks, with their places in the call."""
    rows = list(
        Message.objects.filter(
            Q(key__in=[m.key for m in prepared if m.keyed]) | Q(digest__in=[m.digest for m in prepared]),
            session=session,
        ).only("key", "role", "digest")
    )
    by_key: dict[str, list[Message]] = {}
    for row in rows:
        by_key.setdefault(row.key, []).append(row)
    stored = Counter((row.role, row.digest) for row in rows)
    fresh: list[tuple[int, Prepared]] = []
    for place, message in enumerate(prepared):
        same = (message.role, message.digest)
        namesakes = by_key.get(message.key, []) if message.keyed else []
        if any((row.role, row.digest) == same for row in namesakes) or (not message.keyed and stored[same]):
            stored[same] -= 1
        elif namesakes:
            raise Conflict(
                _("Message “%(key)s” is stored with another text; the first stays.") % {"key": message.key},
                code="message_changed",
                field=f"messages[{place}].text",
                session=session.key,
                turn=None,
                message_key=message.key,
            )
        else:
            fresh.append((place, message))
    return fresh


def _as_turns(
    session: AgentSession,
    key: str | None,
    fresh: Sequence[tuple[int, Prepared]],
    messages: Sequence[MessageIn],
) -> tuple[list[TurnIn], list[list[Prepared]]]:
    """A turn for each prompt, so that the stored conversation keeps its shape."""
    if not fresh:
        return [], []
    name = f"{TURN_PREFIX}{keyed('compaction', key or '')[:16]}:"
    taken = Turn.objects.filter(session=session, key__startswith=name).count()
    groups: list[list[tuple[int, Prepared]]] = []
    for place, message in fresh:
        if not groups or message.role == "user":
            groups.append([])
        groups[-1].append((place, message))
    turns = [
        TurnIn(session.key, f"{name}{taken + number}", [messages[place] for place, _message in group], True)
        for number, group in enumerate(groups)
    ]
    return turns, [[message for _place, message in group] for group in groups]


def _through(session: AgentSession, through: str | None) -> int:
    rows = Message.objects.filter(session=session)
    if through is not None:
        rows = rows.filter(key=through)
    last: int | None = rows.aggregate(last=Max("pk"))["last"]
    if last is None and through is not None:
        checks.refuse(
            [
                checks.Problem(
                    "through",
                    "through_unknown",
                    _("No message of this session has the key “%(key)s”.") % {"key": through[:200]},
                    _("the key of a stored message"),
                )
            ]
        )
    return last or 0


def _upsert(
    session: AgentSession, key: str, trigger: str, through_id: int, now: datetime, happened: datetime | None
) -> tuple[Compaction, bool]:
    """The row of that key, new or known, whose range now reaches `through_id`; the session's lock is held."""
    found = Compaction.objects.filter(session=session, key=key).first()
    unscanned = Message.objects.filter(session=session, scanned_at=None)
    if found is None:
        # Late: what belongs to it may come after it, so only the scan can tell.
        due = happened is not None or unscanned.filter(pk__lte=through_id).exists()
        return Compaction.objects.create(
            session=session,
            key=key,
            trigger=trigger,
            through_id=through_id if happened is None else 0,
            received_at=happened or now,
            until=happened,
            due_at=now,
            scan_state=ScanState.WAITING if due else ScanState.DONE,
        ), False
    if through_id > found.through_id:
        Compaction.objects.filter(pk=found.pk).update(through_id=through_id)
    if unscanned.filter(pk__lte=max(through_id, found.through_id)).exists():
        # Conditional: a worker may hold the row; it then finds the longer range when it finishes.
        Compaction.objects.filter(pk=found.pk, scan_state=ScanState.DONE).update(
            scan_state=ScanState.WAITING, attempts=0, due_at=now, error=""
        )
    found.refresh_from_db()
    return found, True
