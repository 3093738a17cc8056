"""Our own launcher of PostgreSQL: one cluster, one unix socket, no TCP.

The wheel's launcher is not used: after a crash it takes a zombie for a running server and hands out a dead
socket, and as root it creates users and opens folders. Here a start is "is it running, does it answer, else
start", repeated until it answers or 15 s are over (recovery after ``kill -9`` takes about 5 s).
"""

from __future__ import annotations

import locale
import shlex
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from config.embedded import processes, sockets
from config.embedded.binaries import PostgresBinaries
from config.embedded.errors import EmbeddedError
from config.embedded.logs import open_log
from config.embedded.run_as import RunAs

START_SECONDS = 15.0
# The log must never hold what people said: no statements, no row values in messages.
QUIET_LOG = {"log_min_error_statement": "panic", "log_error_verbosity": "terse", "log_timezone": "UTC"}
# Only for throw-away test clusters: a crash may lose everything, which is what makes it fast.
UNSAFE_AND_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True)
class Postgres:
    """One cluster: ``folder`` is PGDATA, ``socket_dir`` the private folder of its socket, ``log`` a file."""

    binaries: PostgresBinaries
    folder: Path
    socket_dir: Path
    log: Path
    run_as: RunAs
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return sockets.database_url(self.socket_dir)

    def create(self) -> bool:
        """Make the cluster if there is none; True when made now. An interrupted make leaves nothing."""
        if (self.folder / "PG_VERSION").is_file():
            self._check_version()
            self.run_as.owns(self.folder)
            return False
        fresh = self.folder.with_name(self.folder.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700, parents=True)
        self.run_as.owns(fresh)
        done = self._run("initdb", "-D", str(fresh), *self._initdb_options())
        if done.returncode != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            raise EmbeddedError(f"The database could not be created:\n{done.stdout.strip()}")
        fresh.rename(self.folder)
        return True

    def start(self) -> None:
        """Return when the server answers. Raises EmbeddedError with the log's end after 15 s."""
        sockets.prepare(self.socket_dir, self.run_as)
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > end:
                raise EmbeddedError(
                    f"PostgreSQL does not start. The end of {self.log}:\n{processes.tail(self.log)}"
                )
            if not self.running():
                self._clear_stale_lock()
                self._pg_ctl_start()
            time.sleep(0.05)

    def stop(self) -> None:
        """Fast shutdown; returns when the server is gone. Safe to call when it is not running."""
        if not self.running():
            return
        for mode, seconds in (("fast", 30), ("immediate", 10)):
            self._run("pg_ctl", "stop", "-D", str(self.folder), "-m", mode, "-w", "-t", str(seconds))
            if processes.wait_until(lambda: not self.running(), 1.0):
                return
        raise EmbeddedError(f"PostgreSQL (process {self.pid()}) does not stop.")

    def pid(self) -> int | None:
        """The postmaster's process id as its lock file tells, dead or alive."""
        try:
            return int((self.folder / "postmaster.pid").read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            return None

    def running(self) -> bool:
        """A living postmaster of this cluster: no zombie, and no other program that was given its old id."""
        pid = self.pid()
        if pid is None or not processes.alive(pid):
            return False
        if Path("/proc/self").exists():
            return processes.stands_in(pid, self.folder)
        return self._run("pg_ctl", "status", "-D", str(self.folder)).returncode == 0

    def answers(self) -> bool:
        try:
            with self.connect("postgres"):
                return True
        except psycopg.OperationalError:
            return False

    def connect(self, name: str = sockets.DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            sockets.database_url(self.socket_dir, name), connect_timeout=3, autocommit=True
        )

    def ensure_database(self) -> None:
        """Create the database if needed, and refuse one in which Japanese text has no trigrams."""
        with self.connect("postgres") as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [sockets.DATABASE])
            if found.fetchone() is None:
                connection.execute(f"CREATE DATABASE {sockets.DATABASE}")
        check_japanese(self.url)

    def _check_version(self) -> None:
        made_by = (self.folder / "PG_VERSION").read_text().strip()
        if made_by != str(self.binaries.major):
            raise EmbeddedError(
                f"{self.folder} was made by PostgreSQL {made_by}, but {self.binaries.major} is installed. Name a "
                f"PostgreSQL {made_by} in PG_BIN_DIR, dump the database with it, and load the dump into a new folder."
            )

    def _initdb_options(self) -> list[str]:
        options = ["-U", sockets.ROLE, "--auth=trust", "--no-instructions", "--encoding=UTF8"]
        if self.binaries.major >= 17:
            options += ["--locale-provider=builtin", "--locale=C.UTF-8"]
        else:
            options += ["--locale-provider=libc", "--locale=C.UTF-8"]
        if "fsync" in self.settings:
            options.append("--no-sync")
        ctype = _unicode_ctype()
        return [*options, f"--lc-ctype={ctype}"] if ctype != "C.UTF-8" else options

    def _pg_ctl_start(self) -> None:
        settings = {
            **QUIET_LOG,
            "listen_addresses": "",
            "port": str(sockets.PORT),
            "unix_socket_directories": str(self.socket_dir),
            "unix_socket_permissions": "0700",
            "timezone": "UTC",
            "jit": "off",
            **self.settings,
        }
        options = " ".join(shlex.quote(f"-c{name}={value}") for name, value in settings.items())
        self._run("pg_ctl", "start", "-D", str(self.folder), "-W", "-s", "-o", options, log=True)
        processes.wait_until(self.answers, 2.0)

    def _clear_stale_lock(self) -> None:
        """Remove a lock file whose postmaster is dead, once no process of that cluster is left.

        PostgreSQL takes a zombie, or any program that got the same id after a reboot, for the old server.
        """
        if self.pid() is None:
            return
        if processes.wait_until(lambda: not processes.in_folder(self.folder), 10.0):
            (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def _run(self, program: str, *words: str, log: bool = False) -> subprocess.CompletedProcess[str]:
        # pg_ctl's child keeps its output open: a pipe would never end, so a start writes to the log file.
        command = self.run_as.command(self.binaries.program(program), *words)
        if not log:
            return subprocess.run(
                command,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                stdin=subprocess.DEVNULL,
                cwd="/",
                env=processes.bare_environment(),
                **self.run_as.popen(),
            )
        with open_log(self.log) as out:
            return subprocess.run(
                command,
                text=True,
                stdout=out,
                stderr=out,
                check=False,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                cwd="/",
                env=processes.bare_environment(),
                **self.run_as.popen(),
            )


def check_japanese(url: str) -> None:
    """Refuse a database without Japanese trigrams: with LC_CTYPE C they are silently empty."""
    with psycopg.connect(url, connect_timeout=5, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        row = connection.execute("SELECT cardinality(show_trgm('日本語'))").fetchone()
    if row is None or not isinstance(row[0], int) or row[0] == 0:
        raise EmbeddedError(
            "This database cannot index Japanese text: its LC_CTYPE has no Unicode. Create it with "
            "ENCODING 'UTF8' and LC_CTYPE 'C.UTF-8', and load the data again."
        )


def _unicode_ctype(candidates: Sequence[str] = ("C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8")) -> str:
    """A character type of the C library that knows Unicode; pg_trgm asks that one, whatever the provider."""
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        for name in candidates:
            try:
                locale.setlocale(locale.LC_CTYPE, name)
            except locale.Error:
                continue
            return name
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    raise EmbeddedError("This machine has no UTF-8 locale (tried C.UTF-8 and en_US.UTF-8).")
