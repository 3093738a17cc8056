"""Celery's doors into reusable know-how: each calls one service."""

from __future__ import annotations

import uuid

from celery import shared_task
from django.utils import timezone

from knowledge.services import draft_policy, inbox, vectors
from knowledge.services.night import due, run


@shared_task(name="knowledge.reports_due")
def reports_due() -> None:
    """The nudge of a report, and beat's safety net."""
    inbox.reports_file(now=timezone.now())


@shared_task(name="knowledge.proposals_tidy")
def proposals_tidy() -> None:
    """The nudge of a deletion or move, and beat's safety net."""
    inbox.proposals_tidy(now=timezone.now())


@shared_task(name="knowledge.index_due")
def index_due() -> None:
    """The nudge of an edit, and beat's safety net: vectors of notes."""
    vectors.notes_fill_due()


@shared_task(name="knowledge.drafts_due")
def drafts_due() -> None:
    """Beat's call: what the draft policy lets in, where an owner has switched it on."""
    draft_policy.drafts_publish(now=timezone.now())


@shared_task(name="knowledge.nights_open")
def nights_open() -> None:
    """Beat's call in the night: a run for each namespace."""
    due.nights_open(now=timezone.now())


@shared_task(name="knowledge.nights_due")
def nights_due() -> None:
    """Beat's safety net: nights whose nudge was lost, whose worker died, or that try again."""
    due.nights_nudge(now=timezone.now())


@shared_task(name="knowledge.consolidate")
def consolidate(run_id: str) -> None:
    """One night of one namespace."""
    run.night_run(run_id=uuid.UUID(run_id), now=timezone.now())
