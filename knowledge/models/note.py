"""Reusable know-how, and the summary of a namespace (design section 6)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pghistory
import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.models import Namespace
from core.models.housed import HousedQuerySet
from knowledge.notes import fields, slugs


class NoteStatus(models.TextChoices):
    ACTIVE = "active", _("active")
    REPLACED = "replaced", _("replaced")
    RETIRED = "retired", _("retired")


class KnowledgeQuerySet(HousedQuerySet["Knowledge"]):
    def active(self) -> KnowledgeQuerySet:
        return self.filter(status="active")

    def resident(self) -> KnowledgeQuerySet:
        """Those whose description every session starts with."""
        return self.filter(status="active", model_invocation=True)


@pghistory.track(
    pghistory.InsertEvent(),
    pghistory.UpdateEvent(
        condition=pghistory.AnyChange(
            "title",
            "slug",
            "description",
            "body",
            "model_invocation",
            "user_invocable",
            "status",
            "replaced_by_id",
        )
    ),
    obj_field=pghistory.ObjForeignKey(related_name="history", on_delete=models.CASCADE, db_constraint=False),
    context_field=pghistory.ContextForeignKey(null=True),
    model_name="KnowledgeHistory",
    fields=[
        "title",
        "slug",
        "description",
        "body",
        "model_invocation",
        "user_invocable",
        "status",
        "version",
        "replaced_by",
        "changed_by",
    ],
)
class Knowledge(models.Model):
    """States::

        (proposal) ──accept──> active ──replaced by another──> replaced ──restore──> active
                               active ──retire──────────────> retired  ──restore──> active
        active | replaced | retired ──delete──> gone

    What is only proposed is a Proposal of kind ``create``, not a row here. ``model_invocation``: the description is put
    before every session; only a person turns it on. ``user_invocable``: ``#slug`` brings the body. ``last_sources``
    lists ``{"type", "id"}`` of what the text was made from, with ``version`` and ``sha256`` of a memory's text where
    the night shift put it there as a line. ``actor`` says who let it in: ``person`` or ``policy``.
    """

    ACTORS = [("person", _("a person")), ("policy", _("draft policy"))]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, related_name="knowledge", db_index=False
    )
    slug = models.CharField(_("slug"), max_length=slugs.MAX_LENGTH)
    title = models.CharField(_("title"), max_length=fields.MAX_TITLE)
    description = models.CharField(_("description"), max_length=fields.MAX_DESCRIPTION)
    body = models.TextField(_("text"))
    language = models.CharField(max_length=3)
    model_invocation = models.BooleanField(_("before every session"), default=False)
    user_invocable = models.BooleanField(_("can be called"), default=True)
    status = models.CharField(_("status"), max_length=8, choices=NoteStatus.choices, default="active")
    replaced_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="replaces"
    )
    last_sources = models.JSONField(default=list, blank=True)
    actor = models.CharField(max_length=6, choices=ACTORS, default="person")
    version = models.PositiveIntegerField(default=1)
    changed_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(_("created"))
    changed_at = models.DateTimeField(_("changed"))

    objects = KnowledgeQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID
        replaced_by_id: uuid.UUID | None

    class Meta:
        verbose_name = _("Knowledge note")
        verbose_name_plural = _("Knowledge")
        constraints = [
            # Serves `#slug`, GET knowledge/{slug}/ and the list of a namespace too.
            models.UniqueConstraint(fields=["namespace", "slug"], name="knowledge_slug"),
            models.CheckConstraint(
                condition=models.Q(slug__regex=slugs.PATTERN) & models.Q(slug__regex="[a-z]"),
                name="knowledge_slug_form",
            ),
            models.CheckConstraint(condition=models.Q(status__in=NoteStatus.values), name="knowledge_status"),
            models.CheckConstraint(
                condition=(
                    models.Q(status="replaced", replaced_by__isnull=False)
                    | (~models.Q(status="replaced") & models.Q(replaced_by=None))
                ),
                name="knowledge_replaced",
            ),
            models.CheckConstraint(
                condition=~models.Q(replaced_by=models.F("id")), name="knowledge_not_by_itself"
            ),
            # Residency is for what lives.
            models.CheckConstraint(
                condition=models.Q(status="active") | models.Q(model_invocation=False),
                name="knowledge_resident",
            ),
        ]
        triggers = [
            # The services cannot close a circle (only active notes are replaced, by active ones); data fixes could,
            # and whoever follows the chain would never arrive.
            pgtrigger.Trigger(
                name="no_circle",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("replaced_by_id"),  # type: ignore[no-untyped-call]
                condition=pgtrigger.Q(new__replaced_by__isnull=False),
                func=(
                    "IF EXISTS (WITH RECURSIVE chain (id) AS (SELECT NEW.replaced_by_id"
                    " UNION SELECT k.replaced_by_id FROM knowledge_knowledge k JOIN chain ON k.id = chain.id"
                    " WHERE k.replaced_by_id IS NOT NULL)"
                    " SELECT 1 FROM chain WHERE id = NEW.id)"
                    " THEN RAISE EXCEPTION 'knowledge_no_circle: notes cannot replace each other in a circle'"
                    " USING ERRCODE = 'check_violation'; END IF; RETURN NEW;"
                ),
            )
        ]

    def __str__(self) -> str:
        return self.slug


class SummaryQuerySet(HousedQuerySet["Summary"]):
    pass


@pghistory.track(
    pghistory.InsertEvent(),
    pghistory.UpdateEvent(condition=pghistory.AnyChange("body")),
    obj_field=pghistory.ObjForeignKey(related_name="history", on_delete=models.CASCADE, db_constraint=False),
    context_field=pghistory.ContextForeignKey(null=True),
    model_name="SummaryHistory",
    fields=["body", "version", "changed_by"],
)
class Summary(models.Model):
    """What every session of a namespace starts with. No row: there is none yet; an emptied one says nothing.

    ``lines`` lists ``{"type", "id", "version", "sha256"}``: memories whose words stand there as a line of their own, so
    that the night shift knows its own lines from a person's and a deleted memory takes its line along.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.OneToOneField(Namespace, on_delete=models.CASCADE, related_name="summary")
    body = models.TextField(_("text"), blank=True)
    lines = models.JSONField(default=list, blank=True, editable=False)
    version = models.PositiveIntegerField(default=1)
    changed_by = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField(_("changed"))

    objects = SummaryQuerySet.as_manager()

    if TYPE_CHECKING:
        namespace_id: uuid.UUID

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")

    def __str__(self) -> str:
        return str(self.namespace)
