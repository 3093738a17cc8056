"""The moment before a client summarises its window away."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from transcripts.models.scan import Scan
from transcripts.models.session import AgentSession


class Compaction(Scan):
    """The messages up to ``through_id`` (a message's id) are stored first, then scanned (states drawn in ``Scan``).

    A range that fails is retried in bounded batches: each batch marks its messages ``scanned_at``, so a
    retry goes on where the last one ended.

    ``until``: the compaction came late, when later messages may be stored already; the range is then what had been
    said by that moment, whatever ids it has.
    """

    session = models.ForeignKey(
        AgentSession, on_delete=models.CASCADE, related_name="compactions", db_index=False
    )
    key = models.CharField(max_length=200)
    trigger = models.CharField(max_length=20)
    # A bare id, not a link: the range must still be known after old messages were purged.
    through_id = models.BigIntegerField()
    received_at = models.DateTimeField()
    until = models.DateTimeField(null=True)

    if TYPE_CHECKING:
        session_id: uuid.UUID

    class Meta:
        verbose_name = _("compaction")
        verbose_name_plural = _("compactions")
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="transcripts_compaction_key"),
            models.CheckConstraint(
                condition=models.Q(scan_state__in=["waiting", "leased", "done", "dead"]),
                name="transcripts_compaction_state",
            ),
        ]
        indexes = [
            # The sweeper claims these before any turn.
            models.Index(
                fields=["due_at"],
                name="transcripts_compaction_due",
                condition=models.Q(scan_state__in=["waiting", "leased"]),
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def covered(self) -> models.Q:
        """The messages of its session that it is about."""
        return models.Q(at__lte=self.until) if self.until else models.Q(pk__lte=self.through_id)
