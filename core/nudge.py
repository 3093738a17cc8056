"""Tell a worker that something is due. The row is the queue; a lost nudge costs seconds (design section 1, rule 3).

Tasks are named, not imported, so that doors of one room can nudge another. A broker that is away must
neither fail nor slow a request: after one failed attempt nudges pause for a moment, and the sweeper finds the row.
"""

from __future__ import annotations

import time
from typing import Any

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis import RedisError

PAUSE_SECONDS = 5.0

_log = structlog.get_logger(__name__)
_quiet_until = 0.0


def nudge(task: str, *args: Any, queue: str | None = None) -> None:
    """Send the task by name when the transaction commits; arguments are ids (JSON)."""
    transaction.on_commit(lambda: send(task, *args, queue=queue))


def send(task: str, *args: Any, queue: str | None = None) -> bool:
    """Send now; False when the broker is away."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        current_app.send_task(task, args=args, queue=queue, retry=False, expires=600)
    except (OSError, OperationalError, RedisError) as error:
        _quiet_until = time.monotonic() + PAUSE_SECONDS
        _log.warning("nudge_lost", task=task, error=type(error).__name__)
        return False
    return True
