"""Write down what a person decided about their choices: the audit of this room."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from core.actor import Actor, Operator
from core.services import audit


def note(
    *,
    user: User,
    verb: str,
    object_type: str,
    object_id: object,
    now: datetime,
    from_state: str = "",
    to_state: str = "",
    by: Operator | None = None,
    **data: Any,
) -> None:
    """One audit event in the person's own stream: choices belong to a person, not to a namespace.

    ``by``: the operator who did it in the person's stead, if one did.
    """
    audit.record(
        stream=f"user:{user.pk}",
        verb=verb,
        actor=Actor.of(by or user),
        object_type=object_type,
        object_id=object_id,
        from_state=from_state,
        to_state=to_state,
        data=data,
        now=now,
    )
