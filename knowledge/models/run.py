"""One night of one namespace: what was looked at, what was proposed, and why not more (design section 6)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from core.models.housed import HousedQuerySet


class RunState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    UNDONE = "undone", _("undone")


LIVE = ("waiting", "running")
COMPLETE = ("done", "undone")


class ConsolidationRunQuerySet(HousedQuerySet["ConsolidationRun"]):
    def live(self) -> ConsolidationRunQuerySet:
        return self.filter(state__in=LIVE)


class ConsolidationRun(models.Model):
    """States::

        waiting ──claim──> running ──every stage is through──> done
           ^                  │ a stage failed, or the lease ran out (attempts < MAX_ATTEMPTS)
           └──────────────────┘
        running ──the last attempt failed──> failed
        done | failed ──undo (a person)──> undone

    The row is the queue: one live row (waiting or running) a namespace, held by the database. Each stage is committed
    with its proposals and its line in ``stages``, so that a run that died goes on with the next stage.

    **Watermark.** A run looks at what changed after ``since_event`` and the run after it at what changed after
    ``until_event``: sequence numbers of the namespace's audit stream. Events of one stream are committed in the order
    of their numbers, so that a fact approved while the night runs is after the mark, however slow its transaction was.
    ``since_at`` and ``until_at`` are the same for what has no audit event; a reader allows for slow transactions.
    A failed run moves no mark. ``carried`` names, by stage, the memories that it has to look at again the next night.

    ``skipped`` counts by ``services.night.skips.Skip``. The proposals of a run carry its id as their ``batch``.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="nights", db_index=False)
    state = models.CharField(_("state"), max_length=7, choices=RunState.choices, default="waiting")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opened_at = models.DateTimeField(_("opened"))
    due_at = models.DateTimeField()
    started_at = models.DateTimeField(_("started"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    lease_until = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    since_event = models.BigIntegerField(default=0)
    until_event = models.BigIntegerField(default=0)
    since_at = models.DateTimeField(null=True)
    until_at = models.DateTimeField(null=True)
    carried = models.JSONField(default=dict)

    stages = models.JSONField(default=list)
    looked_at = models.PositiveIntegerField(_("looked at"), default=0)
    proposed = models.PositiveIntegerField(_("proposed"), default=0)
    skipped = models.JSONField(_("skipped"), default=dict)
    tokens = models.PositiveIntegerField(_("tokens"), default=0)
    seconds = models.FloatField(_("seconds"), default=0)
    used_model = models.BooleanField(_("with a model"), default=False)

    undone_at = models.DateTimeField(_("undone"), null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undo = models.JSONField(default=dict)

    objects = ConsolidationRunQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("night")
        verbose_name_plural = _("nights")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=RunState.values), name="knowledge_consolidationrun_state"
            ),
            models.UniqueConstraint(
                fields=["namespace"],
                condition=models.Q(state__in=LIVE),
                name="knowledge_consolidationrun_one_live",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(state="running", lease_token__isnull=False, lease_until__isnull=False)
                    | (~models.Q(state="running") & models.Q(lease_token=None, lease_until=None))
                ),
                name="knowledge_consolidationrun_lease",
            ),
        ]
        indexes = [
            # The page of nights, and the watermark of the night before.
            models.Index(fields=["namespace", "-opened_at"], name="knowledge_run_latest"),
            # What a worker may claim.
            models.Index(fields=["due_at"], name="knowledge_run_due", condition=models.Q(state__in=LIVE)),
        ]

    def __str__(self) -> str:
        return f"{self.namespace_id} {self.opened_at:%Y-%m-%d}"
