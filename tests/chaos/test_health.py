"""`/readyz` tells whether work flows, not only whether a process answers (design section 8, lessons row 3)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from core.services.namespaces import namespace_pause
from memory.models import WorkerHeartbeat
from memory.services import sweep
from tests import build
from tests.memory.pipeline import scan_all
from transcripts.models import Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def _worker(now: datetime) -> None:
    sweep.heartbeat()


def ready() -> tuple[int, list[str]]:
    response = Client().get("/readyz")
    body: dict[str, Any] = response.json()
    assert body["ready"] == (response.status_code == 200)
    return response.status_code, body["problems"]


@pytest.mark.usefixtures("_worker")
class TestWithAWorker:
    def test_all_is_well(self) -> None:
        assert ready() == (200, [])

    def test_work_that_waits_too_long_is_a_problem_and_ends_with_the_scan(self, now: datetime) -> None:
        user = build.person()
        key = build.key(user).key
        build.session(key)
        build.turn(key, "Hello.")
        assert ready() == (200, [])
        Turn.objects.update(due_at=now - timedelta(seconds=301))
        assert ready() == (503, ["queue"])
        assert scan_all() == 1
        assert ready() == (200, [])

    def test_a_lease_that_nobody_finishes_is_a_problem_too(self, now: datetime) -> None:
        key = build.key(build.person()).key
        build.session(key)
        build.turn(key, "Hello.")
        Turn.objects.update(scan_state="leased", due_at=now - timedelta(hours=1))
        assert ready() == (503, ["queue"])

    def test_open_turns_dead_ones_and_paused_workspaces_wait_for_somebody_else(self, now: datetime) -> None:
        user = build.person()
        key = build.key(user).key
        home = build.session(key).workspace
        assert home is not None
        long_ago = now - timedelta(hours=1)
        build.turn(key, "Open.", name="open", closed=False)
        dead = build.turn(key, "Dead.", name="dead")
        Turn.objects.filter(pk=dead.pk).update(scan_state="dead")
        build.turn(key, "Paused.", name="paused")
        Turn.objects.update(due_at=long_ago)
        namespace_pause(namespace=home, user=user, paused=True, now=now)
        assert ready() == (200, [])
        namespace_pause(namespace=home, user=user, paused=False, now=now)
        assert ready() == (503, ["queue"])

    def test_an_import_may_wait_for_hours_but_not_in_the_way_of_live_work(self, now: datetime) -> None:
        key = build.key(build.person()).key
        build.session(key)
        build.turn(key, "Imported.", name="old")
        Turn.objects.update(backlog=True, due_at=now - timedelta(hours=5))
        assert ready() == (200, [])
        build.turn(key, "Live.", name="new")
        Turn.objects.filter(backlog=False).update(due_at=now - timedelta(seconds=301))
        assert ready() == (503, ["queue"])

    def test_a_broker_that_is_away_is_a_problem_and_the_answer_is_quick(self, settings: Settings) -> None:
        settings.REDIS_URL = "unix:///nowhere/valkey.sock"
        started = timezone.now()
        assert ready() == (503, ["broker"])
        assert timezone.now() - started < timedelta(seconds=3)

    def test_a_worker_that_was_silent_for_a_minute_is_gone(self, now: datetime) -> None:
        WorkerHeartbeat.objects.update(at=now - timedelta(seconds=61))
        assert ready() == (503, ["worker"])


def test_a_worker_that_never_was_is_a_problem() -> None:
    assert ready() == (503, ["worker"])


def test_the_process_answers_in_any_case(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    assert Client().get("/healthz").status_code == 200


def test_scanning_after_a_nudge_is_a_sign_of_life_as_well() -> None:
    """Under load nudges fill the queue, and the sweeps that also beat expire in it."""
    key = build.key(build.person()).key
    session = build.session(key)
    sweep.scan_session(session_id=session.pk)
    assert ready() == (200, [])


def test_old_workers_are_forgotten(now: datetime) -> None:
    WorkerHeartbeat.objects.create(name="old", at=now - timedelta(days=8))
    sweep.heartbeat()
    assert not WorkerHeartbeat.objects.filter(name="old").exists()
