"""The file of a backup: a tar of the database's dump, the installation's secret, and a manifest about both.

Without the secret a database is half of itself: agent keys, sign-in links, tombstones and the audit chain are keyed
digests made with it. So the file is as private as the database, and is written for its owner's eyes alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = 1
DUMP, SECRET, MANIFEST = "database.dump", "secret.key", "manifest.json"
_SMALL = 1_000_000  # bytes: a secret and a manifest are far shorter
_BLOCK = 1 << 20


class BackupError(Exception):
    """It cannot be made, read or loaded; the message says why, for the operator."""


@dataclass(frozen=True)
class Opened:
    """A backup whose dump lies in ``dump`` now and is the one that the manifest names."""

    manifest: Mapping[str, Any]
    secret: str
    dump: Path


def write(path: Path, *, dump: Path, secret: str, facts: Mapping[str, Any]) -> None:
    """Write the file, whole or not at all, readable for its owner alone. Raises BackupError."""
    manifest = {"format": FORMAT, **facts, "dump_sha256": _digest(dump), "dump_bytes": dump.stat().st_size}
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w") as tar:  # the dump is compressed already
                _add(tar, MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
                _add(tar, SECRET, secret + "\n")
                tar.add(dump, DUMP, filter=_anonymous)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise BackupError(f"The backup cannot be written to {path}: {error.strerror}.") from error


def read(path: Path, *, into: Path) -> Opened:
    """Check the file and put its dump into the folder ``into``. Raises BackupError; members are taken by name alone."""
    try:
        with tarfile.open(path, mode="r:") as tar:
            manifest = json.loads(_small(tar, MANIFEST))
            if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
                raise BackupError(
                    f"{path} is a backup of another format; this version reads format {FORMAT}."
                )
            secret = _small(tar, SECRET).strip()
            dump = into / DUMP
            with _member(tar, DUMP) as source, dump.open("xb") as target:
                shutil.copyfileobj(source, target, _BLOCK)
    except (OSError, tarfile.TarError, ValueError) as error:
        raise BackupError(f"{path} cannot be read as a backup: {error}") from error
    if _digest(dump) != manifest.get("dump_sha256"):
        raise BackupError(f"{path} is damaged: its database is not the one that its manifest names.")
    return Opened(manifest, secret, dump)


def _add(tar: tarfile.TarFile, name: str, text: str) -> None:
    raw = text.encode()
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(raw), 0o600
    tar.addfile(info, io.BytesIO(raw))


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Nothing of the machine that made it."""
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    info.mode = 0o600
    return info


def _member(tar: tarfile.TarFile, name: str) -> Any:
    found = tar.extractfile(name) if name in tar.getnames() else None
    if found is None:
        raise ValueError(f"it holds no {name}")
    return found


def _small(tar: tarfile.TarFile, name: str) -> str:
    with _member(tar, name) as file:
        return str(file.read(_SMALL).decode())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
