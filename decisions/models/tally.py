"""Counted choices of one day as one row, so that an answer does not read thousands of old ones."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from decisions.models.own import OwnQuerySet
from decisions.models.point import DecisionPoint, Wording


class TallyQuerySet(OwnQuerySet["Tally"]):
    """A person's tallies."""


class Tally(models.Model):
    """Equal choices of one UTC day on one wording. Derived: triggers on ``Choice`` keep it in the same transaction.

    Only what counts is in it (observed, not archived, not reset). ``day`` counts from 1970-01-01. With x = the time of
    a choice minus noon of its day, in days, ``s1`` to ``s4`` are the sums of x, x², x³ and x⁴: enough for the sum of
    decayed weights at any moment and rate (``selectors.sums`` says how exactly). ``kind`` stands for ``chosen``,
    ``followed`` and the source in the unique index, because labels may be longer than an index takes.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    point = models.ForeignKey(DecisionPoint, on_delete=models.CASCADE, related_name="+", db_index=False)
    wording = models.ForeignKey(Wording, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.IntegerField()
    kind = models.CharField(max_length=32)
    chosen = ArrayField(models.TextField())
    followed = models.BooleanField()
    reported = models.BooleanField()
    n = models.PositiveIntegerField()
    s1 = models.FloatField()
    s2 = models.FloatField()
    s3 = models.FloatField()
    s4 = models.FloatField()

    objects = TallyQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        point_id: uuid.UUID
        wording_id: int

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            # Recommend reads a point's days by it; the triggers add to the row that is there.
            models.UniqueConstraint(fields=["point", "wording", "day", "kind"], name="decisions_tally_once"),
        ]
        indexes = [
            # The person prior: the same template in other workspaces.
            models.Index(fields=["wording", "day"], name="decisions_tally_wording"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.n}"
