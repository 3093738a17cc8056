"""Programs of a supervisor that was killed: they are stopped before the next one starts its own.

The servers are not among them: PostgreSQL and Valkey are adopted as they are.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable

from config.embedded import processes

POLITE_SECONDS = 6.0


def remember(pids: Iterable[int]) -> list[list[str]]:
    """Process ids with their start times: a recycled id is told apart by its time."""
    return [[str(pid), processes.started(pid)] for pid in pids]


def stop(remembered: object) -> int:
    """Stop the process groups that are still those of the last run; how many there were."""
    found = []
    for entry in remembered if isinstance(remembered, list) else []:
        if isinstance(entry, list) and len(entry) == 2 and str(entry[0]).isdecimal():
            pid = int(entry[0])
            if processes.alive(pid) and processes.started(pid) == entry[1]:
                found.append(pid)
    for number, seconds in ((signal.SIGTERM, POLITE_SECONDS), (signal.SIGKILL, 5.0)):
        for pid in found:
            _signal_group(pid, number)
        if processes.wait_until(lambda: not any(processes.alive(pid) for pid in found), seconds):
            break
    for pid in found:
        _signal_group(pid, signal.SIGKILL)  # helpers that outlived their leader
    return len(found)


def _signal_group(pid: int, number: signal.Signals) -> None:
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return
