"""Our launcher of Valkey: one server on a unix socket, with an append-only file.

The broker only carries nudges (the row is the queue, design section 1), yet with the append-only file a
``kill -9`` loses none of them either.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded import processes, sockets
from config.embedded.errors import EmbeddedError
from config.embedded.logs import open_log
from config.embedded.progress import complain
from config.embedded.run_as import RunAs

START_SECONDS = 10.0


@dataclass
class Valkey:
    """One server. ``folder`` holds its append-only file, ``socket_dir`` its socket, ``log`` its log file."""

    program: Path
    folder: Path
    socket_dir: Path
    log: Path
    run_as: RunAs
    persistent: bool = True
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return sockets.redis_url(self.socket_dir)

    def start(self) -> None:
        """Return when the server answers; one that already answers is adopted.

        An append-only file that cannot be read is set aside: every nudge in it has its row (design section 1).
        """
        if self.answers():
            return
        self._end_strays()
        if not self._start_once() and any(self.folder.iterdir()):
            aside = self.folder.with_name(f"{self.folder.name}.unreadable-{int(time.time())}")
            self.folder.rename(aside)
            complain(
                f"Valkey could not read its file; it starts with an empty one. The old one lies in {aside}."
            )
            self._start_once()
        if not self.answers():
            raise EmbeddedError(f"Valkey does not start. The end of {self.log}:\n{processes.tail(self.log)}")

    def _start_once(self) -> bool:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.run_as.owns(self.folder)
        sockets.prepare(self.socket_dir, self.run_as)
        (self.socket_dir / sockets.VALKEY_SOCKET).unlink(missing_ok=True)
        with open_log(self.log) as out:
            self._child = subprocess.Popen(
                self.run_as.command(str(self.program), *self._options()),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd="/",
                env=processes.bare_environment(),
                start_new_session=True,
                **self.run_as.popen(),
            )
        child = self._child
        processes.wait_until(lambda: self.answers() or child.poll() is not None, START_SECONDS)
        return self.answers()

    def stop(self) -> None:
        """Write everything down and end; returns when the server is gone. Safe when it is not running."""
        pid = self.pid()
        if pid is not None:
            try:
                with self.client(seconds=5.0) as client:
                    client.shutdown()
            except redis.RedisError:
                pass
        if self._child is not None:
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait(5)
            self._child = None
        elif pid is not None and not processes.wait_until(lambda: not processes.alive(pid), 10.0):
            raise EmbeddedError(f"Valkey (process {pid}) does not stop.")

    def running(self) -> bool:
        """A cheap look: our own child lives, or an adopted one answers."""
        return self._child.poll() is None if self._child is not None else self.answers()

    def answers(self) -> bool:
        return self.pid() is not None

    def _end_strays(self) -> None:
        """End a server of this folder that hangs: two of them would ruin the append-only file."""
        for pid in processes.in_folder(self.folder):
            os.kill(pid, signal.SIGKILL)
        processes.wait_until(lambda: not self._alive_here(), 5.0)

    def _alive_here(self) -> bool:
        if self._child is not None:
            self._child.poll()
        return bool(processes.in_folder(self.folder))

    def pid(self) -> int | None:
        """Process id of the server that answers on the socket, None if none does."""
        if self._child is not None:
            self._child.poll()  # reaps it, so that a dead one is not left as a zombie
        try:
            with self.client() as client:
                return int(client.info("server")["process_id"])
        except (redis.RedisError, OSError):
            return None

    def client(self, seconds: float = 2.0) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket_dir / sockets.VALKEY_SOCKET),
            socket_timeout=seconds,
            retry=Retry(NoBackoff(), 0),  # "no" is an answer here; the caller decides whether to ask again
        )

    def _options(self) -> list[str]:
        return [
            "--port", "0",
            "--unixsocket", str(self.socket_dir / sockets.VALKEY_SOCKET),
            "--unixsocketperm", "700",
            "--dir", str(self.folder),
            "--appendonly", "yes" if self.persistent else "no",
            "--save", "",
            "--maxmemory-policy", "noeviction",
        ]  # fmt: skip
