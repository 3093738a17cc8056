"""The part of a row that makes it its own queue entry."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ScanState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    LEASED = "leased", _("being scanned")
    DONE = "done", _("scanned")
    DEAD = "dead", _("failed for good")


class Scan(models.Model):
    """Work that a scanner claims (design section 1, rule 3).

    ::

        waiting --claim--> leased --finish--> done
           ^                 | fail (attempts < MAX_ATTEMPTS), or the lease ran out
           +-----------------+
        leased --fail (last attempt)--> dead --retry (a person)--> waiting
        done --new messages--> waiting
    """

    scan_state = models.CharField(max_length=7, choices=ScanState.choices, default=ScanState.WAITING)
    lease_until = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    backlog = models.BooleanField(default=False)
    error = models.TextField(blank=True)

    class Meta:
        abstract = True
