"""What an agent says is wrong with a memory."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import AgentKey
from memory.models.memory import Memory
from transcripts.models import AgentSession


class MemoryReport(models.Model):
    """A report changes nothing by itself: a person reads it beside the memory (design section 7, ``report/``).

    ``open → done`` when somebody decided. ``text`` is what the agent would rather have there; it is erased with the
    memory. The same report of one key is one row, however often it is sent.
    """

    STATES = [("open", _("open")), ("done", _("done"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="reports")
    agent_key = models.ForeignKey(AgentKey, on_delete=models.SET_NULL, null=True, related_name="+")
    session = models.ForeignKey(AgentSession, on_delete=models.SET_NULL, null=True, related_name="+")
    version = models.PositiveIntegerField()
    reason = models.CharField(_("reason"), max_length=500)
    text = models.TextField(_("text"), blank=True)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(_("state"), max_length=4, choices=STATES, default="open")
    created_at = models.DateTimeField(_("reported"))
    done_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "done"]), name="memory_report_state"
            ),
            # A report sent again while the first one waits is the same report.
            models.UniqueConstraint(
                fields=["memory", "agent_key", "sha256"],
                condition=models.Q(state="open"),
                name="memory_report_once",
            ),
        ]

    def __str__(self) -> str:
        return self.reason[:80]

    if TYPE_CHECKING:
        memory_id: uuid.UUID
