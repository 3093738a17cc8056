"""One run of an agent client."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import AgentKey, Namespace
from core.scope import Scope


class AgentSessionQuerySet(models.QuerySet["AgentSession"]):
    def visible_to(self, user: object) -> AgentSessionQuerySet:
        """A conversation belongs to the person who held it, in shared workspaces too."""
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()

    def in_namespaces(self, scope: Scope) -> AgentSessionQuerySet:
        return self.filter(models.Q(persona_id__in=scope.ids) | models.Q(workspace_id__in=scope.ids))


class AgentSession(models.Model):
    """A session has a persona and, once known, a workspace (design section 2).

    A turn for an unknown session opens it with the key's default persona; ``workspace_wait_until`` is how
    long candidates about the project wait for the client to name the workspace. ``scan_lease_until`` makes
    scans of one session run one at a time. ``fingerprints`` are those of the place it ran in, so that a workspace can
    be split by place later.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="agent_sessions", db_index=False
    )
    key = models.CharField(_("session key"), max_length=200)
    agent_key = models.ForeignKey(AgentKey, on_delete=models.SET_NULL, null=True, related_name="+")
    client = models.CharField(_("client"), max_length=60, blank=True)
    persona = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="persona_sessions")
    workspace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, null=True, related_name="workspace_sessions"
    )
    fingerprints = ArrayField(models.CharField(max_length=80), default=list)
    workspace_wait_until = models.DateTimeField(null=True)
    tz = models.CharField(_("time zone"), max_length=60, blank=True)
    internal = models.BooleanField(default=False)
    started_at = models.DateTimeField(_("started"))
    last_turn_at = models.DateTimeField(_("last turn"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    scan_lease_until = models.DateTimeField(null=True)
    scan_lease_token = models.UUIDField(null=True)

    objects = AgentSessionQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        persona_id: uuid.UUID
        workspace_id: uuid.UUID | None

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="transcripts_session_key")]
        indexes = [
            # The Sessions page: a person's sessions, the latest first.
            models.Index(fields=["user", "-started_at"], name="transcripts_session_list"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def home(self) -> Namespace:
        """Where the conversation is kept: the workspace, else the persona."""
        return self.workspace or self.persona
