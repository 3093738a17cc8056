"""The one process behind ``bin/up``: keeps the servers and our programs running, and stops them all.

It holds the data folder's lock and the port for as long as it lives. Started by root it stays root only to
restart children as their ordinary user and to keep the files of who started it.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from config.embedded import leftovers, processes
from config.embedded.errors import EmbeddedError
from config.embedded.lock import DataLock
from config.embedded.postgres import Postgres
from config.embedded.programs import Child
from config.embedded.progress import complain, say
from config.embedded.valkey import Valkey

LOOK_SECONDS = 0.25
SERVER_LOOK_SECONDS = 2.0
HURRY_SECONDS = 1.0


class Stopped(BaseException):
    """A person or the system asked us to end; no ``except Exception`` may swallow it."""


@dataclass
class Supervisor:
    """Owns everything that was started; ``stop`` undoes it in the opposite order."""

    lock: DataLock
    facts: dict[str, object]
    # Held for as long as we live: collected, it would close the port under a restarted web process.
    listening: socket.socket | None = None
    postgres: Postgres | None = None
    valkey: Valkey | None = None
    children: list[Child] = field(default_factory=list)
    _stopping: bool = False
    _asked: bool = False
    _shielded: bool = False
    _hurry: bool = False

    def listen_for_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # nohup ignores SIGHUP, and means it; an ignored SIGINT only says that a shell put us into the background.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._on_signal)

    @contextmanager
    def shield(self) -> Iterator[None]:
        """Put off a stop to the end of the block: a process must not be born unknown to us."""
        self._shielded = True
        try:
            yield
        finally:
            self._shielded = False
        if self._asked and not self._stopping:
            self._stopping = True
            raise Stopped

    def start_children(self, children: Sequence[Child]) -> None:
        for child in children:
            self.children.append(child)
            with self.shield():
                child.start()
        self._write_facts()

    def has_started(self) -> bool:
        return bool(self.postgres or self.valkey or self.children)

    def tend(self) -> None:
        """One look: start again what has ended by itself, and say so."""
        for child in self.children:
            code = child.crashed()
            if code is not None:
                complain(
                    f"{child.program.name} ended ({_why(code)}); starting it again in "
                    f"{child.wait_seconds():.0f} s. The end of {child.program.log}:\n"
                    f"{processes.tail(child.program.log, 8)}"
                )
            elif child.due():
                with self.shield():
                    child.start()
                self._write_facts()

    def tend_servers(self) -> None:
        """Start a dead server again. A failure is said and tried again at the next look."""
        for server in (self.postgres, self.valkey):
            if server is None or server.running():
                continue
            complain(f"{type(server).__name__} is gone; starting it again.")
            try:
                with self.shield():
                    server.start()
                say(f"{type(server).__name__} is back.")
            except EmbeddedError as error:
                complain(str(error))

    def run(self) -> None:
        """Tend everything until ``Stopped`` is raised by a signal."""
        next_look = time.monotonic()
        while True:
            self.tend()
            if time.monotonic() >= next_look:
                self.tend_servers()
                next_look = time.monotonic() + SERVER_LOOK_SECONDS
            time.sleep(LOOK_SECONDS)

    def stop(self) -> None:
        """End every child, then the servers. A second signal shortens the wait; nothing is left behind."""
        self._stopping = True
        if self.listening is not None:
            self.listening.close()
        for child in self.children:
            child.ask_to_stop()
        begun = time.monotonic()
        for child in self.children:
            end = begun + child.program.stop_seconds
            while child.process is not None and child.process.poll() is None and time.monotonic() < end:
                if self._hurry:
                    end = min(end, time.monotonic() + HURRY_SECONDS)
                time.sleep(0.05)
            child.finish(end)
        for server in (self.valkey, self.postgres):
            if server is None:
                continue
            try:
                server.stop()
            except EmbeddedError as error:
                complain(str(error))

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            self._hurry = True
            return
        self._asked = True
        if self._shielded:
            return
        self._stopping = True
        raise Stopped

    def _write_facts(self) -> None:
        pids = [child.process.pid for child in self.children if child.process is not None]
        self.lock.write(**self.facts, pid=os.getpid(), children=leftovers.remember(pids))


def _why(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
