"""The recurring question behind choices, the ways it is worded, and its options."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from decisions.learning.types import CATEGORIES
from decisions.models.own import OwnQuerySet

CATEGORY_CHOICES = [
    ("tier", _("tier")),
    ("cycle_type", _("kind of cycle")),
    ("worktree_strategy", _("worktrees")),
    ("pr_routing", _("pull requests")),
    ("model_selection", _("model")),
    ("effort_level", _("effort")),
    ("team_mode", _("team")),
    ("other", _("other")),
]


class Joined(models.TextChoices):
    """How a wording came to its point."""

    FIRST = "first", _("the first wording")
    LIKENESS = "likeness", _("joined because it reads alike")
    PERSON = "person", _("joined by you")


class PointQuerySet(OwnQuerySet["DecisionPoint"]):
    def live(self) -> PointQuerySet:
        """Without those that a person merged into another one."""
        return self.filter(merged_into=None)


class DecisionPoint(models.Model):
    """One recurring question of one person in a workspace (``workspace`` None: outside of any). States::

        live ──merge (its wordings, options and choices move)──> merged (``merged_into``, always a live one)

    A split makes a new live point of some wordings. Which question belongs here is said by ``Wording`` alone;
    ``question`` and ``template`` are those of its first wording, for display and for likeness. ``category`` is what
    the rules found, ``category_set`` a person's correction. ``name`` is a person's title. ``version`` counts a
    person's changes.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decision_points"
    )
    workspace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, null=True, blank=True, related_name="decision_points"
    )
    name = models.CharField(_("name"), max_length=200, blank=True)
    question = models.TextField(_("question"))
    header = models.CharField(max_length=200, blank=True)
    template = models.TextField(editable=False)
    multi = models.BooleanField(default=False)
    category = models.CharField(max_length=20, choices=CATEGORY_CHOICES)
    category_set = models.CharField(max_length=20, choices=CATEGORY_CHOICES, blank=True)
    always_ask = models.BooleanField(_("always ask"), default=False)
    merged_into = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="merged")
    version = models.PositiveIntegerField(default=1)
    first_seen_at = models.DateTimeField(_("first seen"))
    last_choice_at = models.DateTimeField(_("last choice"), null=True)

    objects = PointQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        workspace_id: uuid.UUID | None
        merged_into_id: uuid.UUID | None

    class Meta:
        verbose_name = _("decision point")
        verbose_name_plural = _("decision points")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(category__in=CATEGORIES), name="decisions_point_category"
            ),
            models.CheckConstraint(
                condition=models.Q(category_set__in=["", *CATEGORIES]), name="decisions_point_category_set"
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into=None) | ~models.Q(merged_into=models.F("id")),
                name="decisions_point_not_into_itself",
            ),
            models.CheckConstraint(condition=~models.Q(question=""), name="decisions_point_question"),
        ]
        indexes = [
            # The Choices page: a person's live points, the latest choice first.
            models.Index(
                fields=["user", "-last_choice_at", "-id"],
                name="decisions_point_list",
                condition=models.Q(merged_into=None),
            ),
        ]

    def __str__(self) -> str:
        return self.title[:80]

    @property
    def title(self) -> str:
        return self.name or self.question

    @property
    def effective_category(self) -> str:
        """A person's correction goes before the rules."""
        return self.category_set or self.category


class WordingQuerySet(OwnQuerySet["Wording"]):
    """A person's wordings."""


class Wording(models.Model):
    """One way in which a question is put: template, option set and whether several may be chosen.

    The same wording of a person in a workspace has one row (``signature``), so an equal question is found by one exact
    look-up and always reaches the same point. ``options`` are the sorted option keys. ``likeness`` is what joined it.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    workspace = models.ForeignKey(Namespace, on_delete=models.PROTECT, null=True, related_name="+")
    point = models.ForeignKey(DecisionPoint, on_delete=models.CASCADE, related_name="wordings")
    signature = models.CharField(max_length=64)
    template = models.TextField()
    template_hash = models.CharField(max_length=64)
    options_hash = models.CharField(max_length=64)
    options = ArrayField(models.TextField())
    question = models.TextField()
    category = models.CharField(max_length=20, choices=CATEGORY_CHOICES)
    joined = models.CharField(max_length=8, choices=Joined.choices, default=Joined.FIRST)
    likeness = models.FloatField(default=1.0)
    created_at = models.DateTimeField()

    objects = WordingQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        workspace_id: uuid.UUID | None
        point_id: uuid.UUID

    class Meta:
        verbose_name = _("wording")
        verbose_name_plural = _("wordings")
        constraints = [
            # Capture and recommend look a question up by this; two deliveries at once make one row.
            models.UniqueConstraint(
                fields=["user", "workspace", "signature"],
                name="decisions_wording_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=models.Q(joined__in=Joined.values), name="decisions_wording_joined"
            ),
            models.CheckConstraint(
                condition=models.Q(likeness__gte=0, likeness__lte=1), name="decisions_wording_likeness"
            ),
        ]
        indexes = [
            # The person prior: the same template in other workspaces.
            models.Index(fields=["user", "template_hash"], name="decisions_wording_template"),
            # A new wording looks for one that reads alike among those with its option set.
            models.Index(fields=["user", "options_hash"], name="decisions_wording_options"),
        ]

    def __str__(self) -> str:
        return self.question[:80]


class Option(models.Model):
    """An option of a point under its key (``learning.option_key``). ``label`` is as last shown, without markers.

    An option that a person declared another name of one (``alias_of``) counts as that one, which is no alias itself.
    """

    id = models.BigAutoField(primary_key=True)
    point = models.ForeignKey(DecisionPoint, on_delete=models.CASCADE, related_name="options", db_index=False)
    key = models.TextField()
    label = models.TextField(_("label"))
    description = models.TextField(blank=True)
    alias_of = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="aliases")

    if TYPE_CHECKING:
        point_id: uuid.UUID
        alias_of_id: int | None

    class Meta:
        verbose_name = _("option")
        verbose_name_plural = _("options")
        constraints = [
            models.UniqueConstraint(fields=["point", "key"], name="decisions_option_once"),
            models.CheckConstraint(
                condition=models.Q(alias_of=None) | ~models.Q(alias_of=models.F("id")),
                name="decisions_option_not_its_own_alias",
            ),
            models.CheckConstraint(condition=~models.Q(key=""), name="decisions_option_key"),
        ]

    def __str__(self) -> str:
        return self.label[:80]
