"""Where the unix sockets lie, and the addresses that lead to them."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path
from urllib.parse import quote

from config.embedded.errors import EmbeddedError
from config.embedded.run_as import RunAs

DATABASE = "hikae"
ROLE = "hikae"
PORT = 5432
VALKEY_SOCKET = "valkey.sock"
# sun_path holds 104 bytes on macOS and 108 on Linux; PostgreSQL appends "/.s.PGSQL.5432.lock".
LONGEST_FOLDER = 80
# PostgreSQL reads a comma as a list of folders and a leading "@" as an abstract socket.
_PLAIN = re.compile(r"/[A-Za-z0-9/._-]+")


def socket_dir(data: Path) -> Path:
    """``<data>/run``, or a short private folder under /tmp made from the data folder's real path."""
    inside = data.resolve() / "run"
    if len(str(inside)) <= LONGEST_FOLDER and _PLAIN.fullmatch(str(inside)):
        return inside
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    return Path("/tmp") / f"hikae-{name}"  # noqa: S108 - checked by prepare(): ours, private, no link


def prepare(folder: Path, run_as: RunAs) -> None:
    """Make the folder, private to the children's user. Raises EmbeddedError if somebody else put it there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {run_as.uid, os.geteuid()}:
        raise EmbeddedError(f"{folder} belongs to another user; it must be a folder of {run_as.name}.")
    run_as.owns(folder)
    if found.st_mode & 0o777 != 0o700:
        folder.chmod(0o700)


def database_url(folder: Path, name: str = DATABASE) -> str:
    """libpq's own spelling: the socket's folder, percent-encoded, stands where a host would.

    The port is part of the socket's name; left out, a PGPORT of the person would decide.
    """
    return f"postgres://{ROLE}@{quote(str(folder), safe='')}:{PORT}/{name}"


def redis_url(folder: Path) -> str:
    """redis-py's spelling; ``config.env.broker`` turns it into Celery's."""
    return f"unix://{folder / VALKEY_SOCKET}?db=0"
