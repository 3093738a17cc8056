"""Explicit use of a note: somebody read it or called it by name (design section 6). Not an exposure."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models.housed import HousedQuerySet
from knowledge.models.note import Knowledge
from transcripts.models import AgentSession


class UseQuerySet(HousedQuerySet["KnowledgeUse"]):
    """A use lives where its note lives."""


class KnowledgeUse(models.Model):
    """One use. ``path``: ``slug`` (a person wrote ``#slug``) or ``read`` (an agent asked for the note)."""

    PATHS = [("slug", _("called by name")), ("read", _("read by an agent"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    knowledge = models.ForeignKey(Knowledge, on_delete=models.CASCADE, related_name="uses", db_index=False)
    namespace = models.ForeignKey("core.Namespace", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    session = models.ForeignKey(AgentSession, on_delete=models.SET_NULL, null=True, related_name="+")
    path = models.CharField(max_length=4, choices=PATHS)
    version = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    at = models.DateTimeField()

    objects = UseQuerySet.as_manager()

    if TYPE_CHECKING:
        knowledge_id: uuid.UUID
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("use of a note")
        verbose_name_plural = _("uses of notes")
        constraints = [
            models.CheckConstraint(condition=models.Q(path__in=["slug", "read"]), name="knowledge_use_path")
        ]
        # Uses of a note, the latest first: its page, and the protection of the last 30 days.
        indexes = [models.Index(fields=["knowledge", "-at"], name="knowledge_use_latest")]

    def __str__(self) -> str:
        return f"{self.path} {self.at:%Y-%m-%d}"
