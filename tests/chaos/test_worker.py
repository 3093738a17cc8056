"""A real worker on a real broker: nudged, killed, frozen, raced (design section 1, rule 3; lessons row 4)."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.test.utils import override_settings
from django.utils import timezone
from rest_framework.test import APIClient

from config.embedded.valkey import Valkey
from config.schedule import SCHEDULE
from core import nudge
from core.llm.scripted import ScriptedServer, says
from memory.models import Candidate, Extraction, WorkerHeartbeat
from tests import build
from tests.chaos.conftest import kill_group, running_worker, wait_for
from tests.memory.pipeline import scan_all
from transcripts import limits
from transcripts.models import Message, Turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

PNPM = "We use pnpm here, not npm, because the lockfiles keep clashing."


@pytest.fixture
def client() -> APIClient:
    client = build.api(build.key(build.person()).secret)
    assert client.post("/api/v1/sessions/", {"key": "s1", "workspace": {"name": "api"}}).status_code == 201
    return client


def post(client: APIClient, number: int, text: str = PNPM, session: str = "s1") -> float:
    """Post one closed turn; how many seconds the answer took."""
    body = {"session": session, "key": f"t{number}", "messages": [{"role": "user", "text": text}]}
    started = time.monotonic()
    assert client.post("/api/v1/turns/", body).status_code == 201
    return time.monotonic() - started


def all_done() -> bool:
    return not Turn.objects.exclude(scan_state="done").exists()


def each_scanned_once() -> bool:
    turns, done = Turn.objects.count(), Extraction.objects.filter(outcome="done")
    return (
        done.count() == turns
        and done.values("turn").distinct().count() == turns
        and not Message.objects.filter(scanned_at=None).exists()
    )


def test_a_closed_turn_is_scanned_within_seconds_of_its_nudge(
    client: APIClient, worker: subprocess.Popen[bytes]
) -> None:
    post(client, 1)
    assert wait_for(all_done, 20)
    [candidate] = Candidate.objects.all()
    assert (candidate.content, candidate.trust) == (PNPM, "human")
    assert each_scanned_once()
    assert WorkerHeartbeat.objects.exists()


def test_two_workers_scan_each_turn_once(
    client: APIClient, broker: Valkey, worker: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    for session in range(6):
        name = f"s{session}"
        client.post("/api/v1/sessions/", {"key": name, "workspace": {"name": "api"}})
        for number in range(5):
            post(client, number, session=name)
    with running_worker(broker, tmp_path / "log", "two"):
        assert wait_for(all_done, 60)
    assert each_scanned_once()
    [candidate] = Candidate.objects.all()
    assert candidate.times_seen == 6


def test_kill_9_in_mid_extraction_loses_nothing_and_doubles_nothing(
    client: APIClient, own_broker: Valkey, tmp_path: Path
) -> None:
    slow: Callable[[Any], Any] = lambda _: says({"memories": [], "requests": []}, wait=60)  # noqa: E731
    with ScriptedServer([], then=slow) as model:
        environment = {"EXTRACTOR": "llm", "LLM_BASE_URL": model.base_url, "LLM_MODEL": "scripted"}
        with running_worker(own_broker, tmp_path / "log", "doomed", **environment) as process:
            post(client, 1)
            assert wait_for(lambda: bool(model.requests), 30)
            turn = Turn.objects.get()
            assert (turn.scan_state, turn.attempts) == ("leased", 1)
            kill_group(process)
    assert not Candidate.objects.exists()
    assert not Extraction.objects.exists()
    now = timezone.now()
    assert scan_all(now) == 0
    assert scan_all(now + limits.LEASE) == 1
    assert scan_all(now + 3 * limits.LEASE) == 0
    assert [c.times_seen for c in Candidate.objects.all()] == [1]
    assert each_scanned_once()


@contextmanager
def frozen(broker: Valkey) -> Iterator[None]:
    pid = broker.pid()
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_frozen_broker_does_not_hold_up_a_turn_and_the_sweep_finds_it(
    client: APIClient, broker: Valkey, worker: subprocess.Popen[bytes]
) -> None:
    with frozen(broker):
        took = [post(client, number, f"{PNPM} ({number})") for number in range(5)]
    assert max(took) < 1.0
    current_app.send_task("memory.sweep", queue="extract")
    assert wait_for(all_done, 30)
    assert each_scanned_once()


def test_a_killed_broker_does_not_hold_up_a_turn_and_the_sweep_finds_it(
    client: APIClient, broker: Valkey, worker: subprocess.Popen[bytes]
) -> None:
    pid = broker.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    try:
        assert wait_for(lambda: not broker.running(), 10)
        took = [post(client, number) for number in range(5)]
        assert max(took) < 1.0
        with override_settings(REDIS_URL=broker.url):
            assert "broker" in APIClient().get("/readyz").json()["problems"]
    finally:
        broker.start()
    nudge._connection.cache_clear()
    current_app.send_task("memory.sweep", queue="extract", retry=True)
    assert wait_for(all_done, 60)
    assert each_scanned_once()


class TestOptions:
    """Without these a task in hand is lost or delivered again after an hour (feasibility 2)."""

    def test_a_task_in_hand_is_delivered_again_soon_after_its_time(self) -> None:
        options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        assert options["unacked_restore_throttle"] == 1
        assert options["unacked_restore_interval"] <= 10
        assert options["visibility_timeout"] > settings.CELERY_TASK_TIME_LIMIT
        assert settings.CELERY_TASK_TIME_LIMIT > settings.CELERY_TASK_SOFT_TIME_LIMIT

    def test_a_task_is_acknowledged_when_it_is_done_and_taken_one_at_a_time(self) -> None:
        conf = current_app.conf
        assert conf.task_acks_late
        assert conf.task_reject_on_worker_lost
        assert conf.worker_prefetch_multiplier == 1
        assert not conf.task_publish_retry

    def test_messages_are_json_and_nothing_else_is_accepted(self) -> None:
        assert current_app.conf.accept_content == ["json"]
        assert current_app.conf.task_serializer == "json"

    @pytest.mark.parametrize("name", SCHEDULE)
    def test_each_scheduled_run_expires_before_the_next_and_has_a_task_and_a_queue(self, name: str) -> None:
        current_app.loader.import_default_modules()
        entry = SCHEDULE[name]
        assert entry["task"] in current_app.tasks
        assert entry["options"]["queue"] in {"extract", "default", "nightly"}
        period = entry["schedule"] if isinstance(entry["schedule"], float) else 24 * 3600
        assert 0 < entry["options"]["expires"] < period

    def test_extraction_has_a_queue_of_its_own(self) -> None:
        for task in ("memory.sweep", "memory.scan_session"):
            assert settings.CELERY_TASK_ROUTES[task] == {"queue": "extract"}
