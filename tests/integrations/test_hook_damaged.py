"""A plugin that was damaged, as by half an update, gets in nobody's way either, and says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integrations.simulate import FLAGS, PROGRAM
from tests.integrations.test_hook_program import EVENTS

DAMAGE = {
    "net.py": None,  # gone
    "event.py": b"def half(",
    "main.py": b"",
    "spool.py": b"\x00\xff\xfe",
    "redact.py": b"raise RuntimeError('EXAMPLE')",
}


@pytest.fixture(params=DAMAGE)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "plugin"
    shutil.copytree(Path(PROGRAM).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    held = folder / "hikae_hook" / request.param
    content = DAMAGE[request.param]
    if content is None:
        held.unlink()
    else:
        held.write_bytes(content)
    return folder / "hook.py"


def run(program: Path, word: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    environment = {"HIKAE_HOME": str(program.parent / "home"), "HIKAE_URL": "http://127.0.0.1:9"}
    return subprocess.run(
        [sys.executable, *FLAGS, str(program), word],
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("name", EVENTS)
def test_each_event_passes(program: Path, name: str) -> None:
    done = run(program, "event", json.dumps({"hook_event_name": name, "session_id": "s"}).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert set(json.loads(done.stdout or b"{}")) <= {"systemMessage", "hookSpecificOutput"}


@pytest.mark.parametrize("program", ["main.py"], indirect=True)
def test_without_its_beginning_the_session_start_and_every_command_say_what_to_do(program: Path) -> None:
    for name in EVENTS:
        done = run(program, "event", json.dumps({"hook_event_name": name, "session_id": "s"}).encode())
        said = json.loads(done.stdout)["systemMessage"] if done.stdout else ""
        assert ("install it again" in said) is (name == "SessionStart")
    typed = run(program, "status", b"")
    assert typed.returncode == 1
    assert b"install it again" in typed.stderr
