"""Events of Claude Code's hooks, each handed to the one service that it concerns (design section 7).

The thinking is done here, so that the program on the person's machine stays small. An event in the plugin's envelope
acts once; a bare one is as idempotent as its service is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from core.allowed import characters
from core.errors import Busy, DomainError, Invalid
from core.models import AgentKey
from integrations.hooks.envelope import Envelope
from integrations.hooks.events import IGNORED, MAX_ID_CHARS, Event
from integrations.services.hooks.asking import asked
from integrations.services.hooks.closing import ended, stopped
from integrations.services.hooks.compacting import after_compaction, before_compaction
from integrations.services.hooks.desk import Desk
from integrations.services.hooks.ledger import event_done, event_release, event_take
from integrations.services.hooks.prompting import prompted
from integrations.services.hooks.starting import started
from review.selectors.person import settings_of
from transcripts.services.replays import replay_hold

_HANDLERS: Mapping[str, Callable[[Desk], dict[str, Any]]] = {
    "SessionStart": started,
    "UserPromptSubmit": prompted,
    "PreToolUse": asked,
    "PostToolUse": asked,
    "PostToolUseFailure": asked,
    "Stop": stopped,
    "StopFailure": stopped,
    "PreCompact": before_compaction,
    "PostCompact": after_compaction,
    "SessionEnd": ended,
}


@dataclass(frozen=True)
class Handled:
    """``answer`` is what the hook prints; ``scan`` names sessions with something new to read.

    ``sweep``: what came late is complete, so whatever was held back for it can be read.
    """

    answer: Mapping[str, Any]
    scan: tuple[UUID, ...] = ()
    sweep: bool = False


def hook_handle(*, agent_key: AgentKey, event: Event, envelope: Envelope, now: datetime) -> Handled:
    """Take one event. Without the scope that it needs it is left alone, and the key's page says so.

    What a rule of the product forbids (a paused workspace, a changed answer) is noted in the ledger and answered with
    nothing: a hook has nobody to complain to. Raises Invalid for an event without a session, and Busy.
    """
    if not event.is_known and event.name not in IGNORED:
        return Handled({})
    if not event.session and not event.is_question:  # a question without one goes to the quarantine
        raise Invalid(
            _("Send the session's id, as the client does."),
            code="no_session",
            field="session_id",
            allowed=characters(1, MAX_ID_CHARS),
        )
    desk = Desk(agent_key, event, envelope, now)
    row = None
    if envelope.id:
        row = event_take(agent_key=agent_key, event=event, envelope=envelope, now=now)
        if row is None:
            return Handled({}, sweep=envelope.late and envelope.waiting == 0 and not _hold(desk, more=False))
    held = (envelope.late or bool(envelope.waiting)) and _hold(desk, more=True)
    done = False
    try:
        answer = _handle(desk)
        done = True
    finally:
        if row is not None and not done:
            event_release(row=row, now=now)
    if row is not None:
        event_done(row=row, note=",".join(dict.fromkeys(desk.notes)), now=now)
    if held and envelope.late:
        held = _hold(desk, more=None if envelope.waiting is None else envelope.waiting > 0)
        return Handled(answer, sweep=not held)
    return Handled(answer, () if held else tuple(desk.scan))


def _hold(desk: Desk, *, more: bool | None) -> bool:
    """Nothing is scanned before all of it is here, so that it is scanned in the order in which it happened."""
    return replay_hold(
        user=desk.agent_key.user, machine=desk.envelope.machine, at=desk.at, more=more, now=desk.now
    )


def _handle(desk: Desk) -> dict[str, Any]:
    if desk.event.name in IGNORED or (desk.event.agent_id and not desk.event.is_question):
        desk.notes.append("subagent")
        return {}
    language = settings_of(user=desk.agent_key.user).language or settings.LANGUAGE_CODE
    with translation.override(language):  # notices are read by the person, wherever the client runs
        try:
            return _HANDLERS[desk.event.name](desk)
        except Busy:
            raise
        except DomainError as error:
            desk.notes.append(error.code)
            if desk.event.name == "SessionStart" and desk.is_awaited:
                return {"systemMessage": f"Hikae: {error.message}"}
            return {}
