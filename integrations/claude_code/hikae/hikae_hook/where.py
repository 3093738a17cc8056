"""Which workspace a folder belongs to, read from git's own files: no shell, no git program (design section 2).

All worktrees of a repository are one workspace: they share a common folder and a remote.
"""

from __future__ import annotations

import os
import re

from hikae_hook import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Compiled where a folder has a repository, and a repository a remote.
_SECTION = r'\s*\[\s*remote\s+"([^"]+)"\s*\]'
_URL = r"\s*url\s*=\s*(\S.*?)\s*$"
_SCP = r"(?:[^@/\s]+@)?([^:/\s]{2,}):(?!//)(.+)"  # git@host:path; one letter is a Windows drive
_FULL = r"(?:https?|ssh|git|git\+ssh)://(?:[^@/\s]*@)?([^:/\s]+)(?::\d+)?/(.+)"
_MOST = 200_000  # bytes of a git file that are read


class Place:
    """``workspace`` is {"name", "fingerprints"}, or None where there is none; ``branch`` may be empty."""

    def __init__(self, workspace: dict[str, Any] | None, branch: str) -> None:
        self.workspace = workspace
        self.branch = branch


def place_of(folder: str) -> Place:
    """HIKAE_WORKSPACE names one by hand; else git decides, else the folder. The home folder itself is no workspace."""
    wanted = os.environ.get("HIKAE_WORKSPACE", "").strip()
    git = _git_folder(folder) if folder else ""
    branch = _branch(git) if git else ""
    if wanted:
        return Place({"name": wanted, "fingerprints": []}, branch)
    if not folder or not os.path.isdir(folder):
        return Place(None, "")
    if git:
        common = _common(git)
        remote = normal_remote(_remote(common))
        marks = [_mark("d", machine() + "\0" + os.path.realpath(common))]
        if remote:
            marks.insert(0, _mark("r", remote))
        return Place({"name": _name(remote, common), "fingerprints": marks}, branch)
    real = os.path.realpath(folder)
    if real in (os.path.realpath(os.path.expanduser("~")), os.path.dirname(real)):
        return Place(None, "")
    return Place({"name": os.path.basename(real), "fingerprints": [_mark("d", machine() + "\0" + real)]}, "")


def normal_remote(url: str) -> str:
    """One spelling for ssh and https alike, without user, port, `.git`: "host/owner/name". "" for a path on a disk:
    the same path on another machine may be another repository."""
    found = re.fullmatch(_FULL, url, re.I) or re.fullmatch(_SCP, url)
    if not found:
        return ""
    path = re.sub(r"/+", "/", found.group(2)).strip("/")
    if path.lower().endswith(".git"):
        path = path[:-4]
    return f"{found.group(1).lower()}/{path}" if path else ""


def machine() -> str:
    """A name of this machine that says nothing about it and stays the same."""
    for path in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        found = _read(path).strip()
        if found:
            return places.sha256("hikae:" + found)
    path = os.path.join(places.home(), "machine")
    found = _read(path).strip()
    if not found:
        found = os.urandom(16).hex()
        try:
            places.write_whole(path, found.encode())
        except OSError:
            pass
    return found


def time_zone() -> str:
    """An IANA name, or "": the server then knows only offsets."""
    named = os.environ.get("TZ", "").lstrip(":")
    if "/" in named and not named.startswith("/"):
        return named
    try:
        real = os.path.realpath("/etc/localtime")
    except OSError:
        return ""
    return real.partition("/zoneinfo/")[2]


def _mark(kind: str, text: str) -> str:
    return "{}:{}".format(kind, places.sha256(text)[:40])


def _git_folder(folder: str) -> str:
    """The `.git` of the nearest folder upwards; in a worktree or a submodule a file says where it is."""
    at = os.path.abspath(folder)
    for _ in range(100):
        git = os.path.join(at, ".git")
        if os.path.isdir(git):
            return git
        if os.path.isfile(git):
            link = _read(git).strip()
            if link.startswith("gitdir:"):
                found = os.path.join(at, link[7:].strip())
                return found if os.path.isdir(found) else ""
        above = os.path.dirname(at)
        if above == at:
            return ""
        at = above
    return ""


def _common(git: str) -> str:
    link = _read(os.path.join(git, "commondir")).strip()
    return os.path.join(git, link) if link else git


def _remote(common: str) -> str:
    """The address of `origin`, else of the first remote."""
    found: dict[str, str] = {}
    section = ""
    for line in _read(os.path.join(common, "config")).splitlines():
        opens = re.match(_SECTION, line)
        if opens:
            section = opens.group(1)
        elif line.lstrip().startswith("["):
            section = ""
        elif section and section not in found:
            address = re.match(_URL, line)
            if address:
                found[section] = address.group(1).strip('"')
    return found.get("origin") or next(iter(found.values()), "")


def _name(remote: str, common: str) -> str:
    if remote:
        return remote.rsplit("/", 1)[-1]
    real = os.path.realpath(common)
    folder = os.path.dirname(real) if os.path.basename(real) == ".git" else real
    name = os.path.basename(folder)
    return name[:-4] if name.endswith(".git") else name


def _branch(git: str) -> str:
    head = _read(os.path.join(git, "HEAD")).strip()
    return head[16:] if head.startswith("ref: refs/heads/") else ""


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""
