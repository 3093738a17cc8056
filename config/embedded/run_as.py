"""Who the servers run as: never root, because PostgreSQL refuses it and an agent's input should not meet it.

Started by an ordinary user, everything simply runs as that user. Started by root, every child drops to
``HIKAE_RUN_AS`` (default ``nobody``). No user is created and no foreign folder's mode is changed. Where that
user may not pass (a clone or an interpreter in somebody's home) there are two ways on, tried in this order:

1. a mount namespace in which only the needed paths show (``cell.py``): really that user, needs a full root;
2. a user namespace in which they are that user: no privilege of root is left, root's own files are.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded.errors import EmbeddedError
from config.embedded.reach import Needs, covers, first_blocked

DEFAULT_USER = "nobody"
_MOUNTS = "seeing only what they need of the private folders on the way"
_CELL = Path(__file__).with_name("cell.py")


@dataclass(frozen=True)
class RunAs:
    """How to start a child: ``uid``/``gid`` own what it writes, ``prefix`` goes before its command."""

    name: str
    uid: int
    gid: int
    drop: bool = False
    prefix: tuple[str, ...] = ()
    way: str = ""

    def command(self, *words: str) -> list[str]:
        return [*self.prefix, *words]

    def popen(self) -> dict[str, Any]:
        """Keyword arguments for subprocess that drop root's rights, where the prefix does not."""
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


def choose(environ: Mapping[str, str], needs: Needs, *, previous_owner: int | None = None) -> RunAs:
    """Decide once per start.

    ``previous_owner``: uid that already owns the data, kept so that a second start by root changes nothing.
    Raises EmbeddedError when there is no way to run as an ordinary user.
    """
    if os.geteuid() != 0:
        return RunAs(name=_user_name(os.geteuid()), uid=os.geteuid(), gid=os.getegid())
    wanted = environ.get("HIKAE_RUN_AS", "").strip()
    if not wanted and previous_owner:
        wanted = _user_name(previous_owner)
    entry = _entry(wanted or DEFAULT_USER)
    blocked = first_blocked(entry.pw_uid, entry.pw_gid, needs)
    if blocked is None:
        return RunAs(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, drop=True)
    for way in (_in_mount_namespace, _in_user_namespace):
        run_as = way(entry, needs, environ)
        if run_as is not None and _works(run_as, needs):
            return run_as
    raise EmbeddedError(
        f"The user {entry.pw_name} may not read {blocked}, and namespaces are not available here. "
        "Start as an ordinary user, or move the project (and the Python it uses) to a folder that everyone "
        "can read, such as /opt/hikae, or name another user in HIKAE_RUN_AS."
    )


def _in_mount_namespace(entry: pwd.struct_passwd, needs: Needs, environ: Mapping[str, str]) -> RunAs | None:
    if sys.platform != "linux":
        return None
    shown = {
        str(k): [str(p) for p in v] for k, v in covers(entry.pw_uid, entry.pw_gid, needs.folders).items()
    }
    spec = json.dumps({"uid": entry.pw_uid, "gid": entry.pw_gid, "covers": shown})
    prefix = (sys.executable, "-I", str(_CELL), spec)
    return RunAs(
        entry.pw_name,
        entry.pw_uid,
        entry.pw_gid,
        prefix=prefix,
        way=_MOUNTS,
    )


def _in_user_namespace(entry: pwd.struct_passwd, needs: Needs, environ: Mapping[str, str]) -> RunAs | None:
    unshare = shutil.which("unshare", path=environ.get("PATH"))
    if unshare is None:
        return None
    prefix = (unshare, "--user", f"--map-user={entry.pw_uid}", f"--map-group={entry.pw_gid}", "--")
    return RunAs(entry.pw_name, 0, 0, prefix=prefix, way="in a user namespace")


def _works(who: RunAs, needs: Needs) -> bool:
    """Try it: every file is readable and every folder can be entered."""
    script = 'while [ "$1" != -- ]; do [ -r "$1" ] || exit 1; shift; done; shift; for f; do cd "$f" || exit 1; done'
    words = ("sh", "-c", script, "sh", *map(str, needs.files), "--", *map(str, needs.folders))
    try:
        done = subprocess.run(who.command(*words), capture_output=True, timeout=10, cwd="/", check=False)
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
