"""Rooms in which real servers of their own can be started, broken and thrown away."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from config.embedded import processes
from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.servers import assemble
from config.embedded.valkey import Valkey

# What the test run itself has set must not leak into servers that stand for a person's own.
PERSONS_ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("HIKAE_", "DATABASE_", "REDIS_", "PYTEST_")) and name != "DJANGO_SETTINGS_MODULE"
}


@pytest.fixture
def environ() -> dict[str, str]:
    return dict(PERSONS_ENVIRONMENT)


@contextmanager
def temporary_home() -> Iterator[Home]:
    """A data folder under /tmp: pytest's own are private to root, and the servers may be somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="hikae-room-", dir="/tmp"))
    made = Home(folder)
    made.make()
    yield made
    end_processes(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def home() -> Iterator[Home]:
    with temporary_home() as made:
        yield made


@pytest.fixture(scope="session")
def pattern() -> Iterator[Postgres]:
    """A stopped cluster to copy: making one takes longer than most tests here."""
    with temporary_home() as made:
        server = make_postgres(made, PERSONS_ENVIRONMENT)
        server.create()
        server.start()
        server.ensure_database()
        server.stop()
        yield server


@pytest.fixture
def postgres(home: Home, environ: dict[str, str], pattern: Postgres) -> Postgres:
    """A running cluster with the settings of bin/up, ready to be broken."""
    shutil.copytree(pattern.folder, home.folder / "postgres")
    server = make_postgres(home, environ)
    server.create()
    server.start()
    server.ensure_database()
    return server


@pytest.fixture
def valkey(home: Home, environ: dict[str, str]) -> Valkey:
    """A running Valkey with its append-only file."""
    server = make_valkey(home, environ)
    server.start()
    return server


def make_postgres(home: Home, environ: dict[str, str]) -> Postgres:
    """A durable server whose creation alone is not flushed: the tests pull no power plug."""
    server = assemble(home, environ).postgres
    assert server is not None
    return replace(server, settings={"fsync": "on"})


def make_valkey(home: Home, environ: dict[str, str]) -> Valkey:
    server = assemble(home, environ).valkey
    assert server is not None
    return server


def processes_of(folder: Path) -> list[int]:
    """Living processes that stand in the folder or name it in their command line or environment."""
    needle = str(folder).encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        pid = int(entry.name)
        try:
            known = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            inside = os.readlink(entry / "cwd").startswith(str(folder))
        except OSError:
            continue
        if pid != os.getpid() and processes.alive(pid) and (inside or needle in known):
            found.append(pid)
    return found


def end_processes(folder: Path) -> None:
    for pid in processes_of(folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    processes.wait_until(lambda: not processes_of(folder), 10.0)


@pytest.fixture
def kill() -> Callable[[int | None], None]:
    """``kill -9`` that returns when the process is really gone (or a zombie)."""

    def _kill(pid: int | None) -> None:
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert processes.wait_until(lambda: not processes.alive(pid), 5.0)

    return _kill
