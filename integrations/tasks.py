"""Celery's doors into this room: each calls one service (design section 1, rule 2)."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from integrations.services.hooks import ledger


@shared_task(name="integrations.events_purge")
def events_purge() -> None:
    ledger.events_purge(now=timezone.now())
