"""Log files of the children: appended to, private, and set aside by size at each start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LARGEST_BYTES = 5 * 1024 * 1024


@contextmanager
def open_log(path: Path) -> Iterator[int]:
    """A descriptor for a child's output. Follows no link: the folder may be open to a less trusted user."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(path, flags, 0o600)
    try:
        if os.geteuid() == 0:
            # Root may help out in a folder of an ordinary user, who has to be able to go on alone.
            folder = path.parent.stat()
            os.fchown(handle, folder.st_uid, folder.st_gid)
        yield handle
    finally:
        os.close(handle)


def rotate(folder: Path) -> None:
    """Keep one older file of each log that has grown past the limit."""
    for path in folder.glob("*.log"):
        if path.stat().st_size > LARGEST_BYTES:
            path.replace(path.with_suffix(".log.1"))
