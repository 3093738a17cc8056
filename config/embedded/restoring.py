"""``bin/up --restore FILE``: a backup into a new data folder, before anything else starts (design section 7)."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from config.backup import archive, postgres
from config.backup.archive import BackupError
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home, write_private
from config.embedded.servers import Servers


def adopt_secret(file: Path, home: Home, environ: Mapping[str, str]) -> None:
    """Make the backup's secret the folder's, before one of its own is made. Raises EmbeddedError.

    A folder with another secret is not a new one: what lies in it could not be read any more.
    """
    secret = _read(file, home).secret
    given = environ.get("SECRET_KEY", "").strip()
    if environ.get("SECRET_KEY_FILE") or (given and given != secret):
        raise EmbeddedError(
            "SECRET_KEY is set, and the backup brings its own. Start without it: the secret is kept in the data folder."
        )
    if home.secret_key.exists():
        if home.secret_key.read_text(encoding="utf-8").strip() != secret:
            raise EmbeddedError(
                f"{home.folder} is in use already. Name a new folder with --data; what is there stays as it is."
            )
        return
    write_private(home.secret_key, secret + "\n")


def load(file: Path, home: Home, servers: Servers) -> str:
    """Load the dump into the new, empty database; the time it was made. Raises EmbeddedError."""
    if servers.postgres is None:
        raise EmbeddedError(
            "DATABASE_URL names a database elsewhere: load the backup with manage.py restore FILE."
        )
    binaries = {"PG_BIN_DIR": str(servers.postgres.binaries.bin_dir)}
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=home.folder) as scratch:
        try:
            found = archive.read(file, into=Path(scratch))
            postgres.load(conninfo=servers.postgres.url, dump=found.dump, environ=binaries)
        except BackupError as error:
            raise EmbeddedError(str(error)) from error
    return str(found.manifest.get("made_at", ""))


def _read(file: Path, home: Home) -> archive.Opened:
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=home.folder) as scratch:
        try:
            return archive.read(file, into=Path(scratch))
        except BackupError as error:
            raise EmbeddedError(str(error)) from error
