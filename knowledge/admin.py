"""Notes, summaries and proposals: looked at in lists, repaired with a reason through the services members use."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from core.actor import Operator
from core.admin import LookOnly
from core.admin.repair import REASONS, Act, Acting, Repairable
from knowledge.forms import NoteRepairForm, SummaryRepairForm
from knowledge.models import (
    ConsolidationRun,
    DraftPolicy,
    Knowledge,
    KnowledgeUse,
    KnowledgeVector,
    Proposal,
    Summary,
)
from knowledge.notes.fields import Note
from knowledge.services.notes import knowledge_edit
from knowledge.services.repairs import notes_repair, proposals_repair
from knowledge.services.summaries import summary_write


@admin.register(Proposal)
class ProposalAdmin(Acting):
    list_display = ("kind", "namespace", "namespace__owner", "state", "filed_by", "created_at", "decided_by")
    list_filter = ("state", "kind", "namespace__type")
    search_fields = ("reason", "filed_by", "namespace__name")
    search_ids = ("pk", "namespace_id", "batch", "report_id")
    list_select_related = ("namespace__owner", "decided_by")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    acts = (
        Act("accept", _("Accept")),
        Act("refuse", _("Refuse"), REASONS),
        Act("reopen", _("Reopen"), label=_("Undo the decision")),
    )
    service = staticmethod(proposals_repair)

    def told(self, row: Proposal) -> str:
        home = f"{row.namespace.owner}/{row.namespace}"
        return f"{row.get_kind_display()}: {row.reason[:200]} — {home}, {row.get_state_display()}"


@admin.register(Knowledge)
class KnowledgeAdmin(Repairable):
    edit_form = NoteRepairForm
    acts = (Act("retire", _("Retire")), Act("restore", _("Restore")))
    service = staticmethod(notes_repair)
    list_display = (
        "slug",
        "namespace",
        "namespace__owner",
        "status",
        "model_invocation",
        "version",
        "changed_at",
    )
    list_filter = ("status", "model_invocation", "actor", "namespace__type")
    search_fields = ("slug", "title", "description", "namespace__name")
    search_ids = ("pk", "namespace_id")
    list_select_related = ("namespace__owner",)
    date_hierarchy = "created_at"
    versions = "history"

    def told(self, row: Knowledge) -> str:
        home = f"{row.namespace.owner}/{row.namespace}"
        return f"#{row.slug} {row.title} — {home}, {row.get_status_display()}"

    def initial(self, row: Knowledge) -> dict[str, Any]:
        names = ("title", "slug", "description", "body", "user_invocable", "version")
        return {name: getattr(row, name) for name in names}

    def edit(self, *, operator: Operator, row: Knowledge, typed: dict[str, Any], now: datetime) -> None:
        note = Note(
            title=typed["title"],
            slug=typed["slug"],
            description=typed["description"],
            body=typed["body"],
            model_invocation=row.model_invocation,
            user_invocable=typed["user_invocable"],
        )
        knowledge_edit(knowledge_id=row.pk, version=typed["version"], user=operator, note=note, now=now)


@admin.register(Summary)
class SummaryAdmin(Repairable):
    edit_form = SummaryRepairForm
    list_display = ("namespace", "namespace__owner", "version", "changed_at", "changed_by")
    search_fields = ("namespace__name",)
    search_ids = ("namespace_id",)
    list_select_related = ("namespace__owner",)
    versions = "history"

    def initial(self, row: Summary) -> dict[str, Any]:
        return {"body": row.body, "version": row.version}

    def edit(self, *, operator: Operator, row: Summary, typed: dict[str, Any], now: datetime) -> None:
        summary_write(
            namespace_id=row.namespace_id,
            version=typed["version"],
            user=operator,
            body=typed["body"],
            now=now,
        )


@admin.register(KnowledgeUse)
class KnowledgeUseAdmin(LookOnly):
    list_display = ("at", "knowledge", "namespace", "user", "path", "version", "tokens")
    list_filter = ("path", "at")
    search_fields = ("knowledge__slug", "user__username")
    search_ids = ("knowledge_id", "session_id")
    list_select_related = ("knowledge", "namespace", "user")


@admin.register(ConsolidationRun)
class ConsolidationRunAdmin(LookOnly):
    list_display = (
        "opened_at",
        "namespace",
        "namespace__owner",
        "state",
        "looked_at",
        "proposed",
        "ended_at",
        "error",
    )
    list_filter = ("state",)
    search_fields = ("namespace__name", "error")
    search_ids = ("pk", "namespace_id")
    list_select_related = ("namespace__owner",)
    date_hierarchy = "opened_at"


@admin.register(DraftPolicy)
class DraftPolicyAdmin(LookOnly):
    list_display = ("namespace", "namespace__owner", "enabled", "enabled_at", "disabled_at", "changed_by")
    list_filter = ("enabled",)
    search_fields = ("namespace__name",)
    list_select_related = ("namespace__owner", "changed_by")


@admin.register(KnowledgeVector)
class KnowledgeVectorAdmin(LookOnly):
    list_display = ("knowledge", "namespace", "space", "version")
    search_fields = ("space", "knowledge__slug")
    search_ids = ("knowledge_id", "namespace_id")
    list_select_related = ("knowledge", "namespace")
    exclude = ("vector",)
