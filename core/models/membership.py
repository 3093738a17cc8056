"""Who shares a namespace, and as what."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models.namespace import Namespace


class Role(models.TextChoices):
    OWNER = "owner", _("owner")
    REVIEWER = "reviewer", _("reviewer")
    READER = "reader", _("reader")


class Membership(models.Model):
    """A person's role in a namespace: readers read, reviewers decide, owners change policy and members."""

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        user_id: int

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["namespace", "user"], name="core_membership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "reviewer", "reader"]), name="core_membership_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.role}"
