"""Our own programs: nice, in their own group, restarted with growing waits, gone with their supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.embedded import leftovers, processes
from config.embedded.home import Home
from config.embedded.programs import LONGEST_WAIT_SECONDS, Child, Program
from config.embedded.run_as import RunAs

ME = RunAs(name="me", uid=os.geteuid(), gid=os.getegid())
ROOT = Path(__file__).resolve().parent.parent.parent
SLEEP = "import time; time.sleep(60)"
# A helper process that outlives its parent unless the whole group is ended.
WITH_HELPER = (
    f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid, flush=True); "
)


def child(home: Home, code: str, *, nice: int = 0, stop_seconds: float = 5.0) -> Child:
    program = Program("it", ("-c", code), home.logs / "it.log", nice=nice, stop_seconds=stop_seconds)
    return Child(program=program, run_as=ME, cwd=Path("/"), environ=dict(os.environ))


def wait_for_helper(home: Home) -> int:
    log = home.logs / "it.log"
    assert processes.wait_until(lambda: log.exists() and log.read_text().strip().isdecimal(), 10.0)
    return int(log.read_text())


def test_a_crash_is_noticed_once_and_the_next_start_waits(home: Home) -> None:
    it = child(home, "import sys; sys.exit(7)")
    it.start()
    assert it.process is not None
    it.process.wait(10)
    assert it.crashed() == 7
    assert it.crashed() is None
    assert not it.due()
    it.not_before = time.monotonic()
    assert it.due()


@given(st.integers(min_value=1, max_value=200))
def test_waits_grow_and_stay_bounded(failures: int) -> None:
    it = Child(Program("it", (), Path("x")), ME, Path("/"), {}, failures=failures)
    longer = Child(Program("it", (), Path("x")), ME, Path("/"), {}, failures=failures + 1)
    assert 1.0 <= it.wait_seconds() <= longer.wait_seconds() <= LONGEST_WAIT_SECONDS


def test_a_child_that_will_not_stop_is_ended_with_its_helpers(home: Home) -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WITH_HELPER}{SLEEP}"
    it = child(home, code)
    it.start()
    helper = wait_for_helper(home)
    it.ask_to_stop()
    it.finish(time.monotonic() + 0.3)
    assert it.process is None
    assert processes.wait_until(lambda: not processes.alive(helper), 5.0)


def test_helpers_of_a_crashed_child_are_ended_before_its_next_start(home: Home) -> None:
    it = child(home, f"{WITH_HELPER}sys.exit(1)")
    it.start()
    helper = wait_for_helper(home)
    assert it.process is not None
    it.process.wait(10)
    assert it.crashed() == 1
    assert processes.wait_until(lambda: not processes.alive(helper), 5.0)


def test_workers_are_nice(home: Home) -> None:
    it = child(home, "import os, time; print(os.nice(0), flush=True); time.sleep(60)", nice=10)
    it.start()
    try:
        assert wait_for_helper(home) == os.nice(0) + 10
    finally:
        it.finish(time.monotonic())


def test_workers_are_nice_to_the_sessions_of_the_other_programs(home: Home) -> None:
    it = child(
        home,
        # Where the kernel has no autogroups, the level of the process is all there is.
        "import os, time; p = '/proc/self/autogroup'; "
        "t = open(p).read().split() if os.path.exists(p) else [os.nice(0)]; "
        "print(t[-1], flush=True); time.sleep(60)",
        nice=10,
    )
    it.start()
    try:
        assert wait_for_helper(home) == 10
    finally:
        it.finish(0.0)


def test_a_child_ends_when_its_supervisor_is_killed(home: Home) -> None:
    supervisor = subprocess.Popen(
        [sys.executable, "-c", _SUPERVISOR, str(home.folder)], cwd=ROOT, start_new_session=True
    )
    pid = wait_for_helper(home)
    os.kill(supervisor.pid, signal.SIGKILL)
    supervisor.wait()
    assert processes.wait_until(lambda: not processes.alive(pid), 10.0)


_SUPERVISOR = """
import sys, time
from pathlib import Path
from config.embedded.home import Home
from tests.embedded.test_programs import child
child(Home(Path(sys.argv[1])), "import os, time; print(os.getpid(), flush=True); time.sleep(60)").start()
time.sleep(60)
"""


def test_leftovers_of_a_killed_run_are_stopped_with_their_helpers(home: Home) -> None:
    left = subprocess.Popen(
        [sys.executable, "-c", f"{WITH_HELPER}{SLEEP}"], stdout=subprocess.PIPE, start_new_session=True
    )
    assert left.stdout is not None
    helper = int(left.stdout.readline())
    remembered = leftovers.remember([left.pid])
    assert leftovers.stop(remembered) == 1
    assert left.wait(10) == -signal.SIGTERM
    assert processes.wait_until(lambda: not processes.alive(helper), 5.0)
    left.stdout.close()


def test_a_recycled_process_id_is_left_alone() -> None:
    other = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        assert leftovers.stop([[str(other.pid), "an earlier time"]]) == 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("nonsense", [None, 5, "text", [1], [["x", "y"]], [["1"]], {}])
def test_a_damaged_note_of_the_last_run_stops_nothing(nonsense: object) -> None:
    assert leftovers.stop(nonsense) == 0
