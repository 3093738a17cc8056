"""The pair of embedded servers of one data folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded import run_as as users
from config.embedded import sockets
from config.embedded.binaries import postgres_binaries, valkey_server
from config.embedded.home import Home
from config.embedded.postgres import UNSAFE_AND_FAST, Postgres
from config.embedded.reach import Needs
from config.embedded.run_as import RunAs
from config.embedded.valkey import Valkey


@dataclass(frozen=True)
class Servers:
    """What is embedded (None = the environment names a server elsewhere) and whom all children run as."""

    postgres: Postgres | None
    valkey: Valkey | None
    run_as: RunAs

    def start(self) -> None:
        """Both answer, the database exists and can index Japanese. Raises EmbeddedError otherwise."""
        if self.postgres is not None:
            self.postgres.create()
            self.postgres.start()
            self.postgres.ensure_database()
        if self.valkey is not None:
            self.valkey.start()

    def stop(self) -> None:
        try:
            if self.valkey is not None:
                self.valkey.stop()
        finally:
            if self.postgres is not None:
                self.postgres.stop()


def assemble(
    home: Home, environ: Mapping[str, str], *, needs: Needs | None = None, throw_away: bool = False
) -> Servers:
    """Decide programs, user and folders; starts nothing. Raises EmbeddedError.

    ``needs``: what the children use beside the servers (the interpreter, the project). ``throw_away``: a test
    cluster, fast because a crash may lose it all.
    """
    binaries = None if _is_set("DATABASE_URL", environ) else postgres_binaries(environ)
    valkey = None if _is_set("REDIS_URL", environ) else valkey_server(environ)
    cluster = home.folder / "postgres"
    programs = [Path(binaries.program("postgres"))] if binaries else []
    folders = [binaries.home] if binaries else []
    if valkey is not None:
        programs, folders = [*programs, valkey], [*folders, valkey.parent]
    needs = needs or Needs()
    all_needs = Needs((*programs, *needs.files), (*folders, *needs.folders, home.folder))
    owner = cluster.stat().st_uid if cluster.is_dir() else None
    run_as = users.choose(environ, all_needs, previous_owner=owner)
    folder = sockets.socket_dir(home.folder)
    return Servers(
        postgres=Postgres(
            binaries=binaries,
            folder=cluster,
            socket_dir=folder,
            log=home.logs / "postgres.log",
            run_as=run_as,
            settings=UNSAFE_AND_FAST if throw_away else {},
        )
        if binaries
        else None,
        valkey=Valkey(
            program=valkey,
            folder=home.folder / "valkey",
            socket_dir=folder,
            log=home.logs / "valkey.log",
            run_as=run_as,
            persistent=not throw_away,
        )
        if valkey
        else None,
        run_as=run_as,
    )


def _is_set(name: str, environ: Mapping[str, str]) -> bool:
    return bool(environ.get(name) or environ.get(f"{name}_FILE"))


def interpreter_needs(project: Path) -> Needs:
    """What the Python children use: the interpreter, its library and the project."""
    return Needs(
        files=(Path(sys.executable), Path(sys.prefix) / "pyvenv.cfg", project / "manage.py"),
        folders=(Path(sys.base_prefix), Path(sys.prefix), project),
    )
