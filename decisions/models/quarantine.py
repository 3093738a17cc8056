"""What came and was not understood: kept visible, so that a person can look and try again."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import AgentKey
from decisions.models.own import OwnQuerySet


class QuarantineState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    DONE = "done", _("understood")
    DISMISSED = "dismissed", _("put away")


class QuarantineQuerySet(OwnQuerySet["Quarantine"]):
    def waiting(self) -> QuarantineQuerySet:
        return self.filter(state=QuarantineState.WAITING)


class Quarantine(models.Model):
    """One call whose shape is unknown or contradicts itself. States::

        waiting ──run again: understood──> done        waiting ──run again: still not──> waiting (``runs`` + 1)
        waiting ──put away──> dismissed

    ``payload`` is what was sent, redacted. ``digest`` is a keyed hash of the original: a redelivery is the same row.
    ``reason`` is a code (``decisions.capture.reasons``), ``detail`` names the place, such as ``questions[1].options``.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    agent_key = models.ForeignKey(AgentKey, on_delete=models.SET_NULL, null=True, related_name="+")
    session_key = models.CharField(_("session key"), max_length=200, blank=True)
    payload = models.JSONField()
    digest = models.CharField(max_length=64)
    reason = models.CharField(_("reason"), max_length=40)
    detail = models.CharField(max_length=300, blank=True)
    state = models.CharField(
        _("state"), max_length=9, choices=QuarantineState.choices, default=QuarantineState.WAITING
    )
    runs = models.PositiveIntegerField(default=1)
    at = models.DateTimeField(_("happened"))
    received_at = models.DateTimeField(_("received"))
    last_run_at = models.DateTimeField(_("last tried"))

    objects = QuarantineQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        agent_key_id: uuid.UUID | None

    class Meta:
        verbose_name = _("quarantined call")
        verbose_name_plural = _("quarantined calls")
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="decisions_quarantine_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=QuarantineState.values), name="decisions_quarantine_state"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="decisions_quarantine_reason"),
        ]
        indexes = [
            # The quarantine page: what waits, the latest first.
            models.Index(
                fields=["user", "-received_at"],
                name="decisions_quarantine_list",
                condition=models.Q(state="waiting"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.pk}"

    @property
    def version(self) -> int:
        """What an operator saw: it moves on with every try."""
        return self.runs
