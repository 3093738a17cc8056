"""Where things are: the address, the key, the folder of our own. One fixed folder, so that hooks, commands and the
helper of the MCP entry find the same one."""

from __future__ import annotations

import json
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFAULT_URL = "http://127.0.0.1:8000"


class Unsafe(Exception):
    """The key lies where others can read it."""


def home() -> str:
    """`~/.hikae`, or what HIKAE_HOME names; made when missing, for its owner alone."""
    path = os.environ.get("HIKAE_HOME") or os.path.join(os.path.expanduser("~"), ".hikae")
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def folder(name: str) -> str:
    path = os.path.join(home(), name)
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def url() -> str:
    """Of the server, without a slash at the end: the environment, the plugin's option, what the download wrote down."""
    for name in ("HIKAE_URL", "CLAUDE_PLUGIN_OPTION_URL"):
        if os.environ.get(name):
            return os.environ[name].rstrip("/")
    found = read_json(os.path.join(PLUGIN, "server.json")).get("url")
    return found.rstrip("/") if isinstance(found, str) and found else DEFAULT_URL


def key() -> str:
    """The agent key: from the environment, the plugin's option (kept by the client in a protected place), or the file
    `key` in our folder, which nobody else may read. "" when there is none. Raises Unsafe."""
    for name in ("HIKAE_KEY", "CLAUDE_PLUGIN_OPTION_KEY"):
        if os.environ.get(name):
            return os.environ[name].strip()
    path = os.environ.get("HIKAE_KEY_FILE") or os.path.join(home(), "key")
    try:
        with open(path, encoding="utf-8") as file:
            # Windows keeps a profile from other accounts by itself; its mode bits say nothing.
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise Unsafe(path)
            return file.read(1000).strip()
    except FileNotFoundError:
        return ""


def sha256(text: str) -> str:
    """In hexadecimal. Python's own SHA-2 without the `hashlib` around it, which loads all of OpenSSL."""
    data = text.encode("utf-8", "replace")
    for name in ("_sha2", "_sha256"):  # since Python 3.12, before
        try:
            found: str = __import__(name).sha256(data).hexdigest()
        except (ImportError, AttributeError):
            continue
        return found
    import hashlib

    return hashlib.sha256(data).hexdigest()


def read_json(path: str) -> dict[str, Any]:
    """The object in a file; {} when there is none that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: str, value: dict[str, Any]) -> None:
    """All or nothing, for its owner alone; what can be found out again is not waited for. Raises OSError."""
    write_whole(path, json.dumps(value).encode(), lasting=False)


def write_whole(path: str, data: bytes, lasting: bool = True) -> None:
    """Under another name first: a crash leaves the old file or the new one, never half of one. Raises OSError.

    ``lasting``: it is on the disk when this returns, so that a power cut does not take it. That costs milliseconds.
    """
    fresh = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError:
        try:
            os.unlink(fresh)
        except OSError:
            pass
        raise
