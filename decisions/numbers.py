"""The numbers of design section 5 as this installation sets them, and for one person."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from decisions.learning.types import Settings


def numbers(decay_rate: float | None = None) -> Settings:
    """``settings.CHOICES``, with the person's own rate (per day) where there is one."""
    found: Settings = settings.CHOICES
    return found if decay_rate is None else replace(found, decay_rate=decay_rate)
