"""What the night shift, or an agent's report, would like to change; a person decides (design section 2)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from core.models.housed import HousedQuerySet
from memory.models import Memory, MemoryReport


class ProposalKind(models.TextChoices):
    MERGE = "merge", _("merge duplicates")
    SUPERSEDE = "supersede", _("replace by what is true now")
    RETIRE = "retire", _("retire")
    CREATE = "create", _("new Knowledge")
    UPDATE = "update", _("change Knowledge")
    SUMMARY = "summary", _("new summary")
    REPORT = "report", _("reported by an agent")


class ProposalState(models.TextChoices):
    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")


def is_waiting() -> models.Q:
    """Open, and about memories that still have a text."""
    erased = Memory.objects.filter(proposals=models.OuterRef("pk"), status="deleted")
    return models.Q(state="open") & ~models.Q(models.Exists(erased))


class ProposalQuerySet(HousedQuerySet["Proposal"]):
    def waiting(self) -> ProposalQuerySet:
        return self.filter(is_waiting())


class Proposal(models.Model):
    """States::

        open ──accept──> accepted        accepted | refused ──undo──> open
        open ──refuse──> refused         open ──withdrawn by who filed it, or its memories went──> withdrawn

    ``payload`` says what would change (shapes: ``knowledge.payloads``), by id and version, with new text alone.
    ``outcome`` is what accepting did, for undo. ``sources`` lists ``{"type", "id", "version"}``. ``fingerprint`` makes
    filing idempotent: what a person refused is not filed again. ``batch`` joins the proposals of one night.
    ``memories`` are those that it is about: when one is deleted, ``payload`` and ``reason`` lose their texts.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="proposals")
    kind = models.CharField(_("kind"), max_length=9, choices=ProposalKind.choices)
    state = models.CharField(_("state"), max_length=9, choices=ProposalState.choices, default="open")
    version = models.PositiveIntegerField(default=1)
    payload = models.JSONField(default=dict)
    outcome = models.JSONField(default=list, editable=False)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    confidence = models.FloatField(_("confidence"), default=0.5)
    sources = models.JSONField(default=list)
    memories = models.ManyToManyField(Memory, related_name="proposals", blank=True)
    report = models.OneToOneField(
        MemoryReport, on_delete=models.CASCADE, null=True, blank=True, related_name="proposal"
    )
    fingerprint = models.CharField(max_length=64)
    batch = models.UUIDField(null=True, blank=True)
    filed_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(_("filed"))
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decision_reason = models.CharField(max_length=20, blank=True)

    objects = ProposalQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        report_id: uuid.UUID | None
        decided_by_id: int | None

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=ProposalKind.values), name="knowledge_proposal_kind"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=ProposalState.values), name="knowledge_proposal_state"
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0, confidence__lte=1), name="knowledge_proposal_confidence"
            ),
            models.UniqueConstraint(
                fields=["namespace", "fingerprint"],
                condition=~models.Q(state="withdrawn"),
                name="knowledge_proposal_once",
            ),
        ]
        indexes = [
            # The queue: what waits in a namespace, the oldest first.
            models.Index(
                fields=["namespace", "created_at", "id"],
                name="knowledge_proposal_queue",
                condition=models.Q(state="open"),
            ),
            # History: what was decided, the latest first.
            models.Index(
                fields=["namespace", "-decided_at"],
                name="knowledge_proposal_history",
                condition=models.Q(decided_at__isnull=False),
            ),
            # Undo of a night.
            models.Index(
                fields=["batch"], name="knowledge_proposal_batch", condition=models.Q(batch__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
