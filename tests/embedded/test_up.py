"""The command itself, with real processes: fresh start, second start, taken port, kill -9 of all, Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from config.embedded import locate, port, processes
from config.embedded.home import Home
from tests.embedded.conftest import PERSONS_ENVIRONMENT, end_processes, processes_of, temporary_home

ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "EXAMPLE-long-words-9"
READY = re.compile(r"^Hikae is ready: (http://127\.0\.0\.1:\d+/)$", re.MULTILINE)


@dataclass
class Up:
    """One ``bin/up`` whose output goes to a file that can be read while it runs."""

    home: Home
    port: int
    output: Path
    words: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Up:
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [str(ROOT / "bin" / "up"), *self.words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd="/",
                env={**PERSONS_ENVIRONMENT, **self.variables},
                start_new_session=True,
            )
        return self

    def text(self) -> str:
        return self.output.read_text()

    def wait_until_ready(self) -> Up:
        assert self.process is not None
        process = self.process
        processes.wait_until(
            lambda: bool(READY.search(self.text())) or process.poll() is not None, 90.0, step=0.1
        )
        assert READY.findall(self.text()) == [f"http://127.0.0.1:{self.port}/"], self.text()
        assert processes.wait_until(lambda: "Ctrl-C" in self.text(), 5.0)
        return self

    def code(self, seconds: float = 60.0) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def link(self) -> str:
        found = re.search(r"http://\S+/\S{20,}", self.text())
        assert found is not None, self.text()
        return found.group()


def up(home: Home, number: int, name: str = "up") -> Up:
    return Up(home, number, home.folder / f"{name}.out", ("--port", str(number), "--data", str(home.folder)))


def up_by_environment(home: Home, number: int) -> Up:
    variables = {"PORT": str(number), "HIKAE_DATA": str(home.folder), "HIKAE_OWNER_PASSWORD": PASSWORD}
    return Up(home, number, home.folder / "first.out", variables=variables)


def free_port() -> int:
    with port.bind(0) as free:
        return int(free.getsockname()[1])


def get(address: str, key: str = "") -> tuple[int, str]:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {key}"} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture
def room() -> Iterator[Home]:
    with temporary_home() as home:
        yield home
        end_processes(home.folder)


@pytest.mark.timeout(400)
def test_the_life_of_an_installation(room: Home) -> None:
    """One story, because each start of real processes takes seconds."""
    number = free_port()
    site = f"http://127.0.0.1:{number}/"
    first = up_by_environment(room, number).start().wait_until_ready()
    key = room.agent_key.read_text().strip()
    it_promised_what_it_printed(room, first, site, key)
    its_owner_may_sign_in_with_the_given_password(room, first)

    second = up(room, free_port(), "second").start()
    assert second.code() == 0
    assert READY.findall(second.text()) == [site]
    assert get(second.link())[0] == 200
    with temporary_home() as other:
        taken = up(other, number).start()
        assert taken.code() == 4
        assert f"Port {number} is taken" in taken.text()
        assert not (other.folder / "postgres").exists()

    # The supervisor alone is killed: its programs follow it, the servers wait and are adopted.
    server = postmaster(room)
    os.kill(running_pid(first), signal.SIGKILL)
    first.code()
    adopting = up(room, number, "adopting").start().wait_until_ready()
    assert postmaster(room) == server

    # A killed program comes back, and it is said.
    worker = child_named(room, "worker@")
    os.kill(worker, signal.SIGKILL)
    assert processes.wait_until(lambda: child_named(room, "worker@") not in {0, worker}, 20.0, step=0.2)
    assert "worker ended (killed by SIGKILL)" in adopting.text()

    # So does the web process, on the port that was kept open for it.
    web = child_named(room, "embedded.web")
    os.kill(web, signal.SIGKILL)
    assert processes.wait_until(lambda: child_named(room, "embedded.web") not in {0, web}, 20.0, step=0.2)
    assert processes.wait_until(lambda: port.answers(number), 30.0, step=0.2), adopting.text()
    assert get(site + "healthz")[0] == 200

    # Everything is killed at once: nothing is lost.
    marker = write_marker(room)
    kill_everything(room)
    assert adopting.code() == -signal.SIGKILL
    last = up(room, number, "last").start().wait_until_ready()
    assert marker in read_markers(room)
    assert get(site + "api/v1/me/", key)[0] == 200
    assert room.agent_key.read_text().strip() == key

    # Ctrl-C stops all of it, and manage.py says so.
    os.kill(running_pid(last), signal.SIGINT)
    assert last.code() == 0, last.text()
    assert [describe(pid) for pid in processes_of(room.folder)] == []
    down = manage(room, "showmigrations")
    assert (down.returncode, "bin/up" in down.stderr) == (3, True)

    # So does SIGTERM in the middle of a start.
    cut = up(room, number, "cut").start()
    assert processes.wait_until(lambda: "Starting Valkey" in cut.text(), 60.0), cut.text()
    os.kill(running_pid(cut), signal.SIGTERM)
    assert cut.code() == 0, cut.text()
    assert [describe(pid) for pid in processes_of(room.folder)] == []


def it_promised_what_it_printed(room: Home, started: Up, site: str, key: str) -> None:
    """Pages, a link, a key for who started it, and nothing that runs as root."""
    assert get(site + "healthz")[0] == 200
    assert get(started.link())[0] == 200
    assert processes.wait_until(lambda: get(site + "readyz")[0] == 200, 20.0, step=0.5), get(site + "readyz")
    found = room.agent_key.stat()
    assert (found.st_mode & 0o777, found.st_uid) == (0o600, os.geteuid())
    status, me = get(site + "api/v1/me/", key)
    assert (status, "persona:default" in me) == (200, True), me
    assert key not in started.text()
    assert_children_are_ordinary(room, started)
    assert_nothing_secret_in_logs(room, key)


def its_owner_may_sign_in_with_the_given_password(room: Home, started: Up) -> None:
    code = "from django.contrib.auth import authenticate as a; "
    code += f"print(a(username='owner', password={PASSWORD!r}) is not None)"
    assert manage(room, "shell", "--no-imports", "-c", code).stdout.split() == ["True"]
    for pid in processes_of(room.folder):
        if pid != running_pid(started):
            assert PASSWORD.encode() not in Path(f"/proc/{pid}/environ").read_bytes(), describe(pid)


@pytest.mark.parametrize(
    "words", [("--port", "0"), ("--port", "70000"), ("--port", "eighty"), ("--nonsense",)]
)
def test_wrong_arguments_are_exit_2_in_words(words: tuple[str, ...], room: Home) -> None:
    wrong = Up(room, 0, room.folder / "up.out", (*words, "--data", str(room.folder))).start()
    assert wrong.code() == 2
    assert words[-1] in wrong.text()


def running_pid(running: Up) -> int:
    assert running.process is not None
    return running.process.pid


def postmaster(room: Home) -> int:
    return int((room.folder / "postgres" / "postmaster.pid").read_text().split()[0])


def describe(pid: int) -> str:
    """Its command line; empty when it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def child_named(room: Home, needle: str) -> int:
    """The leader among the processes with this text in their command; 0 when there is none."""
    found = [pid for pid in processes_of(room.folder) if needle in describe(pid)]
    return next((pid for pid in found if describe(pid) and os.getpgid(pid) == pid), 0)


def assert_children_are_ordinary(room: Home, started: Up) -> None:
    supervisor = running_pid(started)
    owner = (room.folder / "postgres").stat().st_uid
    pids = [pid for pid in processes_of(room.folder) if pid != supervisor]
    assert len(pids) >= 10
    for pid in pids:
        assert Path(f"/proc/{pid}").stat().st_uid == owner, describe(pid)
        inside = Path(f"/proc/{pid}/uid_map").read_text().split()
        assert os.geteuid() != 0 or owner != 0 or inside[0] != "0", describe(pid)


def assert_nothing_secret_in_logs(room: Home, key: str) -> None:
    secret = room.secret_key.read_text().strip()
    for log in room.logs.iterdir():
        text = log.read_text(errors="replace")
        assert key not in text, log
        assert secret not in text, log


def write_marker(room: Home) -> str:
    marker = f"kept-{time.time_ns()}"
    with psycopg.connect(locate.urls(room.folder).database, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS test_marker (text text)")
        connection.execute("INSERT INTO test_marker VALUES (%s)", [marker])
    return marker


def read_markers(room: Home) -> set[str]:
    with psycopg.connect(locate.urls(room.folder).database) as connection:
        return {str(row[0]) for row in connection.execute("SELECT text FROM test_marker")}


def kill_everything(room: Home) -> None:
    for pid in processes_of(room.folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    assert processes.wait_until(lambda: not processes_of(room.folder), 10.0)


def manage(room: Home, *words: str) -> subprocess.CompletedProcess[str]:
    python = str(ROOT / ".venv" / "bin" / "python")
    environ = {**PERSONS_ENVIRONMENT, "HIKAE_DATA": str(room.folder)}
    return subprocess.run(
        [python, str(ROOT / "manage.py"), *words], env=environ, capture_output=True, text=True, check=False
    )
