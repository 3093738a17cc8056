"""What a person sees while things start: one line a step, and a sign of life when a step takes long."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

TICK_SECONDS = 4.0


def say(line: str) -> None:
    # Whoever read along may have gone; that is no reason to stop serving.
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


def complain(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(title: str, *, tick: float = TICK_SECONDS) -> Iterator[None]:
    """Print the title, then a line every ``tick`` seconds until the block is done."""
    say(f"{title} ...")
    begun = time.monotonic()
    over = threading.Event()

    def ticking() -> None:
        while not over.wait(tick):
            say(f"  … still at it ({time.monotonic() - begun:.0f} s)")

    thread = threading.Thread(target=ticking, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
