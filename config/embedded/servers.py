"""The pair of embedded servers of one data folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded import run_as as users
from config.embedded import sockets
from config.embedded.binaries import postgres_binaries, valkey_server
from config.embedded.postgres import UNSAFE_AND_FAST, Postgres
from config.embedded.run_as import RunAs
from config.embedded.valkey import Valkey


@dataclass(frozen=True)
class Servers:
    """PostgreSQL and Valkey of a data folder, and the user they (and all other children) run as."""

    postgres: Postgres
    valkey: Valkey
    run_as: RunAs

    def start(self) -> None:
        """Both answer, the database exists and can index Japanese. Raises EmbeddedError otherwise."""
        self.postgres.create()
        self.postgres.start()
        self.postgres.ensure_database()
        self.valkey.start()

    def stop(self) -> None:
        try:
            self.valkey.stop()
        finally:
            self.postgres.stop()


def assemble(
    data: Path, environ: Mapping[str, str], *, reads: Iterable[Path] = (), throw_away: bool = False
) -> Servers:
    """Decide programs, user and folders; starts nothing.

    ``reads``: more files the children need (the interpreter, the project). ``throw_away``: a test cluster,
    fast because a crash may lose it all.
    """
    binaries = postgres_binaries(environ)
    valkey = valkey_server(environ)
    cluster = data / "postgres"
    data.mkdir(parents=True, exist_ok=True)
    run_as = users.choose(
        environ,
        reads=[Path(binaries.program("postgres")), valkey, *reads],
        enters=[data],
        previous_owner=cluster.stat().st_uid if cluster.is_dir() else None,
    )
    logs = data / "logs"
    logs.mkdir(mode=0o700, exist_ok=True)
    folder = sockets.socket_dir(data)
    return Servers(
        postgres=Postgres(
            binaries=binaries,
            folder=cluster,
            socket_dir=folder,
            log=logs / "postgres.log",
            run_as=run_as,
            settings=UNSAFE_AND_FAST if throw_away else {},
        ),
        valkey=Valkey(
            program=valkey,
            folder=data / "valkey",
            socket_dir=folder,
            log=logs / "valkey.log",
            run_as=run_as,
            persistent=not throw_away,
        ),
        run_as=run_as,
    )


def interpreter_files(project: Path) -> list[Path]:
    """What the Python children read: the interpreter, its library and the project."""
    return [Path(sys.executable), Path(sys.prefix) / "pyvenv.cfg", project / "manage.py"]
