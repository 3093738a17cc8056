"""One supervisor per data folder: a lock that the kernel gives back, whatever happens to its holder."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class DataLock:
    """``hikae.lock`` in the data folder. Its text tells the second start where the first one answers."""

    path: Path
    _handle: int = field(default=-1, repr=False)

    def take(self) -> bool:
        """True when this process holds the folder now, False when a living one does."""
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()
            return False
        return True

    def write(self, **facts: object) -> None:
        """Replace the text; only the holder may call it."""
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, json.dumps(facts).encode(), 0)

    def read(self) -> dict[str, object]:
        """What the holder (or the last one) wrote; empty when there is nothing readable."""
        try:
            facts = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        return facts if isinstance(facts, dict) else {}

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
