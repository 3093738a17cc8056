"""What a person says about what was learned: the way to correct it (design section 5, "Recovery")."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from decisions.learning.types import CATEGORIES
from decisions.models.own import OwnQuerySet
from decisions.models.point import CATEGORY_CHOICES, DecisionPoint, Option
from transcripts.models import AgentSession


class PreferenceQuerySet(OwnQuerySet["Preference"]):
    def live(self) -> PreferenceQuerySet:
        return self.filter(withdrawn_at=None)


class Preference(models.Model):
    """Either a preferred option of a point, or a reset of one point, of a category, or of all (``point`` None and no
    ``category``). States: ``live ──withdrawn or replaced──> withdrawn``.

    A reset takes every choice of its reach up to ``at`` out of the sums: those rows name it in ``Choice.reset``, and
    a choice that arrives late is marked by capture. Withdrawing it brings them back.
    """

    KINDS = [("preferred", _("preferred option")), ("reset", _("reset"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=9, choices=KINDS)
    point = models.ForeignKey(DecisionPoint, on_delete=models.CASCADE, null=True, related_name="preferences")
    option = models.ForeignKey(Option, on_delete=models.CASCADE, null=True, related_name="+")
    category = models.CharField(max_length=20, choices=CATEGORY_CHOICES, blank=True)
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    objects = PreferenceQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        point_id: uuid.UUID | None
        option_id: int | None

    class Meta:
        verbose_name = _("preference")
        verbose_name_plural = _("preferences")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="preferred", point__isnull=False, option__isnull=False, category="")
                | models.Q(kind="reset", option=None, point__isnull=False, category="")
                | models.Q(kind="reset", option=None, point=None, category__in=["", *CATEGORIES]),
                name="decisions_preference_shape",
            ),
            models.UniqueConstraint(
                fields=["point"],
                condition=models.Q(kind="preferred", withdrawn_at=None),
                name="decisions_preference_one_a_point",
            ),
        ]
        indexes = [
            # Capture asks which resets a late choice falls under; recommend asks for the preferred option.
            models.Index(
                fields=["user", "kind", "at"],
                name="decisions_preference_live",
                condition=models.Q(withdrawn_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class MuteQuerySet(OwnQuerySet["Mute"]):
    """A person's muted sessions."""


class Mute(models.Model):
    """No recommendations for one session. The row is the mute; lifting it deletes it, the audit keeps both."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session = models.OneToOneField(AgentSession, on_delete=models.CASCADE, related_name="mute")
    at = models.DateTimeField()

    objects = MuteQuerySet.as_manager()

    class Meta:
        verbose_name = _("muted session")
        verbose_name_plural = _("muted sessions")

    def __str__(self) -> str:
        return str(self.session)


class LearningSettingQuerySet(OwnQuerySet["LearningSetting"]):
    """What a person allows."""


class LearningSetting(models.Model):
    """What a person allows: in one workspace, or everywhere (``workspace`` None) unless that workspace says otherwise.

    ``resolve_allowed``: settle without asking (design section 5: on by default). ``decay_rate``: per day, None: the
    default; only the row of everywhere may hold one, taken over from the backtest's suggestion. ``human_sessions``, on
    that row too, is the most sessions with a human turn that were ever counted: purging conversations must not make
    strangers of old acquaintances.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    workspace = models.ForeignKey(Namespace, on_delete=models.CASCADE, null=True, related_name="+")
    resolve_allowed = models.BooleanField(default=True)
    decay_rate = models.FloatField(null=True)
    human_sessions = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    objects = LearningSettingQuerySet.as_manager()

    class Meta:
        verbose_name = _("learning setting")
        verbose_name_plural = _("learning settings")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "workspace"], name="decisions_learningsetting_once", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=models.Q(decay_rate=None)
                | models.Q(workspace=None, decay_rate__gte=0, decay_rate__lte=10),
                name="decisions_learningsetting_rate",
            ),
        ]

    def __str__(self) -> str:
        return str(self.workspace or "*")
