"""What a person set for the plugin, and when it last reported."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min

from integrations.models import HookEvent, HookSettings

# After any of these in a session, the turn that was open before is over.
_ENDING = ("UserPromptSubmit", "Stop", "StopFailure", "SessionEnd")
SWITCHES = ("resident", "recall", "recommend", "announce", "waiting")


def hook_settings_of(*, user: User) -> HookSettings:
    """The person's switches; unsaved defaults for somebody who never set any."""
    found = HookSettings.objects.filter(user=user).first()
    return found or HookSettings(user=user, changed_at=user.date_joined)


def last_event(*, user: User) -> HookEvent | None:
    rows = HookEvent.objects.visible_to(user).select_related("agent_key")
    return rows.order_by("-received_at").first()


def turn_ended(*, user: User, session: str, after: datetime) -> datetime | None:
    """When the turn that was opened at ``after`` ended, as far as events that overtook it tell; None when none does."""
    rows = HookEvent.objects.visible_to(user).filter(session_key=session, name__in=_ENDING, at__gt=after)
    ended: datetime | None = rows.aggregate(first=Min("at"))["first"]
    return ended
