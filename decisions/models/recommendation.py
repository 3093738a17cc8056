"""What we said about one question, and what became of it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from decisions.models.choice import Choice
from decisions.models.own import OwnQuerySet
from decisions.models.point import CATEGORY_CHOICES, DecisionPoint
from transcripts.models import AgentSession


class Fate(models.TextChoices):
    OPEN = "open", _("not answered yet")
    FOLLOWED = "followed", _("followed")
    OVERRIDDEN = "overridden", _("overridden")
    RESOLVED = "resolved", _("settled without asking")


class RecommendationQuerySet(OwnQuerySet["Recommendation"]):
    def resolved(self) -> RecommendationQuerySet:
        return self.filter(action="resolve")


class Recommendation(models.Model):
    """One issued question of a ``recommend`` call (``call`` joins up to four of them; it is the answer's id). States::

        open ──the choice names the leader──> followed        open ──it does not──> overridden
        resolved (issued with action "resolve": nobody was asked) ──asked all the same──> followed | overridden

    It is never deleted and, but for its fate, never changed. ``options`` lists ``{"key", "label", "display",
    "recommended", "share"}`` in recommended order: capture also matches answers against each ``display``.
    ``leader`` is an option key. ``signature`` is the wording's; ``point`` is None while nothing was chosen there.
    ``evidence`` are choice ids. ``contested_at``: a person said "ask me next time".
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    call = models.UUIDField()
    index = models.PositiveSmallIntegerField(default=0)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(
        AgentSession, on_delete=models.SET_NULL, null=True, related_name="recommendations", db_index=False
    )
    point = models.ForeignKey(
        DecisionPoint, on_delete=models.SET_NULL, null=True, related_name="recommendations", db_index=False
    )
    signature = models.CharField(max_length=64)
    question = models.TextField(_("question"))
    category = models.CharField(max_length=20, choices=CATEGORY_CHOICES)
    options = models.JSONField(default=list)
    labelled = models.BooleanField(default=False)
    probe = models.BooleanField(default=False)
    state = models.CharField(max_length=6)
    layer = models.CharField(max_length=7)
    leader = models.TextField(blank=True)
    clear = models.BooleanField(default=False)
    n = models.PositiveIntegerField(default=0)
    n_effective = models.FloatField(default=0)
    share = models.FloatField(default=0)
    p = models.FloatField(default=0)
    lead = models.FloatField(default=0)
    confidence = models.FloatField(default=0)
    age_days = models.FloatField(null=True)
    strength = models.CharField(max_length=8)
    premise = models.TextField(blank=True)
    action = models.CharField(max_length=7)
    reason = models.CharField(max_length=60, blank=True)
    text = models.TextField(blank=True)
    context = models.JSONField(default=dict)
    defects = ArrayField(models.CharField(max_length=60), default=list)
    evidence = ArrayField(models.UUIDField(), default=list)
    issued_at = models.DateTimeField(_("issued"))
    fate = models.CharField(max_length=10, choices=Fate.choices, default=Fate.OPEN)
    choice = models.OneToOneField(Choice, on_delete=models.SET_NULL, null=True, related_name="recommendation")
    contested_at = models.DateTimeField(null=True)

    objects = RecommendationQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        session_id: uuid.UUID | None
        point_id: uuid.UUID | None
        choice_id: uuid.UUID | None

    class Meta:
        verbose_name = _("recommendation")
        verbose_name_plural = _("recommendations")
        constraints = [
            models.UniqueConstraint(fields=["call", "index"], name="decisions_recommendation_once"),
            models.CheckConstraint(
                condition=models.Q(fate__in=Fate.values), name="decisions_recommendation_fate"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["static", "warm", "mature"]),
                name="decisions_recommendation_state",
            ),
            models.CheckConstraint(
                condition=models.Q(action="ask") | models.Q(action="resolve", state="mature"),
                name="decisions_recommendation_action",
            ),
            models.CheckConstraint(
                condition=models.Q(layer__in=["L0", "L1", "L2", "default"]),
                name="decisions_recommendation_layer",
            ),
            models.CheckConstraint(
                condition=models.Q(strength__in=["strong", "medium", "weak", "neutral"]),
                name="decisions_recommendation_strength",
            ),
            models.CheckConstraint(
                condition=models.Q(labelled=False) | models.Q(probe=False),
                name="decisions_recommendation_probe_has_no_label",
            ),
        ]
        indexes = [
            # Capture: the latest one of this question in this session.
            models.Index(fields=["session", "signature", "-issued_at"], name="decisions_recommendation_ask"),
            # A point's page.
            models.Index(fields=["point", "-issued_at"], name="decisions_recommendation_point"),
            # How many labelled questions a point had, at every question.
            models.Index(
                fields=["point"],
                name="decisions_recommendation_due",
                condition=models.Q(labelled=True) | models.Q(probe=True),
            ),
            # The same for a question that was never answered, and so has no point yet.
            models.Index(
                fields=["user", "signature"],
                name="decisions_recommendation_new",
                condition=models.Q(point=None),
            ),
            # The list of what was settled without asking.
            models.Index(
                fields=["user", "-issued_at"],
                name="decisions_recommendation_free",
                condition=models.Q(action="resolve"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.question[:60]}"
