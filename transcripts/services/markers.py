"""The marker of this installation's fences (design section 3)."""

from __future__ import annotations

from core.hashing import keyed


def fence_marker() -> str:
    """24 hexadecimal digits that nobody outside can guess, the same for the life of the installation."""
    return keyed("fence", "marker")[:24]
