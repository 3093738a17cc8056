"""From the spool to the server: the own event first where somebody waits, else in order (design section 8)."""

from __future__ import annotations

import os
import sys
import time

from hikae_hook import net, places, spool, trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PATH = "/api/v1/hooks/claude-code/"
# Seconds without another try after a server did not answer in time; doubled each time, up to the last.
PAUSE, LONGEST_PAUSE = 10.0, 120.0
FEW = 5  # events that a hook may take along; more are for a program of their own
FLUSH_SECONDS = 120.0
YOUNG = 2_000_000_000  # nanoseconds; an event's own program sends it first
DONE, FAILED, STOP = "done", "failed", "stop"
_KEEP = (401, 403, 408, 409, 425, 429)  # statuses that may pass: the event stays
_SAFE = (
    "hookSpecificOutput",
    "systemMessage",
)  # nothing else is ever printed: no hook of ours blocks anything


def deliver(record: dict[str, Any], name: str, wants_answer: bool, until: float) -> dict[str, Any]:
    """Hand over this event and, if there is time, those that wait. Gives the answer to this one, else {}."""
    key = _key()
    if not key or _is_paused():
        return {}
    backlog = _ripe(but=name) if name else []
    answer: dict[str, Any] = {}
    if wants_answer or not backlog:
        record["hikae"]["waiting"] = len(backlog)
        reply = _send(record, key, until)
        if reply is None or _settle(reply, name) != DONE:
            return {}
        answer = _printable(reply)
    else:
        few, backlog = [*backlog[:FEW], name], backlog[FEW:]
        for place, each in enumerate(few, start=1):
            if _forward(each, key, until, waiting=len(few) - place + len(backlog)) != DONE:
                break
    if backlog:
        _start_flusher()
    return answer


def flush_all() -> None:
    """Hand over all that waits, the oldest first. One program at a time; after two minutes the next one goes on."""
    lock = os.path.join(places.home(), "flush.lock")
    if not _locked(lock):
        return
    goes_on = False
    try:
        key = _key()
        until = time.monotonic() + FLUSH_SECONDS
        tried: set[str] = set()
        failed = 0
        while key:
            fresh = [name for name in _ripe() if name not in tried]
            if not fresh:
                return
            for place, name in enumerate(fresh, start=1):
                if time.monotonic() > until:
                    goes_on = True
                    return
                tried.add(name)
                end = _forward(name, key, time.monotonic() + 20, waiting=len(fresh) - place + failed)
                failed += end == FAILED  # one that the server stumbles over must not keep the others
                if end == STOP or failed > FEW:
                    return
    finally:
        try:
            os.unlink(lock)
        except OSError:
            pass
        if goes_on:
            _start_flusher()


def _ripe(but: str = "") -> list[str]:
    """What waits, the oldest first, without what its own program is sending right now."""
    now = time.time_ns()
    found = []
    for name in spool.names():
        stamp = name.partition("-")[0]
        if name != but and not (stamp.isdigit() and abs(now - int(stamp)) < YOUNG):
            found.append(name)
    return found


def _forward(name: str, key: str, until: float, waiting: int) -> str:
    """Send one from the spool. ``waiting``: how many are left after it; the server reads them when all are there."""
    record = spool.load(name)
    if record is None:
        return DONE
    record["hikae"].update(late=True, waiting=waiting)
    reply = _send(record, key, until)
    return STOP if reply is None else _settle(reply, name)


def _send(record: dict[str, Any], key: str, until: float) -> net.Reply | None:
    seconds = until - time.monotonic() - 0.03  # what is left for printing
    if seconds <= 0:
        return None
    try:
        return net.request("POST", places.url() + PATH, key, record, seconds)
    except net.Failed as error:
        if error.slow:
            _pause()
        return None


def _settle(reply: net.Reply, name: str) -> str:
    """What the answer means for the event, and whether to go on with the next."""
    if reply.status == 200 and isinstance(reply.body, dict):
        if name:
            spool.done(name)
        _go_on()
        trouble.clear("key", "server", "answer", "no_key", "unsafe_key")
        return DONE
    if reply.status >= 500:
        return FAILED
    if reply.status in (401, 403):
        trouble.note("key")
    elif reply.status == 404:
        trouble.note("server")
    elif reply.status >= 400 and reply.status not in _KEEP and isinstance(reply.body, dict):
        if name:
            spool.put_aside(name, "refused")
        return DONE
    elif reply.status not in _KEEP:
        trouble.note("answer")
    return STOP


def _printable(reply: net.Reply) -> dict[str, Any]:
    if reply.status != 200 or not isinstance(reply.body, dict):
        return {}
    return {name: reply.body[name] for name in _SAFE if name in reply.body}


def _key() -> str:
    try:
        key = places.key()
    except places.Unsafe:
        trouble.note("unsafe_key")
        return ""
    except (OSError, ValueError):
        key = ""
    if not key:
        trouble.note("no_key")
    return key


def _pause_file() -> str:
    return os.path.join(places.home(), "pause.json")


def _is_paused() -> bool:
    """Measured in both directions: a clock that was set back must not make it last."""
    known = places.read_json(_pause_file())
    seconds, at = known.get("seconds"), known.get("at")
    if not isinstance(seconds, (int, float)) or not isinstance(at, (int, float)):
        return False
    return abs(time.time() - at) < min(seconds, LONGEST_PAUSE)


def _pause() -> None:
    """A server that hangs must not cost every prompt its second."""
    before = places.read_json(_pause_file()).get("seconds")
    seconds = min(2 * before, LONGEST_PAUSE) if isinstance(before, (int, float)) and before > 0 else PAUSE
    try:
        places.write_json(_pause_file(), {"seconds": seconds, "at": time.time()})
    except OSError:
        pass


def _go_on() -> None:
    try:
        os.unlink(_pause_file())
    except OSError:
        pass


def _locked(path: str) -> bool:
    try:
        if abs(time.time() - os.stat(path).st_mtime) > 2 * FLUSH_SECONDS:
            os.unlink(path)  # its program died
    except OSError:
        pass
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    return True


def _start_flusher() -> None:
    """A program of its own, which the client does not wait for."""
    import subprocess

    quiet: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    if os.name == "nt":
        quiet["creationflags"] = 0x00000008 | 0x00000200  # detached, in a group of its own
    else:
        quiet["start_new_session"] = True
    program = os.path.join(places.PLUGIN, "hook.py")
    try:
        subprocess.Popen([sys.executable, "-I", "-S", program, "flush"], **quiet)
    except OSError:
        pass  # the next event takes some along
