"""Celery's doors into the review room."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from review.services import digest


@shared_task(name="review.digests_due")
def digests_due() -> None:
    digest.digests_due(now=timezone.now())
