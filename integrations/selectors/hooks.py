"""What a person set for the plugin, and when it last reported."""

from __future__ import annotations

from django.contrib.auth.models import User

from integrations.models import HookEvent, HookSettings

SWITCHES = ("resident", "recall", "recommend", "announce", "waiting")


def hook_settings_of(*, user: User) -> HookSettings:
    """The person's switches; unsaved defaults for somebody who never set any."""
    found = HookSettings.objects.filter(user=user).first()
    return found or HookSettings(user=user, changed_at=user.date_joined)


def last_event(*, user: User) -> HookEvent | None:
    rows = HookEvent.objects.visible_to(user).select_related("agent_key")
    return rows.order_by("-received_at").first()
