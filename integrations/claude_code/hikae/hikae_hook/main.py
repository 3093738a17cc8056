"""Keep the deadline, whatever happens: the work runs beside, and the program ends when its time is over."""

from __future__ import annotations

import os
import sys
import threading
import time

# Seconds from the start. The client must never wait longer than one; starting Python takes the rest.
DEADLINE = 0.85
LONGEST = 60.0
ANSWERS = ("SessionStart", "UserPromptSubmit", "PreToolUse")


def main(arguments: list[str]) -> None:
    command = arguments[0] if arguments else "event"
    if command == "event":
        _event(time.monotonic())
    elif command == "flush":
        from hikae_hook.deliver import flush_all

        flush_all()
    else:
        from hikae_hook.tell import tell

        tell(command, arguments[1:])


def _event(started: float) -> None:
    """Never returns. Nothing that hangs (a name server, a disk, a pipe) can hold it, because nobody waits for it."""
    said: dict[str, bytes] = {}
    seconds = _deadline()
    worker = threading.Thread(target=_work, args=(said, started + seconds), daemon=True)
    worker.start()
    worker.join(seconds)
    try:
        os.write(1, said.get("answer", b""))
    except OSError:
        pass  # nobody listens any more
    os._exit(0)


def _deadline() -> float:
    """HIKAE_SECONDS is for who would rather wait for a slow server; more than the client's own limit helps nobody."""
    try:
        return min(LONGEST, max(0.2, float(os.environ["HIKAE_SECONDS"])))
    except (KeyError, ValueError):
        return DEADLINE


def _work(said: dict[str, bytes], until: float) -> None:
    try:
        from hikae_hook.event import handle

        handle(sys.stdin.buffer.read(), said, until)
    except BaseException as error:  # an agent must not stumble over a mistake of ours
        try:
            from hikae_hook.trouble import note

            note("mistake", type(error).__name__)
        except BaseException:
            pass
