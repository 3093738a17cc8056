"""Work through what is due, and show that a worker lives (design section 1, rule 3; lessons rows 3 and 4)."""

from __future__ import annotations

import socket
import time
import uuid
from datetime import timedelta

from django.utils import timezone

from memory.models import WorkerHeartbeat
from memory.services.extraction import scan_next

SWEEP_SECONDS = 10.0  # then the next message gets its turn; the row stays the queue
BEAT_EVERY = timedelta(seconds=5)
FORGET_AFTER = timedelta(days=7)


def sweep(*, seconds: float = SWEEP_SECONDS) -> int:
    """Scan due work of any session, in order, for a bounded time; returns how many jobs ran."""
    heartbeat()
    until = time.monotonic() + seconds
    done = 0
    while time.monotonic() < until and scan_next(now=timezone.now()):
        done += 1
    return done


def scan_session(*, session_id: uuid.UUID, seconds: float = SWEEP_SECONDS) -> int:
    """The same for one session, right after its turn was closed."""
    heartbeat()  # under load nudges fill the queue and sweeps expire in it: working is a sign of life as well
    until = time.monotonic() + seconds
    done = 0
    while time.monotonic() < until and scan_next(now=timezone.now(), session_id=session_id):
        done += 1
    return done


def heartbeat() -> None:
    now = timezone.now()
    name = socket.gethostname()[:100]
    if WorkerHeartbeat.objects.filter(name=name, at__gt=now - BEAT_EVERY).exists():
        return
    WorkerHeartbeat.objects.update_or_create(name=name, defaults={"at": now})
    WorkerHeartbeat.objects.filter(at__lt=now - FORGET_AFTER).delete()
