"""Celery's doors into the gate: each takes ids, calls one service (design section 1, rule 2)."""

from __future__ import annotations

import uuid

from celery import shared_task
from django.utils import timezone

from memory.services import archive, growth, policy, vectors
from memory.services import sweep as sweeping


@shared_task(name="memory.archive_due")
def archive_due() -> None:
    archive.archive_due(now=timezone.now())


@shared_task(name="memory.policy_due")
def policy_due() -> None:
    """Auto-approve where an owner switched it on."""
    policy.policy_run(now=timezone.now())


@shared_task(name="memory.index_due")
def index_due() -> None:
    vectors.fill_due()


@shared_task(name="memory.growth_due")
def growth_due() -> None:
    """Namespaces that have grown large get what keeps recall fast there."""
    growth.growth_tend()


@shared_task(name="memory.sweep")
def sweep() -> None:
    """Beat's safety net: whatever a lost nudge left behind."""
    sweeping.sweep()


@shared_task(name="memory.scan_session")
def scan_session(session_id: str) -> None:
    """The nudge of a closed turn."""
    sweeping.scan_session(session_id=uuid.UUID(session_id))
