"""Celery's doors into this room: each calls one service (design section 1, rule 2)."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from decisions.services import archive


@shared_task(name="decisions.archive")
def archive_choices() -> None:
    archive.choices_nightly(now=timezone.now())
