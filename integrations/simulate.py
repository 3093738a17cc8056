"""Play a recorded conversation as Claude Code would: the transcript grows, the hook program runs for each event.

A recording is JSON Lines, one step each: ``{"event": {...}, "lines": [...], "folder": "shop"}``. ``lines`` are appended
to the session's transcript before the event fires; ``folder`` is where the agent works. For tests and benchmarks:

    python -m integrations.simulate recording.jsonl --url http://127.0.0.1:8000 --key-file ~/.hikae/key
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).parent / "claude_code" / "hikae" / "hook.py"
FLAGS = ("-I", "-S")  # as in the plugin's hooks.json
PATIENCE = 30.0  # seconds after which a hook counts as hanging


@dataclass(frozen=True)
class Step:
    """One event, and what the client wrote into the transcript before it."""

    event: Mapping[str, Any]
    lines: Sequence[str] = ()
    folder: str = ""


@dataclass(frozen=True)
class Played:
    """How the program took it: ``seconds`` of wall time from start to end, ``answer`` None when it printed nothing."""

    event: str
    seconds: float
    code: int
    answer: dict[str, Any] | None


@dataclass
class Client:
    """A machine with the plugin: ``root`` holds its projects, transcripts and the program's own folder."""

    root: Path
    url: str
    key: str
    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "hikae"

    def transcript(self, session: str) -> Path:
        return self.root / "transcripts" / f"{session}.jsonl"

    def play(self, steps: Iterable[Step]) -> Iterator[Played]:
        """Step by step, as fast as the program lets them."""
        for step in steps:
            yield self.fire(step)

    def fire(self, step: Step) -> Played:
        session = str(step.event.get("session_id", ""))
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        if step.lines:
            with path.open("a", encoding="utf-8") as file:
                file.writelines(f"{_stamped(line)}\n" for line in step.lines)
        folder = self.root / "projects" / (step.folder or "none")
        folder.mkdir(parents=True, exist_ok=True)
        event = {**step.event, "transcript_path": str(path), "cwd": str(folder)}
        return self.run(
            json.dumps(event, ensure_ascii=False).encode(),
            name=str(event.get("hook_event_name")),
            folder=folder,
        )

    def run(self, raw: bytes, *, name: str, folder: Path) -> Played:
        """The program as a process of its own, with these bytes on stdin. Raises TimeoutExpired when it hangs."""
        begun = time.perf_counter()
        done = subprocess.run(  # noqa: S603 (our own program)
            [self.python, *FLAGS, str(PROGRAM), "event"],
            input=raw,
            capture_output=True,
            env=self.surroundings(folder),
            timeout=PATIENCE,
            check=False,
        )
        seconds = time.perf_counter() - begun
        printed = json.loads(done.stdout) if done.stdout.strip() else None
        return Played(name, seconds, done.returncode, printed)

    def flush(self) -> None:
        """Hand over what waits, as the program does by itself in the background."""
        subprocess.run(  # noqa: S603 (our own program)
            [self.python, *FLAGS, str(PROGRAM), "flush"],
            env=self.surroundings(self.root),
            timeout=600,
            check=True,
        )

    def spooled(self) -> list[Path]:
        """Events that the server does not have yet, the oldest first."""
        return sorted((self.home / "spool").glob("*.json"))

    def surroundings(self, folder: Path) -> dict[str, str]:
        """The environment of a hook; nothing of ours but what is said here. The key never stands in an argument."""
        return {
            "HIKAE_HOME": str(self.home),
            "HIKAE_URL": self.url,
            "HIKAE_KEY": self.key,
            "CLAUDE_PROJECT_DIR": str(folder),
            "HOME": str(self.root),
            **self.environment,
        }


def _stamped(line: str) -> str:
    """Written now: the clock of a transcript is that of its hooks. What is no JSON stays as it is."""
    try:
        raw = json.loads(line)
        return json.dumps({**raw, "timestamp": datetime.now(UTC).isoformat()}, ensure_ascii=False)
    except (ValueError, TypeError):
        return line


def read_recording(path: Path) -> list[Step]:
    """Raises ValueError with the line that is no step."""
    steps = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            steps.append(Step(raw["event"], raw.get("lines", ()), raw.get("folder", "")))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"line {number} is no step: {error}") from error
    return steps


def write_recording(path: Path, steps: Iterable[Step]) -> None:
    lines = (
        json.dumps({"event": s.event, "lines": list(s.lines), "folder": s.folder}, ensure_ascii=False)
        for s in steps
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; 0 for nothing."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, max(0, round(share * len(ranked)) - 1))] if ranked else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--key-file", type=Path, required=True, help="a file that only you can read")
    parser.add_argument("--root", type=Path, required=True, help="an empty folder to play in")
    given = parser.parse_args(arguments)
    client = Client(given.root, given.url, given.key_file.read_text(encoding="utf-8").strip())
    times: dict[str, list[float]] = defaultdict(list)
    for played in client.play(read_recording(given.recording)):
        times[played.event].append(played.seconds)
    for name, values in times.items():
        sys.stdout.write(f"{name:20} {len(values):6} p50 {percentile(values, 0.5) * 1000:6.0f} ms")
        sys.stdout.write(
            f"  p95 {percentile(values, 0.95) * 1000:6.0f} ms  max {max(values) * 1000:6.0f} ms\n"
        )
    sys.stdout.write(f"{len(client.spooled())} events wait in the spool\n")


if __name__ == "__main__":
    main()
