"""An answer other than the one that is stored, from a door that has nobody to tell (design section 5, "Readings")."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from core.models import AgentKey
from decisions.capture import reasons
from decisions.capture.reading import read_hook
from decisions.capture.shapes import Refused
from decisions.inputs import Captured
from decisions.services.capture import cleaned
from decisions.services.quarantine import digest_of, quarantine_store


@transaction.atomic
def changed_keep(*, agent_key: AgentKey, payload: Mapping[str, Any], at: datetime, now: datetime) -> Captured:
    """Keep a hook call that ``hook_capture`` refused as ``choice_changed`` where its person sees it.

    The first answer stays and counts; sent again, the call is the same row. ``at``: when it happened.
    """
    clean = cleaned(payload)
    call = read_hook(clean)
    return quarantine_store(
        agent_key=agent_key,
        payload=clean,
        digest=digest_of(payload),
        session_key=call.session,
        reason=reasons.CHANGED,
        detail="",
        questions=call.questions if isinstance(call, Refused) else [each.text for each in call.asked],
        at=min(at, now),
        now=now,
    )
