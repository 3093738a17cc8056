"""The meaning of a note's title and description, for finding it by a task (design sections 6 and 7)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from core.models.housed import HousedQuerySet
from knowledge.models.note import Knowledge


class NoteVectorQuerySet(HousedQuerySet["KnowledgeVector"]):
    def current(self, space: str) -> NoteVectorQuerySet:
        """Those of the notes as they are now, in this space; a former text's vector finds nothing."""
        return self.filter(space=space, knowledge__status="active", version=models.F("knowledge__version"))


class KnowledgeVector(models.Model):
    """A vector in one embedding space (model id and dimensions), of the note's ``version``."""

    knowledge = models.ForeignKey(Knowledge, on_delete=models.CASCADE, related_name="vectors", db_index=False)
    namespace = models.ForeignKey("core.Namespace", on_delete=models.CASCADE, related_name="+")
    space = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    vector = VectorField()

    objects = NoteVectorQuerySet.as_manager()

    if TYPE_CHECKING:
        knowledge_id: uuid.UUID
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("vector of a note")
        verbose_name_plural = _("vectors of notes")
        constraints = [
            # Also what the job asks: which notes lack one in the current space.
            models.UniqueConstraint(fields=["knowledge", "space"], name="knowledge_vector_once_a_space")
        ]

    def __str__(self) -> str:
        return f"{self.knowledge_id} {self.space}"
