"""Celery's doors into reusable know-how: each calls one service."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from knowledge.services import inbox


@shared_task(name="knowledge.reports_due")
def reports_due() -> None:
    """The nudge of a report, and beat's safety net."""
    inbox.reports_file(now=timezone.now())


@shared_task(name="knowledge.proposals_tidy")
def proposals_tidy() -> None:
    """The nudge of a deletion, and beat's safety net."""
    inbox.proposals_tidy(now=timezone.now())
