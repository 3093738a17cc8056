"""What the editor does besides saving: rewrite and approve in one go (review-ux line 3)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from core.redact import redact
from memory.services import gate
from memory.services.remember import vector_of
from review.services.acts import ActResult, ItemRef, act_approve


def act_rewrite_and_approve(
    *, user: User, item: ItemRef, content: str, kind: str, namespace_id: uuid.UUID, now: datetime
) -> ActResult:
    """Rewrite, then approve that version as one undoable act. Both happen, or neither: whatever kept the
    approval from happening is raised, and the text is as it was."""
    content = redact(content).text.strip()
    vector = vector_of(content)
    with transaction.atomic():
        edited = gate.candidate_edit(
            candidate_id=item.id,
            version=item.version,
            user=user,
            content=content,
            kind=kind,
            namespace_id=namespace_id,
            now=now,
            vector=vector,
        )
        result = act_approve(user=user, items=[ItemRef(item.id, edited.version)], now=now)
        if item.id in result.changed:
            raise result.changed[item.id]
        return result
