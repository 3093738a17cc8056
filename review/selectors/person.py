"""What a person set, and what waits behind each saved filter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils import timezone

from core.hashing import keyed
from memory.models import Candidate
from review.models import PersonSettings, SavedFilter
from review.selectors.wanted import condition, parse


@dataclass(frozen=True)
class Counted:
    """A saved filter and how many candidates match it now; zero shows no badge."""

    filter: SavedFilter
    count: int


def settings_of(*, user: User) -> PersonSettings:
    """The person's settings; unsaved defaults for somebody who never set any."""
    found = PersonSettings.objects.filter(user=user).first()
    return found or PersonSettings(user=user, changed_at=user.date_joined)


def zone_of(settings: PersonSettings) -> tzinfo:
    """The person's time zone, else the server's."""
    return ZoneInfo(settings.time_zone) if settings.time_zone else timezone.get_default_timezone()


def webhook_secret(settings: PersonSettings) -> str:
    """What the receiver checks signatures with; empty without a webhook. A new address has a new secret."""
    return keyed("webhook", f"{settings.user_id}:{settings.webhook_nonce}") if settings.webhook_nonce else ""


def saved_filters(*, user: User, now: datetime) -> list[Counted]:
    """The person's filters in their order, with live counts: two queries, however many there are."""
    found = list(SavedFilter.objects.visible_to(user))
    if not found:
        return []
    open_ones = Candidate.objects.reviewable_by(user).open()
    counts = open_ones.aggregate(
        **{
            f"n{place}": Count("pk", distinct=True, filter=condition(parse(each.query), now=now))
            for place, each in enumerate(found)
        }
    )
    return [Counted(each, counts[f"n{place}"]) for place, each in enumerate(found)]
