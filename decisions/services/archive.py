"""After 90 × 24 h a choice is archived: visible, in the trend, out of the sums (design section 5)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from decisions.models import Choice, Outcome
from decisions.numbers import numbers


def choices_archive(*, now: datetime, batch: int = 5_000) -> int:
    """Mark what has grown too old, in batches; returns how many. Sums leave such choices out even before this ran."""
    done = 0
    while marked := _archive(now, batch):
        done += marked
    return done


@transaction.atomic
def _archive(now: datetime, batch: int) -> int:
    """All persons' at once: each row's own age decides, nothing is summed."""
    old = Choice.objects.filter(
        outcome=Outcome.OBSERVED, archived_at=None, at__lte=now - numbers().archive_after
    )
    return Choice.objects.filter(pk__in=list(old.order_by("at").values_list("pk", flat=True)[:batch])).update(
        archived_at=now
    )
