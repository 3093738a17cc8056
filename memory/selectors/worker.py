"""Is a worker alive? (lessons row 3: the process may answer while nothing is done)"""

from __future__ import annotations

from datetime import datetime, timedelta

from memory.models import WorkerHeartbeat

SILENT_AFTER = timedelta(seconds=60)  # twelve missed sweeps


def worker_is_alive(*, now: datetime) -> bool:
    return WorkerHeartbeat.objects.filter(at__gt=now - SILENT_AFTER).exists()
