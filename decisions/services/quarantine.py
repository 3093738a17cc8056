"""Calls that were not understood: kept, run again, put away (design section 5, "Unknown shapes")."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Conflict, NotFound
from core.hashing import keyed
from core.models import AgentKey
from decisions.inputs import Captured, Result
from decisions.models import Quarantine, QuarantineState
from decisions.services.notes import note


def digest_of(payload: Mapping[str, Any]) -> str:
    """A keyed hash of a call as sent: the same call again is the same row, without keeping the original."""
    return keyed("quarantine", json.dumps(payload, sort_keys=True, ensure_ascii=False))


def quarantine_store(
    *,
    agent_key: AgentKey,
    payload: Mapping[str, Any],
    digest: str,
    session_key: str,
    reason: str,
    detail: str,
    questions: Sequence[str],
    at: datetime,
    now: datetime,
) -> Captured:
    """Inside the caller's transaction. ``payload`` is redacted; sent again, nothing changes."""
    row, created = Quarantine.objects.visible_to(agent_key.user).get_or_create(
        user_id=agent_key.user_id,
        digest=digest,
        defaults={
            "agent_key": agent_key,
            "session_key": session_key,
            "payload": payload,
            "reason": reason,
            "detail": detail,
            "at": at,
            "received_at": now,
            "last_run_at": now,
        },
    )
    if not created:
        Quarantine.objects.filter(pk=row.pk, state=QuarantineState.WAITING).update(
            runs=F("runs") + 1, last_run_at=now, reason=reason, detail=detail
        )
    results = [Result(row.pk, question, "quarantined", reason) for question in questions or [""]]
    return Captured(tuple(results), new=created)


@transaction.atomic
def quarantine_leave(
    *,
    quarantine_id: uuid.UUID,
    user: User,
    to: QuarantineState,
    now: datetime,
    choices: Sequence[uuid.UUID] = (),
    by: Operator | None = None,
) -> Quarantine:
    """A waiting call is understood, or put away. Raises NotFound, Conflict (``already_decided``).

    ``by``: an operator who does it for the person.
    """
    row = quarantine_own(quarantine_id=quarantine_id, user=user)
    changed = Quarantine.objects.filter(pk=row.pk, state=QuarantineState.WAITING).update(state=to)
    if not changed:
        row.refresh_from_db()
        raise Conflict(
            _("This call does not wait any more: it is %(state)s.") % {"state": row.get_state_display()},
            code="already_decided",
            status=row.state,
        )
    note(
        user=user,
        verb="choice.understood" if to == QuarantineState.DONE else "choice.put_away",
        object_type="quarantine",
        object_id=row.pk,
        from_state=QuarantineState.WAITING,
        to_state=to,
        now=now,
        by=by,
        reason=row.reason,
        choices=[str(choice) for choice in choices],
    )
    row.refresh_from_db()
    return row


def quarantine_dismiss(
    *, quarantine_id: uuid.UUID, user: User, now: datetime, by: Operator | None = None
) -> Quarantine:
    """Put a call away without counting it. Raises NotFound, Conflict (``already_decided``)."""
    return quarantine_leave(
        quarantine_id=quarantine_id, user=user, to=QuarantineState.DISMISSED, now=now, by=by
    )


def quarantine_own(*, quarantine_id: uuid.UUID, user: User) -> Quarantine:
    """The person's own; another's does not exist. Raises NotFound."""
    row = (
        Quarantine.objects.visible_to(user).select_related("agent_key__user").filter(pk=quarantine_id).first()
    )
    if row is None:
        raise NotFound(_("There is no such call."))
    return row
