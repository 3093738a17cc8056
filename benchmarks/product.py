"""The whole product, started as a person would (``bin/up``), for load and chaos benchmarks."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.stack import machine

__all__ = ["Hikae", "machine", "running"]


@dataclass
class Hikae:
    """A running installation: its address, its key, and its database."""

    address: str
    key: str
    data: Path

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def query(self, sql: str, *arguments: Any) -> list[tuple[Any, ...]]:
        """Ask the database directly, beside the product's own code."""
        import psycopg

        from config.embedded import locate

        with psycopg.connect(locate.urls(self.data).database) as connection:
            return list(connection.execute(sql, arguments).fetchall())

    def counts(self, prefix: str) -> dict[str, int]:
        """Turns, messages, scan records and unscanned turns of the sessions whose key begins with ``prefix``."""
        row = self.query(
            """
            SELECT count(DISTINCT t.id), (SELECT count(*) FROM transcripts_message m JOIN transcripts_agentsession s
                       ON s.id = m.session_id WHERE s.key LIKE %s),
                   (SELECT count(*) FROM memory_extraction e JOIN transcripts_agentsession s
                       ON s.id = e.session_id WHERE s.key LIKE %s AND e.outcome = 'done'),
                   count(DISTINCT t.id) FILTER (WHERE t.scan_state <> 'done')
            FROM transcripts_turn t JOIN transcripts_agentsession s ON s.id = t.session_id WHERE s.key LIKE %s
            """,
            *[f"{prefix}-%"] * 3,
        )[0]
        return dict(zip(("turns", "messages", "scans", "unscanned"), row, strict=True))

    def wait_until_scanned(self, prefix: str, seconds: float) -> float | None:
        """The monotonic time when nothing of ``prefix`` was left to scan; None if that did not happen in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.counts(prefix)["unscanned"] == 0:
                return time.monotonic()
            time.sleep(0.5)
        return None

    def pids(self, pattern: str) -> list[int]:
        """Processes of this installation whose command line fits; found by its data folder or address."""
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdecimal():
                continue
            with contextlib.suppress(OSError):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                environment = (folder / "environ").read_bytes().decode(errors="replace")
                if re.search(pattern, command) and (
                    str(self.data) in command or str(self.data) in environment
                ):
                    found.append(int(folder.name))
        return found

    def signal_valkey(self, name: str) -> None:
        for pid in self.pids("valkey-server"):
            os.kill(pid, getattr(signal, f"SIG{name}"))


@contextlib.contextmanager
def running(**environment: str) -> Iterator[Hikae]:
    """Start on a fresh data folder and a free port; stop with SIGINT at the end."""
    data = Path(tempfile.mkdtemp(prefix="hikae-bench-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(ROOT / "bin/up"), "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Hikae is ready:"):
                break
        else:
            raise SystemExit("bin/up ended before it was ready")
        key = (data / "agent.key").read_text(encoding="utf-8").strip()
        yield Hikae(f"http://127.0.0.1:{port}", key, data)
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        process.kill()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
