"""Celery's doors into this room: each calls one service (design section 1, rule 2)."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from transcripts.services import partitions, purge, sessions


@shared_task(name="transcripts.partitions")
def partitions_ensure() -> None:
    partitions.partitions_ensure(now=timezone.now())


@shared_task(name="transcripts.close_idle")
def sessions_close_idle() -> None:
    sessions.sessions_close_idle(now=timezone.now())


@shared_task(name="transcripts.purge")
def transcripts_purge() -> None:
    purge.transcripts_purge(now=timezone.now())
