"""The second ``bin/up`` on the same data: give the first one's address, or take over when it has just ended."""

from __future__ import annotations

import os
from pathlib import Path

from config.embedded import port
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.lock import DataLock
from config.embedded.plan import children_environ
from config.embedded.preparation import prepare
from config.embedded.processes import wait_until
from config.embedded.progress import complain, say, step
from config.embedded.servers import assemble, interpreter_needs

ANSWER_SECONDS = 60.0


def wait_for_first(lock: DataLock) -> bool:
    """Wait until the holder answers (False) or its lock is free and ours now (True).

    Raises EmbeddedError when neither happens within a minute.
    """
    held = False

    def settled() -> bool:
        nonlocal held
        if _answers(lock):
            return True
        held = lock.take()
        return held

    with step("Hikae is running on this data already; asking it"):
        wait_until(settled, ANSWER_SECONDS, step=0.3)
    if not held and not _answers(lock):
        raise EmbeddedError(
            f"Another bin/up (process {lock.read().get('pid')}) holds {lock.path.parent}, but does not answer. "
            "Wait for it, or stop it first."
        )
    return held


def say_running(home: Home, lock: DataLock, root: Path) -> None:
    """The ready line of the running one, with a sign-in link of its own."""
    site = port.site(_number(lock))
    say(f"Hikae is ready: {site}")
    try:
        run_as = assemble(home, os.environ, needs=interpreter_needs(root)).run_as
        environ = children_environ(home, run_as, os.environ, root)
        prepared = prepare(run_as, environ, root, home.logs / "prepare.log", base=site, link_only=True)
    except EmbeddedError as error:
        complain(f"A sign-in link could not be made: {error}")
    else:
        say(f"  Sign in (once, within 15 minutes): {prepared.link}")


def _answers(lock: DataLock) -> bool:
    return _number(lock) > 0 and port.answers(_number(lock))


def _number(lock: DataLock) -> int:
    found = lock.read().get("port")
    return found if isinstance(found, int) else 0
