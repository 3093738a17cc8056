"""Who the servers run as: never root, because PostgreSQL refuses it and an agent's input should not meet it.

Started by an ordinary user, everything simply runs as that user. Started by root, every child drops to
``HIKAE_RUN_AS`` (default ``nobody``). No user is created and no foreign folder's mode is changed: where
that user may not read the programs (an interpreter under a private home), the children run in a user
namespace instead, in which they are that user and hold no right over the rest of the machine.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded.errors import EmbeddedError

DEFAULT_USER = "nobody"


@dataclass(frozen=True)
class RunAs:
    """How to start a child: ``uid``/``gid`` own what it writes, ``prefix`` goes before its command."""

    name: str
    uid: int
    gid: int
    drop: bool = False
    prefix: tuple[str, ...] = ()

    def command(self, *words: str) -> list[str]:
        return [*self.prefix, *words]

    def popen(self) -> dict[str, Any]:
        """Keyword arguments for subprocess: who, and a folder that this user can stand in."""
        if not self.drop:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        """Hand a folder of ours (and all in it) to this user; does nothing when it is its own already."""
        if os.geteuid() != 0:
            return
        found = path.lstat()
        if (found.st_uid, found.st_gid) == (self.uid, self.gid):
            return
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                os.chown(os.path.join(folder, name), self.uid, self.gid, follow_symlinks=False)
        os.chown(path, self.uid, self.gid, follow_symlinks=False)


def choose(
    environ: Mapping[str, str],
    *,
    reads: Iterable[Path],
    enters: Iterable[Path],
    previous_owner: int | None = None,
) -> RunAs:
    """Decide once per start.

    ``reads``: files that the children must be able to read or run. ``enters``: folders they must reach.
    ``previous_owner``: uid that already owns the data, kept so that a second start by root changes nothing.
    Raises EmbeddedError when there is no way to run as an ordinary user.
    """
    if os.geteuid() != 0:
        user = _user_name(os.geteuid())
        return RunAs(name=user, uid=os.geteuid(), gid=os.getegid())
    wanted = environ.get("HIKAE_RUN_AS", "").strip()
    if not wanted and previous_owner:
        wanted = _user_name(previous_owner)
    entry = _entry(wanted or DEFAULT_USER)
    dropped = RunAs(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, drop=True)
    blocked = first_unreadable(dropped, reads=reads, enters=enters)
    if blocked is None:
        return dropped
    unshare = shutil.which("unshare", path=environ.get("PATH"))
    if unshare is not None:
        prefix = (unshare, "--user", f"--map-user={entry.pw_uid}", f"--map-group={entry.pw_gid}", "--")
        inside = RunAs(name=entry.pw_name, uid=0, gid=0, prefix=prefix)
        if _works(inside):
            return inside
    raise EmbeddedError(
        f"The user {entry.pw_name} may not read {blocked}, and user namespaces are not available here. "
        "Start as an ordinary user, or move the project (and the Python it uses) to a folder that everyone "
        "can read, such as /opt/hikae, or name another user in HIKAE_RUN_AS."
    )


def first_unreadable(who: RunAs, *, reads: Iterable[Path], enters: Iterable[Path]) -> Path | None:
    """The first path this user cannot use, found from the modes alone (nothing is executed)."""
    for path in enters:
        blocked = _blocked(path.absolute(), who, stat.S_IXOTH)
        if blocked is not None:
            return blocked
    for path in reads:
        # A venv's python is a link to an interpreter elsewhere: both ways there have to be open.
        for way in dict.fromkeys((path.absolute(), path.resolve())):
            blocked = _blocked(way, who, stat.S_IROTH)
            if blocked is not None:
                return blocked
    return None


def _blocked(path: Path, who: RunAs, wanted: int) -> Path | None:
    for folder in reversed(path.parents):
        if folder.exists() and not _allows(folder.stat(), who, stat.S_IXOTH):
            return folder
    if path.exists() and not _allows(path.stat(), who, wanted):
        return path
    return None


def _allows(found: os.stat_result, who: RunAs, wanted_of_others: int) -> bool:
    mode = found.st_mode
    if found.st_uid == who.uid:
        return bool(mode & (wanted_of_others << 6))
    if found.st_gid == who.gid:
        return bool(mode & (wanted_of_others << 3))
    return bool(mode & wanted_of_others)


def _works(who: RunAs) -> bool:
    try:
        done = subprocess.run(who.command("id", "-u"), capture_output=True, timeout=10, cwd="/", check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _entry(name: str) -> pwd.struct_passwd:
    find: Callable[[], pwd.struct_passwd] = (
        (lambda: pwd.getpwuid(int(name))) if name.isdecimal() else (lambda: pwd.getpwnam(name))
    )
    try:
        entry = find()
    except KeyError as error:
        raise EmbeddedError(
            f"There is no user {name} on this machine; HIKAE_RUN_AS must name one."
        ) from error
    if entry.pw_uid == 0:
        raise EmbeddedError("HIKAE_RUN_AS may not be root: the servers run as an ordinary user.")
    return entry


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
