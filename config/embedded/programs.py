"""Our own programs (web, worker, beat): how each is started, watched and stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import processes
from config.embedded.logs import open_log
from config.embedded.run_as import RunAs

_LEASH = Path(__file__).with_name("leash.py")
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 30.0
# A program that lived this long is healthy; its next crash starts with the short wait again.
HEALTHY_SECONDS = 60.0


def leashed(*arguments: str, nice: int = 0) -> list[str]:
    """The command that runs Python with these arguments for as long as this process lives."""
    return [sys.executable, "-I", str(_LEASH), str(os.getpid()), str(nice), sys.executable, *arguments]


@dataclass(frozen=True)
class Program:
    """What to run: Python arguments, nice level, inherited descriptors, log file."""

    name: str
    arguments: tuple[str, ...]
    log: Path
    nice: int = 0
    descriptors: tuple[int, ...] = ()
    stop_seconds: float = 10.0


@dataclass
class Child:
    """A running or waiting program. The process leads its own group, so that its helpers end with it."""

    program: Program
    run_as: RunAs
    cwd: Path
    environ: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    not_before: float = 0.0
    _begun: float = field(default=0.0, repr=False)

    def start(self) -> None:
        with open_log(self.program.log) as out:
            self.process = subprocess.Popen(
                self.run_as.command(*leashed(*self.program.arguments, nice=self.program.nice)),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=self.cwd,
                env=dict(self.environ),
                pass_fds=self.program.descriptors,
                start_new_session=True,
                **self.run_as.popen(),
            )
        self._begun = time.monotonic()

    def crashed(self) -> int | None:
        """Exit code once, when the program has ended by itself; plans the next start."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self._end_group(signal.SIGKILL)
        self.process = None
        lived = time.monotonic() - self._begun
        self.failures = 1 if lived >= HEALTHY_SECONDS else self.failures + 1
        self.not_before = time.monotonic() + self.wait_seconds()
        return code

    def wait_seconds(self) -> float:
        return min(FIRST_WAIT_SECONDS * 2.0 ** (self.failures - 1), LONGEST_WAIT_SECONDS)

    def due(self) -> bool:
        return self.process is None and time.monotonic() >= self.not_before

    def ask_to_stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def finish(self, deadline: float) -> None:
        """Wait until the monotonic ``deadline``, then end the group by force: work in hand is leased."""
        if self.process is None:
            return
        process = self.process
        processes.wait_until(lambda: process.poll() is not None, max(0.0, deadline - time.monotonic()))
        self._end_group(signal.SIGKILL)
        process.wait(10)
        self.process = None

    def _end_group(self, number: signal.Signals) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left in it
            os.killpg(self.process.pid, number)
