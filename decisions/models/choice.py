"""One click of a person on one question."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from decisions.learning.types import DEFAULTS
from decisions.models.own import OwnQuerySet
from decisions.models.point import DecisionPoint, Wording
from decisions.models.tallying import TRIGGERS
from transcripts.models import AgentSession


class Outcome(models.TextChoices):
    OBSERVED = "observed", _("observed")
    SKIPPED = "skipped", _("not counted")


class Source(models.TextChoices):
    """Reported ones inform, they never resolve (design section 5)."""

    HOOK = "hook", _("seen by the hook")
    REPORTED = "reported", _("reported")


class Marker(models.TextChoices):
    """Whose recommendation an option carried when it was shown."""

    NONE = "", _("none")
    ASKER = "asker", _("the asker")
    HIKAE = "hikae", _("Hikae")


class ChoiceQuerySet(OwnQuerySet["Choice"]):
    def observed(self) -> ChoiceQuerySet:
        return self.filter(outcome=Outcome.OBSERVED)

    def counted(self, now: datetime, archive_after: timedelta = DEFAULTS.archive_after) -> ChoiceQuerySet:
        """What enters sums: observed, younger than 90 × 24 h (the nightly mark may be late), not reset."""
        return self.filter(outcome=Outcome.OBSERVED, archived_at=None, reset=None, at__gt=now - archive_after)


class Choice(models.Model):
    """An observation, or a question that was asked and did not become one. Nothing is overwritten. States::

        observed ──late PreToolUse: it was pre-filled──> skipped (``prefilled``)
        observed ──90 × 24 h──> observed, archived (``archived_at``: visible, out of the sums)
        observed ──a person resets──> observed, reset (``reset``: visible, out of the sums) ──undo──> observed

    ``offered`` lists ``{"key", "label", "description"}`` in shown order; ``first`` and ``marked`` are option keys,
    of the first one and of the one that carried a recommendation, whose is ``marked_by``. ``chosen`` are option
    keys, ``other`` among them when words were typed (``other_text``). ``labelled``: our label was on an option;
    ``followed``: and that one was chosen; ``probe``: our label was left out on purpose. ``strength`` is that of our
    recommendation. ``at`` is when it was chosen, ``received_at`` when we heard. All texts are redacted; ``digest``
    is a keyed hash of the answer as sent, which tells a replay from a change. ``dedupe`` names session, tool use
    and question, or the decision id.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="choices", db_index=False
    )
    point = models.ForeignKey(
        DecisionPoint, on_delete=models.PROTECT, null=True, related_name="choices", db_index=False
    )
    wording = models.ForeignKey(
        Wording, on_delete=models.PROTECT, null=True, related_name="choices", db_index=False
    )
    session = models.ForeignKey(
        AgentSession, on_delete=models.SET_NULL, null=True, related_name="choices", db_index=False
    )
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    reason = models.CharField(max_length=40, blank=True)
    source = models.CharField(max_length=8, choices=Source.choices)
    dedupe = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    tool_use_id = models.CharField(max_length=200, blank=True)
    decision_id = models.CharField(max_length=200, blank=True)
    index = models.PositiveSmallIntegerField(default=0)
    question = models.TextField(_("question"))
    header = models.CharField(max_length=200, blank=True)
    multi = models.BooleanField(default=False)
    offered = models.JSONField(default=list)
    first = models.TextField(blank=True)
    marked = models.TextField(blank=True)
    marked_by = models.CharField(max_length=5, choices=Marker.choices, blank=True, default="")
    chosen = ArrayField(models.TextField(), default=list)
    other_text = models.TextField(blank=True)
    note = models.TextField(_("note"), blank=True)
    strength = models.CharField(max_length=8, blank=True)
    labelled = models.BooleanField(default=False)
    followed = models.BooleanField(default=False)
    probe = models.BooleanField(default=False)
    context = models.JSONField(default=dict)
    at = models.DateTimeField(_("chosen"))
    received_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)
    reset = models.ForeignKey(
        "decisions.Preference", on_delete=models.SET_NULL, null=True, related_name="choices", db_index=False
    )

    objects = ChoiceQuerySet.as_manager()

    if TYPE_CHECKING:
        user_id: int
        point_id: uuid.UUID | None
        wording_id: int | None
        session_id: uuid.UUID | None
        reset_id: uuid.UUID | None

    class Meta:
        verbose_name = _("choice")
        verbose_name_plural = _("choices")
        constraints = [
            models.UniqueConstraint(fields=["user", "dedupe"], name="decisions_choice_once"),
            models.CheckConstraint(
                condition=models.Q(outcome__in=Outcome.values), name="decisions_choice_outcome"
            ),
            models.CheckConstraint(
                condition=models.Q(source__in=Source.values), name="decisions_choice_source"
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="skipped")
                | models.Q(point__isnull=False, wording__isnull=False, chosen__len__gte=1),
                name="decisions_choice_observed_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="observed") | ~models.Q(reason=""),
                name="decisions_choice_skipped_why",
            ),
            models.CheckConstraint(
                condition=models.Q(followed=False) | models.Q(labelled=True), name="decisions_choice_followed"
            ),
            models.CheckConstraint(
                condition=models.Q(marked_by__in=Marker.values), name="decisions_choice_marked_by"
            ),
            models.CheckConstraint(
                condition=models.Q(marked="") | ~models.Q(marked_by=""), name="decisions_choice_marked"
            ),
        ]
        indexes = [
            # Recommend, and a point's page: what was observed there, the latest first. No other index starts with
            # the time: a planner without statistics would walk it through all choices (the nightly archive scans).
            models.Index(fields=["point", "at", "id"], name="decisions_choice_point"),
            # A person's log in order: backtest, export, preferences.
            models.Index(fields=["user", "at", "id"], name="decisions_choice_log"),
            # A late PreToolUse re-judges; a session's choices on its page.
            models.Index(fields=["session", "tool_use_id"], name="decisions_choice_session"),
            # Undo of a reset.
            models.Index(
                fields=["reset"], name="decisions_choice_reset", condition=models.Q(reset__isnull=False)
            ),
            # A split moves the choices of its wordings.
            models.Index(fields=["wording"], name="decisions_choice_wording"),
        ]
        triggers = TRIGGERS

    def __str__(self) -> str:
        return f"{self.outcome} {self.question[:60]}"
