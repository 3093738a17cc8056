"""PostgreSQL's own ``pg_dump`` and ``pg_restore``, for the database of an address."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.backup.archive import BackupError
from config.embedded.binaries import postgres_binaries
from config.embedded.errors import EmbeddedError
from config.embedded.processes import bare_environment


def program(name: str, environ: Mapping[str, str]) -> str:
    """``pg_dump`` or ``pg_restore``: of the embedded PostgreSQL (or PG_BIN_DIR), else the one on PATH."""
    try:
        found = postgres_binaries(environ).program(name)
    except EmbeddedError:
        found = shutil.which(name) or ""
    if not found or not Path(found).is_file():
        raise BackupError(f"{name} was not found. Install PostgreSQL's client programs, or set PG_BIN_DIR.")
    return found


def dump(*, conninfo: str, to: Path, snapshot: str, environ: Mapping[str, str]) -> None:
    """The database as it was in ``snapshot``, in PostgreSQL's custom format. Raises BackupError."""
    plain = ("--format=custom", "--no-owner", "--no-privileges", "--no-password")
    _run([program("pg_dump", environ), *plain, f"--snapshot={snapshot}", f"--file={to}"], conninfo)


def load(*, conninfo: str, dump: Path, environ: Mapping[str, str]) -> None:
    """The dump into an empty database, whole or not at all. Raises BackupError, also when it is not empty."""
    with psycopg.connect(conninfo, connect_timeout=5) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    if found and found[0]:
        raise BackupError(
            f"The database holds {found[0]} tables already. Restore into an empty one, or with bin/up into a new data "
            "folder; what is there stays as it is."
        )
    whole = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password")
    _run([program("pg_restore", environ), *whole, str(dump)], conninfo)


def _run(command: list[str], conninfo: str) -> None:
    """The password goes by the environment: command lines are for everybody to read."""
    parts = {name: str(value) for name, value in conninfo_to_dict(conninfo).items() if value is not None}
    password = parts.pop("password", "")
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs, found by us
        [*command, "--dbname", make_conninfo(**parts)],
        env={**bare_environment(), **({"PGPASSWORD": password} if password else {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip()[-2_000:] or f"exit {done.returncode}"
        raise BackupError(f"{Path(command[0]).name} failed: {said}")
