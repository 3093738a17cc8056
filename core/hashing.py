"""Keyed hashes. Each purpose has its own key, derived from SECRET_KEY (RFC 5869 style labels)."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings


def key_for(purpose: str) -> bytes:
    """32 bytes, different for each purpose, the same for the life of the installation."""
    return hmac.new(settings.SECRET_KEY.encode(), f"hikae:{purpose}".encode(), hashlib.sha256).digest()


def keyed(purpose: str, text: str) -> str:
    """HMAC-SHA256 of the text as 64 hexadecimal digits."""
    return hmac.new(key_for(purpose), text.encode(), hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(left, right)
