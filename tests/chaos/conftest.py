"""Real Celery workers on a Valkey of their own, which tests may kill and freeze."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from celery import current_app
from django.db import connection
from pytest_django import DjangoDbBlocker

from config import env
from config.embedded.valkey import Valkey
from core import nudge
from tests.embedded.conftest import PERSONS_ENVIRONMENT, make_valkey, temporary_home

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running_broker() -> Iterator[Valkey]:
    """A throw-away Valkey; meanwhile the nudges of this process go to it."""
    with temporary_home() as home:
        server = make_valkey(home, PERSONS_ENVIRONMENT)
        server.start()
        before = current_app.conf.broker_url
        current_app.conf["broker_url"] = env.broker(server.url)
        nudge._connection.cache_clear()
        yield server
        current_app.conf["broker_url"] = before
        nudge._connection.cache_clear()


@pytest.fixture(scope="module")
def broker() -> Iterator[Valkey]:
    with running_broker() as server:
        yield server


@pytest.fixture
def own_broker() -> Iterator[Valkey]:
    """One that no other worker listens to."""
    with running_broker() as server:
        yield server


@pytest.fixture(autouse=True)
def _nudges_are_heard_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure nudges pause for seconds; each test begins without such a pause."""
    monkeypatch.setattr(nudge, "_quiet_until", 0.0)


def database_url() -> str:
    """Of the database that this test process uses."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    return urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))


@contextmanager
def running_worker(
    broker: Valkey, log: Path, name: str, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    """``celery -A config worker`` on the queue ``extract``; ended by force with all its helpers."""
    variables = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "REDIS_URL": broker.url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HIKAE_TESTING": "true",
        **environment,
    }
    command = [
        *(sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO"),
        *("--queues", "extract", "--concurrency", "1", "--hostname", f"{name}@%h"),
        *("--without-gossip", "--without-mingle"),
    ]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables, stdout=out, stderr=out, start_new_session=True
        )
    try:
        assert wait_for(lambda: b" ready." in log.read_bytes(), 60), log.read_text()[-3_000:]
        yield process
    finally:
        kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """``kill -9`` of the worker and its helpers, as a machine that loses power ends them."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def wait_for(true: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.1)
    return true()


@pytest.fixture(scope="module")
def worker(
    broker: Valkey,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[subprocess.Popen[bytes]]:
    """One worker for the tests that do not kill it."""
    with django_db_blocker.unblock():
        log = tmp_path_factory.mktemp("worker") / "log"
        with running_worker(broker, log, "one") as process:
            yield process
