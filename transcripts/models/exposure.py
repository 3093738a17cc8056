"""What an agent was shown."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import AgentKey
from transcripts.models.session import AgentSession


class Exposure(models.Model):
    """One time that a record was put before an agent (design sections 2 and 3).

    Names the record by (type, id, version), without a foreign key. ``fingerprints`` are
    ``transcripts.served.prints`` of the text served: what comes back through the transcript is recognised by them.
    With no session the exposure stands under the key and is compared for 24 hours.

    The table is partitioned by month of ``at`` (migration 0001), so the database's primary key is (id, at).
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, null=True, related_name="exposures")
    agent_key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, null=True, related_name="+")
    path = models.CharField(max_length=20)  # recall, get, resident, expansion
    record_type = models.CharField(max_length=20)
    record_id = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    fingerprints = ArrayField(models.BigIntegerField())

    class Meta:
        verbose_name = _("exposure")
        verbose_name_plural = _("exposures")
        db_table = "transcripts_exposure"

    def __str__(self) -> str:
        return f"{self.path} {self.record_type}:{self.record_id}"
