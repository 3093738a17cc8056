"""What an owner sets for a namespace: the auto-approve policy and the prompts."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pghistory
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from memory.models.kind import Kind


def default_kinds() -> list[str]:
    """Kinds a policy may approve unless an owner says otherwise: not decisions, not postmortems."""
    return ["preference", "fact", "pattern", "event"]


@pghistory.track(model_name="ReviewPolicyHistory")
class ReviewPolicy(models.Model):
    """Auto-approve for one namespace, off unless ``enabled`` (design section 4).

    ``disabled_reason`` says why it is off: ``person`` (an owner), ``undone`` (too many of its acts were taken back) or
    ``merged`` (its namespace became part of another one, whose owner has not agreed).
    """

    OFF = [
        ("", _("never switched on")),
        ("person", _("an owner switched it off")),
        ("undone", _("too many of its approvals were undone")),
        ("merged", _("its namespace was merged into another")),
    ]

    namespace = models.OneToOneField(Namespace, on_delete=models.CASCADE, related_name="review_policy")
    enabled = models.BooleanField(default=False)
    enabled_at = models.DateTimeField(null=True)
    disabled_at = models.DateTimeField(null=True)
    disabled_reason = models.CharField(max_length=10, choices=OFF, blank=True)
    min_sessions = models.PositiveSmallIntegerField(default=3)
    min_confidence = models.FloatField(default=0.9)
    min_age_hours = models.PositiveSmallIntegerField(default=24)
    kinds = ArrayField(models.CharField(max_length=10, choices=Kind.choices), default=default_kinds)
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("review policy")
        verbose_name_plural = _("review policies")

    def __str__(self) -> str:
        return str(self.namespace)


class PromptOverride(models.Model):
    """A namespace's own wording of a bundled prompt file (design section 4)."""

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="prompt_overrides", db_index=False
    )
    prompt = models.CharField(max_length=60)
    based_on = models.CharField(max_length=20)
    text = models.TextField()
    changed_at = models.DateTimeField(auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        verbose_name = _("prompt override")
        verbose_name_plural = _("prompt overrides")
        constraints = [models.UniqueConstraint(fields=["namespace", "prompt"], name="memory_prompt_once")]

    def __str__(self) -> str:
        return f"{self.namespace} · {self.prompt}"


class PromptChange(models.Model):
    """What an owner made of a prompt, one row a change: the text as saved, empty for the return to the bundled one.

    The audit trail holds hashes alone; these rows hold the wording and go with their namespace.
    """

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="prompt_changes", db_index=False
    )
    prompt = models.CharField(max_length=60)
    based_on = models.CharField(max_length=20)
    text = models.TextField(blank=True)
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("prompt change")
        verbose_name_plural = _("prompt changes")
        ordering = ["-id"]
        indexes = [
            # The history on the prompt's page, the latest first.
            models.Index(fields=["namespace", "prompt", "-id"], name="memory_promptchange_history"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace} · {self.prompt} · {self.changed_at:%Y-%m-%d %H:%M}"
