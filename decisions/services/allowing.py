"""What a person allows: settling without asking, and how fast choices fade (design section 5, "Ask or resolve")."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Invalid, NotFound
from core.models import Namespace
from decisions.models import LearningSetting
from decisions.services.notes import note

MAX_RATE = 10.0  # per day; faster than this nothing is remembered at all


@transaction.atomic
def resolving_allow(
    *, user: User, workspace_id: uuid.UUID | None, allowed: bool, now: datetime
) -> LearningSetting:
    """May questions be settled without asking in this workspace (None: everywhere unless one says otherwise)?

    Raises NotFound for a workspace that the person cannot see.
    """
    if workspace_id is not None:
        mine = Namespace.objects.visible_to(user).filter(pk=workspace_id, type=Namespace.WORKSPACE)
        if not mine.exists():
            raise NotFound(_("You have no such workspace."), code="namespace_not_found", field="workspace")
    found = _row(user, workspace_id, now)
    if found.resolve_allowed != allowed:
        found.resolve_allowed, found.changed_at = allowed, now
        found.save(update_fields=["resolve_allowed", "changed_at"])
        note(
            user=user,
            verb="choice.resolving",
            object_type="workspace" if workspace_id else "person",
            object_id=workspace_id or user.pk,
            now=now,
            to_state="allowed" if allowed else "refused",
        )
    return found


@transaction.atomic
def decay_rate_set(*, user: User, rate: float | None, now: datetime) -> LearningSetting:
    """Weigh old choices by the person's own rate per day, e.g. the backtest's; None: the default. Raises Invalid."""
    if rate is not None and not 0 <= rate <= MAX_RATE:
        raise Invalid(_("A rate lies between 0 and 10 per day."), code="bad_rate", field="rate")
    found = _row(user, None, now)
    if found.decay_rate != rate:
        before, found.decay_rate, found.changed_at = found.decay_rate, rate, now
        found.save(update_fields=["decay_rate", "changed_at"])
        note(
            user=user,
            verb="choice.decay_rate",
            object_type="person",
            object_id=user.pk,
            now=now,
            before=before,
            after=rate,
        )
    return found


def _row(user: User, workspace_id: uuid.UUID | None, now: datetime) -> LearningSetting:
    rows = LearningSetting.objects.visible_to(user)
    found, _created = rows.get_or_create(user=user, workspace_id=workspace_id, defaults={"changed_at": now})
    return rows.select_for_update().get(pk=found.pk)
