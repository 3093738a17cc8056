"""The hard daily token budget of a namespace (design section 4, lessons row 7)."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import F

from core.models import Namespace
from memory.models import TokenMeter


def budget_reserve(*, namespace: Namespace, tokens: int, now: datetime) -> bool:
    """Set aside ``tokens`` before a call; False when the day's budget would be exceeded (counted as refused).

    One conditional UPDATE: workers that race cannot pass the cap together.
    """
    day = now.date()
    TokenMeter.objects.get_or_create(namespace=namespace, day=day)
    meters = TokenMeter.objects.filter(namespace=namespace, day=day)
    limit = settings.LLM_DAILY_TOKENS
    if meters.filter(tokens__lte=limit - tokens).update(tokens=F("tokens") + tokens, calls=F("calls") + 1):
        return True
    meters.update(refused=F("refused") + 1)
    return False


def budget_settle(*, namespace: Namespace, reserved: int, used: int, now: datetime) -> None:
    """Replace the reservation by what the call really cost."""
    meters = TokenMeter.objects.filter(namespace=namespace, day=now.date())
    # Never below zero: the column is unsigned, and a day may have turned in between.
    meters.filter(tokens__gte=max(reserved - used, 0)).update(tokens=F("tokens") - reserved + used)
