"""What must not be taken away: explicit use in the last 30 days protects (design section 6)."""

from __future__ import annotations

from datetime import datetime

from core import text
from knowledge.night.limits import KEPT_SHARE, PROTECTED_FOR


def is_protected(used_at: datetime | None, now: datetime) -> bool:
    """Somebody asked for it explicitly within the last 30 × 24 h: it is not retired."""
    return used_at is not None and used_at > now - PROTECTED_FOR


def kept_share(old: str, new: str) -> float:
    """How much of the old text's words the new one still has, 0 to 1; 1 for an old text without words."""
    before = text.terms(old)
    if not before:
        return 1.0
    after = set(text.terms(new))
    return sum(term in after for term in before) / len(before)


def may_rewrite(*, old: str, new: str, used_at: datetime | None, now: datetime) -> bool:
    """False for a rewrite that drops over half of a text which somebody used explicitly of late."""
    return not is_protected(used_at, now) or kept_share(old, new) >= KEPT_SHARE
