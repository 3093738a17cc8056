"""What a person wants the plugin to bring."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from core.actor import Actor
from core.locks import lock
from core.services import audit
from integrations.models import HookSettings
from integrations.selectors.hooks import SWITCHES, hook_settings_of


@transaction.atomic
def hook_settings_set(*, user: User, wanted: Mapping[str, bool], now: datetime) -> HookSettings:
    """Set the switches named in ``wanted``; the audit event names those that changed."""
    lock(f"settings:{user.pk}")
    own = hook_settings_of(user=user)
    changed = sorted(name for name in SWITCHES if name in wanted and getattr(own, name) != wanted[name])
    if not changed:
        return own
    for name in changed:
        setattr(own, name, wanted[name])
    own.changed_at = now
    own.save()
    audit.record(
        stream=f"user:{user.pk}",
        verb="settings.changed",
        actor=Actor.person(user),
        object_type="user",
        object_id=user.pk,
        data={"fields": [f"hooks.{name}" for name in changed]},
        now=now,
    )
    return own
