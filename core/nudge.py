"""Tell a worker that something is due. The row is the queue; a lost nudge costs seconds (design section 1, rule 3).

Tasks are named, not imported, so that one room can nudge another. A broker that is away or hangs must neither
fail nor hold up a request: nudges have a connection with short time-outs of their own, and after one failure they
pause for a moment. The sweeper finds the row in any case.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers
from redis import RedisError

PAUSE_SECONDS = 5.0
TIMEOUT_SECONDS = 0.25

_log = structlog.get_logger(__name__)
_quiet_until = 0.0


@dataclass(frozen=True)
class _Nudge:
    task: str
    args: tuple[Any, ...]
    queue: str | None

    def __call__(self) -> None:
        send(self.task, *self.args, queue=self.queue)


def nudge(task: str, *args: Any, queue: str | None = None) -> None:
    """Send the task by name when the transaction commits; arguments are ids (JSON).

    Once a transaction for the same task and ids: five hundred approvals in one act wake one worker, not five hundred
    times. A nudge of a savepoint that was rolled back is forgotten with it, and does not stand in for a later one.
    """
    wanted = _Nudge(task, args, queue)
    if all(entry[1] != wanted for entry in transaction.get_connection().run_on_commit):
        transaction.on_commit(wanted)


def send(task: str, *args: Any, queue: str | None = None) -> bool:
    """Send now; False when the broker is away."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        with producers[_connection()].acquire(block=True, timeout=TIMEOUT_SECONDS) as producer:
            current_app.send_task(task, args=args, queue=queue, retry=False, expires=600, producer=producer)
    except (OSError, OperationalError, RedisError) as error:
        _quiet_until = time.monotonic() + PAUSE_SECONDS
        _log.warning("nudge_lost", task=task, error=type(error).__name__)
        return False
    return True


@lru_cache(maxsize=1)
def _connection() -> Connection:
    """The worker waits for messages on its own connection and needs patience; a request needs an answer now."""
    options = {
        **current_app.conf.broker_transport_options,
        "socket_timeout": TIMEOUT_SECONDS,
        "socket_connect_timeout": TIMEOUT_SECONDS,
        "max_retries": 0,
    }
    return Connection(
        current_app.conf.broker_write_url or current_app.conf.broker_url, transport_options=options
    )
