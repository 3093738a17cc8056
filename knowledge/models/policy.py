"""Whether drafts of notes may become findable before a person has read them: off unless an owner says so."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import Namespace


class DraftPolicy(models.Model):
    """The draft policy of one namespace (design section 6, last paragraph); no row: off.

    Such notes carry a badge (``Knowledge.actor`` = ``policy``), never stand before a session, and can be undone.
    """

    namespace = models.OneToOneField(Namespace, on_delete=models.CASCADE, related_name="draft_policy")
    enabled = models.BooleanField(default=False)
    min_confidence = models.FloatField(default=0.8)
    enabled_at = models.DateTimeField(null=True)
    disabled_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("draft policy")
        verbose_name_plural = _("draft policies")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(min_confidence__gte=0, min_confidence__lte=1),
                name="knowledge_draftpolicy_confidence",
            )
        ]

    def __str__(self) -> str:
        return str(self.namespace)
