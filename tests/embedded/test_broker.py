"""The broker options without which kombu gives a killed worker's task back after hours, or never."""

from __future__ import annotations

import time

import pytest
import redis
from django.conf import settings
from kombu import Connection

from config.celery import app
from config.schedule import SCHEDULE


def test_unacknowledged_messages_are_looked_for_every_few_seconds() -> None:
    options = app.conf.broker_transport_options
    assert options["unacked_restore_throttle"] == 1  # kombu's 10 means: at every tenth look only
    assert options["unacked_restore_interval"] <= 5


def test_a_message_is_given_back_only_after_the_longest_task() -> None:
    visible_again = app.conf.broker_transport_options["visibility_timeout"]
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < visible_again < 3600
    assert app.conf.task_soft_time_limit > settings.LLM_TIMEOUT_SECONDS


def test_a_task_is_acknowledged_after_its_work_and_one_at_a_time() -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result is True


def test_no_request_waits_for_a_broker_that_is_away() -> None:
    assert app.conf.task_publish_retry is False
    assert app.conf.broker_transport_options["socket_connect_timeout"] <= 2


@pytest.mark.parametrize("name", sorted(SCHEDULE))
def test_a_periodic_task_expires_before_its_next_run(name: str) -> None:
    entry = SCHEDULE[name]
    period = entry["schedule"] if isinstance(entry["schedule"], float) else 24 * 3600.0
    assert 0 < entry["options"]["expires"] < period


def test_celery_and_redis_py_reach_the_same_server() -> None:
    queue = f"hikae-test-{time.time_ns()}"
    with Connection(app.conf.broker_url, transport_options=app.conf.broker_transport_options) as connection:
        with connection.SimpleQueue(queue) as sent:
            sent.put({"id": 1})
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
            assert client.llen(queue) == 1
            assert client.info("server")["process_id"] > 0
        with connection.SimpleQueue(queue) as received:
            message = received.get(timeout=5)
            assert message.payload == {"id": 1}
            message.ack()
