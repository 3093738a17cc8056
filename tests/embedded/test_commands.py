"""The shell heads of bin/up and bin/test on machines that lack something."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

BIN = Path(__file__).resolve().parent.parent.parent / "bin"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH with a few plain tools and nothing else."""
    for tool in ("mktemp", "rm", "tail", "cat"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "/missing")
    return tmp_path


def program(machine: Path, name: str, script: str) -> None:
    path = machine / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def packages(machine: Path) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(BIN / "system-packages.sh")]
    return subprocess.run(command, env={"PATH": str(machine)}, capture_output=True, text=True, check=False)


def test_root_gets_what_the_tests_need(machine: Path) -> None:
    program(machine, "id", "echo 0")
    program(machine, "apt-get", f"echo apt-get $* >> {machine}/calls")
    assert packages(machine).returncode == 0
    update, installed = (machine / "calls").read_text().splitlines()
    assert update == "apt-get update"
    assert {"install", "-y", "chromium", "gettext", "fonts-noto-cjk"} <= set(installed.split())


def test_an_ordinary_user_without_sudo_is_told_what_to_install(machine: Path) -> None:
    program(machine, "id", "echo 1000")
    program(machine, "apt-get", "exit 9")
    done = packages(machine)
    assert done.returncode == 1
    assert "please install them: chromium gettext fonts-noto-cjk" in done.stderr


def test_sudo_is_used_when_it_asks_nothing(machine: Path) -> None:
    program(machine, "id", "echo 1000")
    program(machine, "sudo", f'echo sudo "$@" >> {machine}/calls')
    program(machine, "apt-get", "exit 9")
    assert packages(machine).returncode == 0
    assert "sudo -n apt-get update" in (machine / "calls").read_text()


def test_a_failed_installation_shows_why(machine: Path) -> None:
    program(machine, "id", "echo 0")
    program(machine, "apt-get", "echo no such host; exit 100")
    done = packages(machine)
    assert done.returncode == 1
    assert "no such host" in done.stderr


def test_a_complete_machine_is_left_alone(machine: Path) -> None:
    for name in ("chromium", "msgfmt"):
        program(machine, name, "exit 0")
    program(machine, "fc-list", "echo Noto Sans CJK JP")
    program(machine, "apt-get", f"touch {machine}/touched")
    assert packages(machine).returncode == 0
    assert not (machine / "touched").exists()


def find_python(machine: Path) -> subprocess.CompletedProcess[str]:
    script = f". {BIN / 'python.sh'}; find_python"
    return subprocess.run(
        ["/bin/sh", "-c", script],
        env={"PATH": str(machine), "PYTHON": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_old_python_is_passed_over(machine: Path) -> None:
    program(machine, "python3", "exit 1")
    program(machine, "python3.12", "exit 0")
    assert find_python(machine).stdout.strip() == "python3.12"


def test_without_a_fit_python_the_commands_say_what_to_install(machine: Path) -> None:
    program(machine, "python3", "exit 1")
    done = find_python(machine)
    if not Path("/usr/bin/python3").exists():
        assert done.returncode == 1
        assert "Python 3.11" in done.stderr
    else:
        assert done.stdout.strip() == "/usr/bin/python3"
