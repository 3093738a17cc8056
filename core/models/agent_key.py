"""The credential of an agent client."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models.namespace import Namespace

KEY_SCOPES = ("ingest", "recall", "decide")


class AgentKeyQuerySet(models.QuerySet["AgentKey"]):
    def visible_to(self, user: object) -> AgentKeyQuerySet:
        """A key belongs to one person; nobody else sees it."""
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()

    def usable(self, *, now: datetime) -> AgentKeyQuerySet:
        return self.filter(revoked_at__isnull=True).filter(
            models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now)
        )


class AgentKey(models.Model):
    """Secret of one user (design section 2). Only a keyed hash is kept; the secret is shown once.

    ``reach`` is ``all`` (what its user owns or is a member of) or ``list`` (``namespaces``). A key that
    ``speaks_for_person`` may say that a text was typed by a human. No scope can approve or delete. ``missed`` tells
    what its client asked for without the scope: ``{scope: {"event", "at"}}``, the latest of each.
    """

    REACH_ALL = "all"
    REACH_LIST = "list"
    REACHES = [
        (REACH_ALL, _("everything this person reaches")),
        (REACH_LIST, _("only the listed namespaces")),
    ]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="agent_keys")
    name = models.CharField(_("name"), max_length=100)
    prefix = models.CharField(max_length=12, unique=True)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10), verbose_name=_("scopes"))
    reach = models.CharField(_("reach"), max_length=4, choices=REACHES, default=REACH_ALL)
    namespaces = models.ManyToManyField(Namespace, related_name="keys", blank=True)
    default_persona = models.ForeignKey(
        Namespace,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("default persona"),
    )
    speaks_for_person = models.BooleanField(_("speaks for its person"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    missed = models.JSONField(default=dict, blank=True, editable=False)
    rotated_from = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rotated_to"
    )

    objects = AgentKeyQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        default_persona_id: uuid.UUID | None

    class Meta:
        verbose_name = _("agent key")
        verbose_name_plural = _("agent keys")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(reach__in=["all", "list"]), name="core_agentkey_reach"),
            models.CheckConstraint(
                condition=models.Q(scopes__contained_by=list(KEY_SCOPES)) & ~models.Q(scopes=[]),
                name="core_agentkey_scopes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def has_scope(self, scope: str) -> bool:
        return scope in self.scopes
