"""Which programs make up Hikae on one machine, and the environment they get."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.programs import Program
from config.embedded.run_as import RunAs

_FOR_PREPARATION = "HIKAE_OWNER_PASSWORD"
# What config/env.py also accepts as NAME_FILE.
SECRETS = (
    "SECRET_KEY",
    "DATABASE_URL",
    "REDIS_URL",
    "LLM_API_KEY",
    "EMBED_API_KEY",
    "EMAIL_URL",
    "HIKAE_OWNER_PASSWORD",
)
WORKER_NICE = 10  # extraction must not slow down the pages and the agents
LOG_LEVEL = "WARNING"  # the sweeper runs every few seconds, and nobody reads that it did
# Warm shutdown of a worker ends the task in hand; what takes longer is leased and comes back.
WORKER_STOP_SECONDS = 15.0


def programs(home: Home, web_descriptor: int) -> list[Program]:
    """Web first. Two workers, so that a long nightly job never holds up an extraction."""
    return [
        Program(
            name="web",
            arguments=("-P", "-m", "config.embedded.web", "--fd", str(web_descriptor)),
            log=home.logs / "web.log",
            descriptors=(web_descriptor,),
            stop_seconds=8.0,
        ),
        _worker("worker", "extract", 2, home),
        _worker("worker-nightly", "default,nightly", 1, home),
        Program(
            name="beat",
            arguments=(
                *("-P", "-m", "celery", "-A", "config", "beat", "--loglevel", LOG_LEVEL, "--pidfile", ""),
                *("--schedule", str(home.scratch / "beat-schedule")),
            ),
            log=home.logs / "beat.log",
            nice=WORKER_NICE,
        ),
    ]


def _worker(name: str, queues: str, concurrency: int, home: Home) -> Program:
    return Program(
        name=name,
        arguments=(
            *("-P", "-m", "celery", "-A", "config", "worker", "--loglevel", LOG_LEVEL),
            *("--queues", queues, "--concurrency", str(concurrency), "--hostname", f"{name}@%h"),
            *("--without-gossip", "--without-mingle"),
        ),
        log=home.logs / f"{name}.log",
        nice=WORKER_NICE,
        stop_seconds=WORKER_STOP_SECONDS,
    )


def owner_password(environ: Mapping[str, str]) -> dict[str, str]:
    """The one variable that only the preparation sees."""
    found = _with_secrets_read(environ)
    return {name: value for name, value in found.items() if name == _FOR_PREPARATION}


def children_environ(home: Home, run_as: RunAs, environ: Mapping[str, str], root: Path) -> dict[str, str]:
    """The starter's environment, with our folders; the children's user may have no home of its own.

    Raises EmbeddedError when a file that a ``..._FILE`` variable names cannot be read.
    """
    found = _with_secrets_read(environ)
    found = {name: value for name, value in found.items() if name != _FOR_PREPARATION and name[:2] != "PG"}
    found |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HIKAE_DATA": str(home.folder),
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",  # texts are UTF-8, whatever LANG says
    }
    if os.geteuid() == 0:
        # The project is not theirs to write byte code into, and root's home is not theirs to read.
        found |= {"HOME": str(home.scratch), "USER": run_as.name, "PYTHONDONTWRITEBYTECODE": "1"}
    return found


def _with_secrets_read(environ: Mapping[str, str]) -> dict[str, str]:
    # The file may be for the starter's eyes alone; the children get what is in it.
    found = dict(environ)
    for name in SECRETS:
        path = found.pop(f"{name}_FILE", "")
        if path:
            try:
                found[name] = Path(path).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise EmbeddedError(
                    f"{name}_FILE names {path}, which cannot be read: {error.strerror}."
                ) from error
    return found
