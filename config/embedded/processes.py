"""Small truths about processes. A zombie is not a running server, and a recycled pid is another program."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

_PROC = Path("/proc")


def state(pid: int) -> str:
    """One letter as ps gives it ("S", "R", "Z", ...), or "" when there is no such process."""
    if _PROC.joinpath("self", "stat").exists():
        try:
            # The name in brackets may itself hold spaces and brackets.
            return (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            return ""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return done.stdout.strip()[:1]


def started(pid: int) -> str:
    """When the process began, in the system's own words; "" when there is none. Only good for comparing."""
    if _PROC.joinpath("self", "stat").exists():
        try:
            return (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[19]
        except (OSError, IndexError):
            return ""
    done = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def alive(pid: int) -> bool:
    """Running, or still ending: a leader turns into a zombie before its last thread is gone."""
    found = state(pid)
    if found == "Z":
        return _threads(pid) > 1
    return found not in {"", "X"}


def _threads(pid: int) -> int:
    try:
        return len(os.listdir(_PROC / str(pid) / "task"))
    except OSError:
        return 0


def stands_in(pid: int, folder: Path) -> bool:
    """Whether this living process has ``folder`` as its working folder (Linux; elsewhere always False)."""
    try:
        return Path(os.readlink(_PROC / str(pid) / "cwd")) == folder.resolve() and alive(pid)
    except OSError:
        return False


def in_folder(folder: Path) -> list[int]:
    """Living processes that stand in ``folder``, as every PostgreSQL process does in its data folder.

    Linux only; elsewhere the list is empty and PostgreSQL's own lock file is all there is to go by.
    """
    pids = sorted(int(entry.name) for entry in _PROC.glob("[0-9]*"))
    return [pid for pid in pids if stands_in(pid, folder)]


def bare_environment() -> dict[str, str]:
    """For the servers: PGDATA, PGPORT, secrets and the like stay out, and messages are in English."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LD_LIBRARY_PATH", "TZDIR"}}
    return {**kept, "LC_ALL": "C", "LANG": "C"}


def wait_until(done: Callable[[], bool], seconds: float, step: float = 0.05) -> bool:
    """Ask until it is true or the time is over; the last answer."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() >= end:
            return done()
        time.sleep(step)
    return True


def tail(path: Path, lines: int = 15) -> str:
    """The last lines of a log, for an error message; empty when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 16_384))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
