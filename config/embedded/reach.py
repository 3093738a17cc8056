"""What a user can reach on this machine, told from the modes alone (nothing is executed)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Needs:
    """``files`` that the children read or run; ``folders`` that they reach and use with all that is in them."""

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()


def first_blocked(uid: int, gid: int, needs: Needs) -> Path | None:
    """The first path this user cannot use, None when all is open."""
    for folder in needs.folders:
        for way in _ways(folder):
            blocked = _first_closed(uid, gid, [*reversed(way.parents), way])
            if blocked is not None:
                return blocked
    for file in needs.files:
        for way in _ways(file):
            blocked = _first_closed(uid, gid, list(reversed(way.parents)))
            if blocked is not None:
                return blocked
            if way.exists() and not _allows(way.stat(), uid, gid, stat.S_IROTH):
                return way
    return None


def covers(uid: int, gid: int, folders: Iterable[Path]) -> dict[Path, list[Path]]:
    """For each topmost closed folder on the ways: the real paths that have to be shown in it.

    A needed folder that is closed itself is replaced by what lies in it.
    """
    found: dict[Path, list[Path]] = {}
    for folder in dict.fromkeys(path.resolve() for path in folders):
        topmost = _first_closed(uid, gid, [*reversed(folder.parents), folder])
        if topmost is None:
            continue
        shown = found.setdefault(topmost, [])
        shown.extend([folder] if _open_itself(uid, gid, folder) else sorted(folder.iterdir()))
    return {folder: _outermost(shown) for folder, shown in found.items()}


def _outermost(paths: list[Path]) -> list[Path]:
    # A path inside another shown one is there already.
    return [path for path in dict.fromkeys(paths) if not any(parent in paths for parent in path.parents)]


def _ways(path: Path) -> list[Path]:
    # A virtual environment's python is a link to an interpreter elsewhere: both ways there have to be open.
    return list(dict.fromkeys((path.absolute(), path.resolve())))


def _first_closed(uid: int, gid: int, folders: list[Path]) -> Path | None:
    return next(
        (folder for folder in folders if folder.exists() and not _open_itself(uid, gid, folder)), None
    )


def _open_itself(uid: int, gid: int, folder: Path) -> bool:
    return _allows(folder.stat(), uid, gid, stat.S_IXOTH)


def _allows(found: os.stat_result, uid: int, gid: int, wanted_of_others: int) -> bool:
    if found.st_uid == uid:
        return bool(found.st_mode & (wanted_of_others << 6))
    if found.st_gid == gid:
        return bool(found.st_mode & (wanted_of_others << 3))
    return bool(found.st_mode & wanted_of_others)
