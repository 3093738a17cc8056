"""From what a client sends to observations, exactly as the person meant them (design sections 5 and 7)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Conflict, Invalid
from core.models import AgentKey
from decisions.capture.clean import TooDeep, redacted
from decisions.capture.context import tidy
from decisions.capture.reading import EVENTS, TOOL, read_hook
from decisions.capture.shapes import Odd, Refused
from decisions.inputs import CLOCK_SKEW, Captured, RecordIn
from decisions.models import QuarantineState, Source
from decisions.services.asks import ask_see
from decisions.services.observing import observe
from decisions.services.places import Place, session_at
from decisions.services.quarantine import digest_of, quarantine_leave, quarantine_own, quarantine_store
from decisions.services.records import asked_of, payload_of, record_of

_NAMES = ("session_id", "tool_use_id", "prompt_id", "session", "decision_id", "timestamp")


def hook_capture(
    *,
    agent_key: AgentKey,
    payload: Mapping[str, Any],
    now: datetime,
    at: datetime | None = None,
    context: Mapping[str, Any] | None = None,
    digest: str = "",
) -> Captured:
    """Take one hook event of AskUserQuestion as the client sends it: PreToolUse, PostToolUse or PostToolUseFailure.

    ``at``: when it happened (default: now), ``context``: what the caller knows beside, such as the git branch,
    ``digest``: of the call as sent, where ``payload`` is what was kept of it. What is not understood goes to the
    quarantine. Raises Invalid for another event or tool, Forbidden (``out_of_reach``),
    Paused, and Conflict (``choice_changed``) when a known question comes with another answer: the first stays.
    """
    clean = cleaned(payload)
    _require_ours(clean)
    call = read_hook(clean)
    happened = min(at or now, now)
    with transaction.atomic():
        session = session_at(agent_key=agent_key, key=call.session, now=now)
        if isinstance(call, Refused):
            refused = call
        else:
            place = Place(
                agent_key=agent_key,
                session=session,
                at=happened,
                now=now,
                # A key that may not say that a person typed a text cannot vouch for a click either.
                source=Source.HOOK if agent_key.speaks_for_person else Source.REPORTED,
                context={**call.context, **tidy(context or {})},
                tool_use_id=call.tool_use_id,
                prompt_id=call.prompt_id,
            )
            try:
                if call.event == "PreToolUse":
                    return ask_see(place=place, prefilled=call.prefilled)
                return observe(place=place, asked=call.asked, skip=call.skip, reply=call.reply)
            except Odd as odd:  # judged before anything is written
                texts = tuple(each.text for each in call.asked)
                refused = Refused(odd.reason, odd.detail[:300], call.session, texts)
        return quarantine_store(
            agent_key=agent_key,
            payload=clean,
            digest=digest or digest_of(payload),
            session_key=refused.session,
            reason=refused.reason,
            detail=refused.detail,
            questions=refused.questions,
            at=happened,
            now=now,
        )


def record_capture(*, agent_key: AgentKey, record: RecordIn, now: datetime, digest: str = "") -> Captured:
    """Take one plain record. It is *reported*: it informs, and never lets a question be settled without asking.

    ``digest``: as in ``hook_capture``. Raises as ``hook_capture``, and Invalid (``future_date``).
    """
    if record.at > now + CLOCK_SKEW:
        raise Invalid(
            _("This time lies in the future. Check the clock and the time zone of the client."),
            code="future_date",
            field="timestamp",
            allowed={"latest": (now + CLOCK_SKEW).isoformat()},
        )
    payload = payload_of(record)
    clean = cleaned(payload)
    happened = min(record.at, now)
    with transaction.atomic():
        session = session_at(agent_key=agent_key, key=record.session, now=now)
        try:
            asked, skip = asked_of(record_of(clean))
            place = Place(
                agent_key=agent_key,
                session=session,
                at=happened,
                now=now,
                source=Source.REPORTED,
                context=tidy(clean["context"]),
                decision_id=record.decision_id,
            )
            return observe(place=place, asked=(asked,), skip=skip)
        except Odd as odd:
            return quarantine_store(
                agent_key=agent_key,
                payload=clean,
                digest=digest or digest_of(payload),
                session_key=record.session,
                reason=odd.reason,
                detail=odd.detail[:300],
                questions=[clean["question"]],
                at=happened,
                now=now,
            )


@transaction.atomic
def quarantine_run(
    *, quarantine_id: uuid.UUID, user: User, now: datetime, by: Operator | None = None
) -> Captured:
    """Read a waiting call again, as of the time it came: after an update it may be understood.

    ``user`` is whose call it is, ``by`` an operator who does it for them. Raises NotFound, Conflict
    (``already_decided``; ``key_gone`` when its key was deleted), and as the captures.
    """
    row = quarantine_own(quarantine_id=quarantine_id, user=user)
    if row.state == QuarantineState.WAITING:
        if row.agent_key is None:
            raise Conflict(
                _("The key that sent this call is gone; it can only be put away."), code="key_gone"
            )
        if "hook_event_name" in row.payload:
            captured = hook_capture(
                agent_key=row.agent_key, payload=row.payload, now=now, at=row.at, digest=row.digest
            )
        else:
            captured = record_capture(
                agent_key=row.agent_key, record=record_of(row.payload), now=now, digest=row.digest
            )
        if captured.results and captured.results[0].outcome == "quarantined":
            return captured
    else:
        captured = Captured()
    choices = [result.id for result in captured.results]
    quarantine_leave(
        quarantine_id=row.pk, user=user, to=QuarantineState.DONE, choices=choices, now=now, by=by
    )
    return captured


def cleaned(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Redacted, but for what names things: a name must stay itself, or two calls would become one.

    Raises Invalid (``too_deep``).
    """
    try:
        clean = dict(redacted(payload))
    except TooDeep as error:
        raise Invalid(
            _("This is nested too deeply for a question."), code="too_deep", field="body"
        ) from error
    return clean | {name: payload[name] for name in _NAMES if isinstance(payload.get(name), str)}


def _require_ours(payload: Mapping[str, Any]) -> None:
    if payload.get("hook_event_name") not in EVENTS:
        raise Invalid(
            _("This event carries no answer to a question. Send one of %(all)s.")
            % {"all": ", ".join(EVENTS)},
            code="unknown_event",
            field="hook_event_name",
            allowed=list(EVENTS),
        )
    if payload.get("tool_name") != TOOL:
        raise Invalid(
            _("Only questions of the tool %(tool)s are taken here.") % {"tool": TOOL},
            code="unknown_tool",
            field="tool_name",
            allowed=[TOOL],
        )
