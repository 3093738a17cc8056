"""A proposal awaiting a person."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from core.ids import new_id
from core.models import AgentKey, Namespace
from core.models.housed import HousedQuerySet
from memory.models.kind import KINDS, Kind
from transcripts.models import AgentSession


class CandidateStatus(models.TextChoices):
    PENDING = "pending", _("pending")
    NEEDS_ATTENTION = "needs_attention", _("needs attention")
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    ARCHIVED = "archived", _("archived")


class Source(models.TextChoices):
    """The ways into the queue (design section 4). What an operator or a policy lets in past a person says so on the
    memory itself (``Memory.actor``).
    """

    REMEMBER = "remember", _("asked to remember")
    TURN = "turn", _("scan of a turn")
    COMPACTION = "compaction", _("scan before compaction")
    MANUAL = "manual", _("typed by hand")
    IMPORT = "import", _("import")
    CONSOLIDATION = "consolidation", _("night shift")


class TrustTier(models.TextChoices):
    """The weakest origin behind a candidate, best first (design section 2)."""

    HUMAN = "human", _("typed by a person")
    CONFIRMED = "confirmed", _("proposed by the agent, adopted by a person")
    AGENT = "agent", _("said by the agent")
    UNKNOWN = "unknown", _("origin unknown")
    TOOL = "tool", _("from tool output, a file or a web page")
    INJECTED = "injected", _("injected text")


class CandidateQuerySet(HousedQuerySet["Candidate"]):
    def open(self) -> CandidateQuerySet:
        """Waiting for a person."""
        return self.filter(status__in=["pending", "needs_attention"])

    def awake(self, now: datetime) -> CandidateQuerySet:
        """Without those that somebody set aside for later."""
        return self.filter(models.Q(set_aside_until=None) | models.Q(set_aside_until__lte=now))


class Candidate(models.Model):
    """States (design section 4)::

        pending ──approve──> approved          approved ──undo──> pending
        pending ──reject───> rejected          rejected ──undo──> pending
        pending ──30 days──> archived          archived ──reopen, or a new sighting──> pending
        pending ──failed promotion──> needs_attention ──> pending (edit) | approved (tried again) | rejected

    ``content`` is what a person would approve, after edits; ``original`` is what was proposed. ``version``
    counts changes: a decision names the version it saw. ``touched_at`` starts the 30-day clock (an edit or
    new independent evidence moves it, opening does not). ``flags`` holds: ``imperative``, ``url``,
    ``was_true_before``, ``conflicts``, ``duplicate_of_rejected``. ``idempotency_key`` is unique per agent key.
    A duplicate that a person merged is rejected with ``merged_into``, the candidate that holds its evidence now, and
    ``merge_trail``: ids of its own moved rows and the target's clock before, for undo. It goes when its target goes.
    ``blocks`` are hashes of rare words, ``vector`` the meaning in the embedding space ``space``: both serve dedupe.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, related_name="candidates", db_index=False
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    content = models.TextField(_("text"))
    original = models.TextField(editable=False)
    language = models.CharField(max_length=3)
    confidence = models.FloatField(_("confidence"))
    source = models.CharField(_("source"), max_length=13, choices=Source.choices)
    trust = models.CharField(_("trust"), max_length=9, choices=TrustTier.choices)
    why = models.CharField(max_length=300, blank=True)
    extractor = models.CharField(max_length=60, blank=True)
    flags = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    status = models.CharField(_("status"), max_length=15, choices=CandidateStatus.choices, default="pending")
    version = models.PositiveIntegerField(default=1)
    normal_hash = models.CharField(max_length=64)
    blocks = ArrayField(models.BigIntegerField(), default=list, editable=False)
    space = models.CharField(max_length=80, blank=True, editable=False)
    vector = VectorField(null=True, editable=False)
    times_seen = models.PositiveIntegerField(_("times seen"), default=1)
    suppressed = models.PositiveIntegerField(default=0)
    session = models.ForeignKey(AgentSession, on_delete=models.SET_NULL, null=True, related_name="candidates")
    agent_key = models.ForeignKey(AgentKey, on_delete=models.SET_NULL, null=True, related_name="+")
    idempotency_key = models.CharField(max_length=200, blank=True)
    memory = models.ForeignKey(
        "memory.Memory", on_delete=models.SET_NULL, null=True, related_name="candidates"
    )
    conflicts_with = models.ForeignKey(
        "memory.Memory", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    merged_into = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="merged")
    merge_trail = models.JSONField(default=dict, editable=False)
    first_seen_at = models.DateTimeField(_("first seen"))
    last_seen_at = models.DateTimeField(_("last seen"))
    touched_at = models.DateTimeField()
    set_aside_until = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    decision_reason = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)

    objects = CandidateQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        session_id: uuid.UUID | None
        memory_id: uuid.UUID | None
        conflicts_with_id: uuid.UUID | None
        merged_into_id: uuid.UUID | None
        decided_by_id: int | None

    class Meta:
        verbose_name = _("candidate")
        verbose_name_plural = _("candidates")
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="memory_candidate_kind"),
            models.CheckConstraint(
                condition=models.Q(status__in=CandidateStatus.values), name="memory_candidate_status"
            ),
            models.CheckConstraint(
                condition=models.Q(source__in=Source.values), name="memory_candidate_source"
            ),
            models.CheckConstraint(
                condition=models.Q(trust__in=TrustTier.values), name="memory_candidate_trust"
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0, confidence__lte=1), name="memory_candidate_confidence"
            ),
            models.CheckConstraint(condition=~models.Q(content=""), name="memory_candidate_content"),
            # The same words wait once in a namespace; decided ones leave room for a later one. Typed ones may repeat.
            models.UniqueConstraint(
                fields=["namespace", "kind", "normal_hash"],
                condition=models.Q(status__in=["pending", "needs_attention"]) & ~models.Q(source="manual"),
                name="memory_candidate_live_once",
            ),
            models.UniqueConstraint(
                fields=["agent_key", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="memory_candidate_idempotency",
            ),
        ]
        indexes = [
            # The review queue: open candidates of a namespace, those that expire first on top.
            models.Index(
                fields=["namespace", "touched_at", "id"],
                name="memory_candidate_queue",
                condition=models.Q(status__in=["pending", "needs_attention"]),
            ),
            # Archiving looks for the oldest pending ones over all namespaces.
            models.Index(
                fields=["touched_at"], name="memory_candidate_age", condition=models.Q(status="pending")
            ),
            # Dedupe: which texts of this namespace and kind share rare words (memory.services.blocks)?
            GinIndex(fields=["blocks"], name="memory_candidate_blocks"),
            # Dedupe by exact normal form, whatever the state.
            models.Index(fields=["namespace", "kind", "normal_hash"], name="memory_candidate_hash"),
            # History: what was decided, the latest first.
            models.Index(
                fields=["namespace", "-decided_at"],
                name="memory_candidate_history",
                condition=models.Q(decided_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.content[:80]
