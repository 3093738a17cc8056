"""Become another program that dies with its supervisor: ``leash.py PARENT_PID NICE COMMAND ...``.

Run by path, so that nothing of the project is imported. On Linux the kernel sends SIGTERM when the parent
is gone, even after its ``kill -9``; elsewhere the next start stops what was left (see ``leftovers.py``).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time

_PR_SET_PDEATHSIG = 1


def _be_nice_to_other_sessions(nice: int) -> None:
    """Linux's autogroups share the processor between sessions first, and a nice level only counts within one.

    Each child leads a session of its own, so without this a worker at nice 10 takes as much as the web process.
    """
    for _attempt in range(5):
        try:
            with open("/proc/self/autogroup", "w", encoding="ascii") as group:
                group.write(str(nice))
            return
        except BlockingIOError:  # the kernel lets ordinary users write ten times a second
            time.sleep(0.12)
        except OSError:  # no autogroups here
            return


def main(arguments: list[str]) -> None:
    parent, nice, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the kernel knew that we care
            sys.exit(1)
    if nice:
        os.nice(nice)
        _be_nice_to_other_sessions(nice)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
