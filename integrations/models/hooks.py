"""What the hooks of a client leave beside the conversation itself."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import AgentKey
from transcripts.models import AgentSession


class HookEventQuerySet(models.QuerySet["HookEvent"]):
    def visible_to(self, user: object) -> HookEventQuerySet:
        pk = getattr(user, "pk", None)
        return self.filter(user_id=pk) if pk else self.none()


class HookEvent(models.Model):
    """The ledger of events that the plugin delivered: each acts once, however often it is sent (design section 7).

    ::

        (new) --take--> taken --done--> done
                          | the lease ran out: its process died; the next delivery takes it again
                          +--take--> taken

    ``note`` is a code that says why nothing, or not all, was done: ``missing_scope``, ``paused``, ``choice_changed``, …
    No text of a conversation stands here.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    agent_key = models.ForeignKey(AgentKey, on_delete=models.SET_NULL, null=True, related_name="+")
    event_id = models.CharField(max_length=64)
    name = models.CharField(_("event"), max_length=100)
    session_key = models.CharField(_("session key"), max_length=200, blank=True)
    seq = models.BigIntegerField(null=True)
    plugin = models.CharField(_("plugin"), max_length=40, blank=True)
    late = models.BooleanField(_("from the spool"), default=False)
    at = models.DateTimeField(_("happened"))
    received_at = models.DateTimeField(_("received"))
    lease_until = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=60, blank=True)

    objects = HookEventQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("hook event")
        verbose_name_plural = _("hook events")
        constraints = [
            models.UniqueConstraint(fields=["user", "event_id"], name="integrations_hookevent_once"),
        ]
        indexes = [
            # Purge reads only age.
            models.Index(fields=["received_at"], name="integrations_hookevent_age"),
            # The Claude Code page: when did this person's plugin last report?
            models.Index(fields=["user", "-received_at"], name="integrations_hookevent_last"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.event_id}"


class HookSession(models.Model):
    """What the hooks remember of a session.

    ``window_since``: since when the agent's window holds what it was shown; a compaction begins a new one.
    ``announced``: candidates that the person was told about, so that each is named once.
    """

    session = models.OneToOneField(
        AgentSession, on_delete=models.CASCADE, primary_key=True, related_name="hooks"
    )
    window_since = models.DateTimeField(null=True)
    announced = ArrayField(models.UUIDField(), default=list)

    if TYPE_CHECKING:
        session_id: uuid.UUID

    class Meta:
        verbose_name = _("session of a plugin")
        verbose_name_plural = _("sessions of a plugin")

    def __str__(self) -> str:
        return str(self.session_id)


class HookSettings(models.Model):
    """What a person wants the plugin to bring; a person without a row has the defaults (all of it)."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="hook_settings"
    )
    resident = models.BooleanField(_("what was approved, at the start of each session"), default=True)
    recall = models.BooleanField(_("memories that fit the prompt"), default=True)
    recommend = models.BooleanField(_("what I usually choose, before a question"), default=True)
    announce = models.BooleanField(_("one line for each new proposal"), default=True)
    waiting = models.BooleanField(_("how many proposals wait, at the start of a session"), default=True)
    changed_at = models.DateTimeField()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("plugin settings")
        verbose_name_plural = _("plugin settings")

    def __str__(self) -> str:
        return str(self.user)
