"""An approved text that agents can recall."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pghistory
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from core.models.housed import HousedQuerySet
from memory.models.candidate import TrustTier
from memory.models.kind import KINDS, Kind


class MemoryStatus(models.TextChoices):
    ACTIVE = "active", _("active")
    SUPERSEDED = "superseded", _("was true")
    RETRACTED = "retracted", _("was wrong")
    DELETED = "deleted", _("deleted")


class MemoryQuerySet(HousedQuerySet["Memory"]):
    def active(self) -> MemoryQuerySet:
        return self.filter(status="active")


@pghistory.track(
    pghistory.InsertEvent(),
    pghistory.UpdateEvent(
        condition=pghistory.AnyChange(
            "content", "kind", "namespace_id", "status", "aliases", "superseded_by_id"
        )
    ),
    obj_field=pghistory.ObjForeignKey(related_name="history", on_delete=models.CASCADE, db_constraint=False),
    context_field=pghistory.ContextForeignKey(null=True),
    model_name="MemoryHistory",
    fields=["content", "kind", "namespace", "status", "version", "aliases", "superseded_by"],
)
class Memory(models.Model):
    """States (design section 4)::

        active ──superseded by a correction──> superseded (was true)   ──restore──> active
        active ──retire as wrong────────────> retracted (was wrong)    ──restore──> active
        active | superseded | retracted ──delete──> deleted (text and history erased, only the id remains)
        active ──undo of its approval──> deleted (reason "undone")

    ``valid_from`` is the time of the evidence, ``valid_to`` the successor's ``valid_from``. History rows are
    written by triggers, so that bulk updates, data fixes and raw SQL are seen too; they are erased with the text.
    ``actor`` says who let it in: ``person``, ``policy`` (auto-approve), ``operator`` (load) or ``import``.
    """

    ACTORS = [
        ("person", _("a person")),
        ("policy", _("auto-approve policy")),
        ("operator", _("operator's load")),
        ("import", _("reviewed import")),
    ]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, related_name="memories", db_index=False
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    content = models.TextField(_("text"), blank=True)
    language = models.CharField(max_length=3)
    aliases = ArrayField(
        models.CharField(max_length=100), default=list, blank=True, verbose_name=_("aliases")
    )
    status = models.CharField(_("status"), max_length=10, choices=MemoryStatus.choices, default="active")
    status_reason = models.CharField(max_length=20, blank=True)
    version = models.PositiveIntegerField(default=1)
    normal_hash = models.CharField(max_length=64, blank=True)
    blocks = ArrayField(models.BigIntegerField(), default=list, editable=False)
    trust = models.CharField(_("trust"), max_length=9, choices=TrustTier.choices)
    actor = models.CharField(max_length=8, choices=ACTORS, default="person")
    external_id = models.CharField(max_length=200, blank=True)
    valid_from = models.DateTimeField(_("valid from"))
    valid_to = models.DateTimeField(_("valid to"), null=True)
    superseded_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="supersedes")
    approved_at = models.DateTimeField(_("approved"))
    changed_at = models.DateTimeField()

    objects = MemoryQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        superseded_by_id: uuid.UUID | None

    class Meta:
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="memory_memory_kind"),
            models.CheckConstraint(
                condition=models.Q(status__in=MemoryStatus.values), name="memory_memory_status"
            ),
            models.CheckConstraint(
                condition=models.Q(trust__in=TrustTier.values), name="memory_memory_trust"
            ),
            # A deleted memory holds no text; every other one does.
            models.CheckConstraint(
                condition=(
                    models.Q(status="deleted", content="")
                    | (~models.Q(status="deleted") & ~models.Q(content=""))
                ),
                name="memory_memory_text",
            ),
            models.UniqueConstraint(
                fields=["namespace", "external_id"],
                condition=~models.Q(external_id=""),
                name="memory_memory_external",
            ),
        ]
        indexes = [
            # The Memories page and recall: living memories of a namespace, the latest first.
            models.Index(
                fields=["namespace", "-valid_from", "id"],
                name="memory_memory_living",
                condition=models.Q(status="active"),
            ),
            # Dedupe: which texts of this namespace and kind share rare words (memory.services.blocks)?
            GinIndex(fields=["blocks"], name="memory_memory_blocks"),
            # Dedupe by exact normal form against approved, superseded and retracted ones.
            models.Index(fields=["namespace", "kind", "normal_hash"], name="memory_memory_hash"),
        ]

    def __str__(self) -> str:
        return self.content[:80] or str(self.pk)
