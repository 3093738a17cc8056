"""Records of scans: runs, what the person asked for, token use, and the worker's sign of life."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from transcripts.models import AgentSession, Compaction, Message, Turn


class Extraction(models.Model):
    """One finished or failed run over a turn or a part of a compaction's range: the ledger of what was dropped and why.

    A failed one has an ``error`` and no counts: nothing of it was kept. ``extractor`` is empty then.
    ``dropped`` counts reasons (``no_quote``, ``not_human``, ``secret``, ``exposed``, ``suppressed``, …).
    """

    OUTCOMES = [("done", _("done")), ("failed", _("failed"))]

    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="extractions")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, related_name="extractions")
    compaction = models.ForeignKey(
        Compaction, on_delete=models.CASCADE, null=True, related_name="extractions"
    )
    extractor = models.CharField(max_length=60, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    outcome = models.CharField(max_length=6, choices=OUTCOMES)
    messages = models.PositiveIntegerField(default=0)
    proposed = models.PositiveIntegerField(default=0)
    created = models.PositiveIntegerField(default=0)
    sighted = models.PositiveIntegerField(default=0)
    dropped = models.JSONField(default=dict)
    fell_back = models.CharField(max_length=40, blank=True)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    calls = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField()
    seconds = models.FloatField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        verbose_name = _("extraction")
        verbose_name_plural = _("extractions")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.extractor} {self.outcome}"


class Request(models.Model):
    """What the person asked for; raw material for Knowledge, never shown to agents (design section 4)."""

    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="requests")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="requests", db_index=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="requests", db_index=False
    )
    intent = models.CharField(max_length=40)
    target = models.CharField(max_length=200, blank=True)
    summary = models.CharField(max_length=300)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("request")
        verbose_name_plural = _("requests")
        constraints = [models.UniqueConstraint(fields=["message", "summary"], name="memory_request_once")]
        indexes = [
            # The night shift reads a window.
            models.Index(fields=["namespace", "-at"], name="memory_request_recent"),
        ]

    def __str__(self) -> str:
        return self.summary


class TokenMeter(models.Model):
    """Model tokens spent in a namespace on one day (UTC): the hard daily budget and its visible meter."""

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="token_meters", db_index=False
    )
    day = models.DateField()
    tokens = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("token meter")
        verbose_name_plural = _("token meters")
        constraints = [models.UniqueConstraint(fields=["namespace", "day"], name="memory_tokenmeter_day")]

    def __str__(self) -> str:
        return f"{self.namespace} {self.day}: {self.tokens}"


class WorkerHeartbeat(models.Model):
    """When a worker last ran the sweeper; ``/readyz`` reads it (lessons row 3)."""

    name = models.CharField(max_length=100, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("worker heartbeat")
        verbose_name_plural = _("worker heartbeats")

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M:%S}"
