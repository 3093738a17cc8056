"""The numbers of the decisions room as settings: ``decisions.learning.Settings`` owns names and defaults."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields

from django.core.exceptions import ImproperlyConfigured

from decisions.learning.types import DEFAULTS, Settings

PREFIX = "CHOICES_"
_SHARES = (
    *("mature_lead", "clear_lead", "follow_weight", "inertia", "resolve_p"),
    *("confidence_medium", "confidence_medium_high", "confidence_high"),
)
_FROM_ONE = ("archive_days", "n_static", "probe_every", "resolve_run", "confidence_full_n")


def names() -> Mapping[str, str]:
    """Field of ``Settings`` to environment variable, e.g. ``decay_rate`` to ``CHOICES_DECAY_RATE``."""
    return {field.name: PREFIX + field.name.upper() for field in fields(Settings)}


def build(read: Callable[[str], str]) -> Settings:
    """The defaults with what the environment changes; ``read`` gives a variable's text, empty when it is not set."""
    given = {field: _number(field, name, raw) for field, name in names().items() if (raw := read(name))}
    return Settings(**{**{field: getattr(DEFAULTS, field) for field in names()}, **given})


def _number(field: str, name: str, raw: str) -> int | float:
    whole = isinstance(getattr(DEFAULTS, field), int)
    least, most = (1 if field in _FROM_ONE else 0), (1 if field in _SHARES else math.inf)
    try:
        value = int(raw) if whole else float(raw)
    except ValueError:
        value = math.nan
    if not (least <= value <= most and value < math.inf):
        what = "a whole number" if whole else "a number"
        limits = f"from {least} to {most}" if most == 1 else f"of at least {least}"
        raise ImproperlyConfigured(f"{name} must be {what} {limits}, not {raw!r}")
    return value
