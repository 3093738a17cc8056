"""One utterance."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from transcripts.models.session import AgentSession
from transcripts.models.turn import Turn


class MessageRole(models.TextChoices):
    USER = "user", _("user")
    ASSISTANT = "assistant", _("assistant")
    TOOL = "tool", _("tool")
    SYSTEM = "system", _("system")


class Origin(models.TextChoices):
    """Who produced the text, whatever its role; it never changes (design section 2)."""

    HUMAN = "human", _("typed by a person")
    AGENT = "agent", _("agent")
    TOOL = "tool", _("tool output")
    SYSTEM = "system", _("host text")
    INJECTED = "injected", _("put there by Hikae or the host")
    UNKNOWN = "unknown", _("unknown")


class Message(models.Model):
    """The text as stored: after redaction, without fenced blocks.

    ``digest`` is a keyed hash of the text as sent, so that a replay is told from a change without keeping
    the original. ``redactions`` lists ``{"type", "start", "end"}``, ``injected`` lists ``[start, end]``:
    offsets in characters into ``text``. ``cut`` counts characters of fenced blocks left out.
    """

    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="messages")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="messages", db_index=False)
    key = models.CharField(_("message key"), max_length=200)
    index = models.PositiveIntegerField()
    role = models.CharField(max_length=9, choices=MessageRole.choices)
    origin = models.CharField(max_length=8, choices=Origin.choices)
    text = models.TextField()
    digest = models.CharField(max_length=64)
    redactions = models.JSONField(default=list)
    injected = models.JSONField(default=list)
    cut = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    scanned_at = models.DateTimeField(null=True)

    if TYPE_CHECKING:
        session_id: uuid.UUID
        turn_id: int

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["turn", "key"], name="transcripts_message_key"),
            models.CheckConstraint(
                condition=models.Q(origin__in=["human", "agent", "tool", "system", "injected", "unknown"]),
                name="transcripts_message_origin",
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["user", "assistant", "tool", "system"]),
                name="transcripts_message_role",
            ),
        ]
        indexes = [
            # A compaction's range: what of this session is not scanned yet; scanned messages leave the index.
            models.Index(
                fields=["session", "id"],
                name="transcripts_message_unscanned",
                condition=models.Q(scanned_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} #{self.pk}"
