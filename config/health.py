"""Is the process there, and does the work flow? (design section 8, lessons row 3)"""

from __future__ import annotations

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from memory.selectors import queue
from memory.selectors.worker import worker_is_alive


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """503 when the database, the broker or the worker is gone, or live work waits too long (imports may wait)."""
    problems: list[str] = []
    oldest: float | None = None
    now = timezone.now()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        oldest = queue.oldest_due_seconds(now=now)
        if oldest is not None and oldest > settings.READY_MAX_QUEUE_SECONDS:
            problems.append("queue")
        if not worker_is_alive(now=now):
            problems.append("worker")
    except DatabaseError:
        problems.append("database")
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
    try:
        client.ping()
    except redis.RedisError:
        problems.append("broker")
    finally:
        client.close()
    body = {"ready": not problems, "problems": problems, "oldest_due_seconds": oldest}
    return JsonResponse(body, status=503 if problems else 200)
