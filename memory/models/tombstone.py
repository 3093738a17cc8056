"""What a rejection or deletion leaves."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from core.ids import new_id
from core.models import Namespace
from memory.models.kind import Kind


class Tombstone(models.Model):
    """Keeps the same thing from being proposed again; can be lifted (design section 2).

    After a rejection: normalised text and vector. After a deletion, or a rejection as *private*: keyed
    hashes only, so that the text cannot be read back. ``hits`` is "suppressed n times".
    """

    REASONS = [("rejected", _("rejected")), ("private", _("rejected as private")), ("deleted", _("deleted"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="tombstones")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reason = models.CharField(max_length=8, choices=REASONS)
    text = models.TextField(blank=True)
    hashes = ArrayField(models.CharField(max_length=64))
    blocks = ArrayField(models.BigIntegerField(), default=list, editable=False)
    space = models.CharField(max_length=80, blank=True)
    vector = VectorField(null=True)
    candidate_id = models.UUIDField(null=True)
    memory_id = models.UUIDField(null=True)
    hits = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason="rejected") | models.Q(text="", vector__isnull=True),
                name="memory_tombstone_keeps_no_private_text",
            ),
        ]
        indexes = [
            # Dedupe reads the standing tombstones of a namespace and kind.
            models.Index(
                fields=["namespace", "kind"],
                name="memory_tombstone_standing",
                condition=models.Q(lifted_at__isnull=True),
            ),
            # Undo of a rejection.
            models.Index(fields=["candidate_id"], name="memory_tombstone_candidate"),
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.kind}"
