"""Why a candidate exists, and how often it was seen."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.candidate import Candidate
from transcripts.models import AgentSession, Message


class Evidence(models.Model):
    """A verbatim span of a stored message, with its own quote and SHA-256 (design section 2).

    It outlives the message: when that is purged the link becomes empty and the quote stays.
    ``role``: ``statement`` (the person said it), ``adoption`` (the person said yes) or ``adopted``
    (the agent's words that were adopted). ``start`` and ``end`` are character offsets.
    """

    ROLES = [("statement", _("statement")), ("adoption", _("adoption")), ("adopted", _("adopted text"))]

    candidate = models.ForeignKey(
        Candidate, on_delete=models.CASCADE, related_name="evidence", db_index=False
    )
    message = models.ForeignKey(Message, on_delete=models.SET_NULL, null=True, related_name="+")
    session = models.ForeignKey(AgentSession, on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=9, choices=ROLES, default="statement")
    origin = models.CharField(max_length=8)
    quote = models.TextField()
    sha256 = models.CharField(max_length=64)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("evidence")
        verbose_name_plural = _("evidence")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end__gt=models.F("start")), name="memory_evidence_span"
            ),
            # The same span supports a candidate once: a scan that runs again adds nothing.
            models.UniqueConstraint(
                fields=["candidate", "message", "start", "end", "role"], name="memory_evidence_once"
            ),
        ]

    def __str__(self) -> str:
        return self.quote[:80]


class Sighting(models.Model):
    """One session in which an equivalent candidate was seen on independent evidence."""

    candidate = models.ForeignKey(
        Candidate, on_delete=models.CASCADE, related_name="sightings", db_index=False
    )
    session = models.ForeignKey(AgentSession, on_delete=models.SET_NULL, null=True, related_name="+")
    session_key = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("sighting")
        verbose_name_plural = _("sightings")
        ordering = ["at"]
        constraints = [
            # Repeats within one session are not a further sighting.
            models.UniqueConstraint(
                fields=["candidate", "session_key"], name="memory_sighting_once_a_session"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_key} {self.at:%Y-%m-%d}"
