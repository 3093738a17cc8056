"""Identifiers that sort by time (UUID version 7, RFC 9562 section 5.7).

Random version-4 keys scatter over a B-tree; these append, which keeps inserts fast at a million rows.
"""

from __future__ import annotations

import os
import time
import uuid


def new_id() -> uuid.UUID:
    """A fresh UUIDv7: 48 bits of Unix milliseconds, 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & ((1 << 48) - 1)) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=value)


def parse_id(raw: str | None) -> uuid.UUID | None:
    """The id that a text spells; None for an empty or any other text."""
    try:
        return uuid.UUID(raw) if raw else None
    except ValueError:
        return None
