"""Become an ordinary user in a mount namespace of its own: ``cell.py SPEC COMMAND ...`` (Linux, started by root).

For a project that lies in a private folder, such as a clone under root's home: an ordinary user may not pass
through that folder, and changing its mode is not ours to do. Inside the namespace the private folder is
covered by an empty one in which only the needed paths appear; outside nothing changes, and what else lies
in the folder stays hidden. Run by path, so that nothing of the project is imported.

SPEC is JSON: ``{"uid": n, "gid": n, "covers": {closed folder: [paths to show]}}``.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

_CLONE_NEWNS = 0x00020000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REMOUNT = 0x1, 0x2, 0x4, 0x20
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000


def main(arguments: list[str]) -> None:
    spec, command = json.loads(arguments[0]), arguments[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "no mount namespace")
    _mount(libc, "none", "/", flags=_MS_REC | _MS_PRIVATE)
    mask = os.umask(0o022)
    for folder, shown in spec["covers"].items():
        _cover(libc, folder, shown)
    os.umask(mask)
    os.setgroups([])
    os.setresgid(spec["gid"], spec["gid"], spec["gid"])
    os.setresuid(spec["uid"], spec["uid"], spec["uid"])
    os.execvp(command[0], command)


def _cover(libc: ctypes.CDLL, folder: str, shown: list[str]) -> None:
    """Lay an empty read-only folder over ``folder`` and put the shown paths back into it."""
    held = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC), os.path.isdir(path)) for path in shown]
    flags = _MS_NOSUID | _MS_NODEV
    _mount(libc, "tmpfs", folder, kind="tmpfs", flags=flags, data="mode=0755,size=1m")
    for path, handle, is_folder in held:
        os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
        if not is_folder:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
        _mount(libc, f"/proc/self/fd/{handle}", path, flags=_MS_BIND | _MS_REC)
        os.close(handle)
    _mount(libc, "none", folder, flags=flags | _MS_REMOUNT | _MS_RDONLY)


def _mount(
    libc: ctypes.CDLL, source: str, target: str, *, kind: str = "", flags: int = 0, data: str = ""
) -> None:
    words = [os.fsencode(word) if word else None for word in (source, target, kind)]
    if libc.mount(*words, ctypes.c_ulong(flags), os.fsencode(data) if data else None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), target)


if __name__ == "__main__":
    main(sys.argv[1:])
