"""Edit and approve in one go: both happen, or neither (review-ux line 3)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from memory.services import gate
from review.services.acts import ActResult, ItemRef, act_approve


@transaction.atomic
def act_edit_and_approve(
    *, user: User, item: ItemRef, content: str, kind: str, namespace_id: uuid.UUID, now: datetime
) -> ActResult:
    """Change the candidate as ``gate.candidate_edit`` does, then approve that version as one undoable act.

    Raises what ``candidate_edit`` raises, and what kept the approval from happening; then the edit is undone too.
    """
    edited = gate.candidate_edit(
        candidate_id=item.id,
        version=item.version,
        user=user,
        content=content,
        kind=kind,
        namespace_id=namespace_id,
        now=now,
    )
    result = act_approve(user=user, items=[ItemRef(item.id, edited.version)], now=now)
    if item.id in result.changed:
        raise result.changed[item.id]
    return result
