"""That a question was about to be asked, and what stood in its answers then."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from decisions.models.own import OwnQuerySet
from transcripts.models import AgentSession


class AskSeenQuerySet(OwnQuerySet["AskSeen"]):
    """What a person was about to be asked."""


class AskSeen(models.Model):
    """One PreToolUse of AskUserQuestion. ``prefilled``: texts of the questions that had an answer before anybody saw
    them; sent again, the row keeps them all. Such answers are no observations (design section 5).
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="asks", db_index=False)
    tool_use_id = models.CharField(max_length=200)
    prefilled = ArrayField(models.TextField(), default=list)
    at = models.DateTimeField(_("seen"))

    objects = AskSeenQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        session_id: uuid.UUID

    class Meta:
        verbose_name = _("question seen")
        verbose_name_plural = _("questions seen")
        constraints = [
            # PostToolUse looks its PreToolUse up by this.
            models.UniqueConstraint(fields=["session", "tool_use_id"], name="decisions_askseen_once"),
        ]

    def __str__(self) -> str:
        return self.tool_use_id
