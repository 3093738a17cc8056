"""Events that the server does not have yet: one file each, never changed, in the order of their names.

A file appears whole or not at all, and goes when the server has it. Several programs may work here at once: what two of
them send, the server takes once (it knows the event by its id).
"""

from __future__ import annotations

import json
import os
import time

from hikae_hook import places, trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 64_000_000  # then parts of transcripts wait where they are: in the client's own files
MAX_EVENTS = 20_000  # then events are lost, and that is said
_SPARE = 1.1  # of MAX_BYTES, for events without their parts of the transcript
_STALE = 3600  # seconds after which a half-written file has no writer any more


def size() -> tuple[int, int]:
    """(events, bytes)"""
    count = total = 0
    for entry in os.scandir(places.folder("spool")):
        if entry.name.endswith(".json"):
            count += 1
            total += entry.stat().st_size
    return count, total


def names() -> list[str]:
    """The oldest first."""
    return sorted(name for name in os.listdir(places.folder("spool")) if name.endswith(".json"))


def append(record: dict[str, Any]) -> tuple[str, bool]:
    """Keep an event; gives its name ("" when it could not be kept) and whether its slice is in it.

    The caller may move on in the transcript only when it is.
    """
    sliced = bool(record["hikae"].get("slice"))
    try:
        count, total = size()
        if count >= MAX_EVENTS or total > MAX_BYTES * _SPARE:
            trouble.note("lost")
            return "", False
        if sliced and total > MAX_BYTES:
            trouble.note("later")
            record["hikae"].update(slice=[], from_byte=0)
            sliced = False
        name = "{:020d}-{}.json".format(time.time_ns(), record["hikae"]["id"])
        places.write_whole(os.path.join(places.folder("spool"), name), json.dumps(record).encode())
    except OSError:
        trouble.note("lost")
        return "", False
    return name, sliced


def load(name: str) -> dict[str, Any] | None:
    """The event; None when the file is gone (another program sent it) or damaged (then it is put aside)."""
    path = os.path.join(places.folder("spool"), name)
    try:
        with open(path, "rb") as file:
            record: dict[str, Any] = json.loads(file.read())
        if isinstance(record["hikae"], dict) and isinstance(record["event"], dict):
            return record
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        pass
    put_aside(name, "damaged")
    return None


def done(name: str) -> None:
    """The server has it."""
    try:
        os.unlink(os.path.join(places.folder("spool"), name))
    except OSError:
        pass  # sent once more some day, and taken once


def put_aside(name: str, where: str) -> None:
    """Out of the way of those behind it, but not thrown away."""
    path = os.path.join(places.folder("spool"), name)
    try:
        os.replace(path, os.path.join(places.folder(where), name))
    except OSError:
        try:
            os.unlink(path)
        except OSError:
            return
    trouble.note(where)


def sweep() -> None:
    """Remove what programs left half-written when they were killed."""
    place = places.folder("spool")
    for name in os.listdir(place):
        path = os.path.join(place, name)
        try:
            if name.endswith(".tmp") and abs(time.time() - os.stat(path).st_mtime) > _STALE:
                os.unlink(path)
        except OSError:
            pass
