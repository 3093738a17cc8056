"""Notes, summaries and proposals, to look at: people change and decide them on their pages."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly
from knowledge.models import Knowledge, KnowledgeUse, Proposal, Summary


@admin.register(Proposal)
class ProposalAdmin(LookOnly):
    list_display = ("kind", "namespace", "namespace__owner", "state", "filed_by", "created_at", "decided_by")
    list_filter = ("state", "kind", "namespace__type")
    search_fields = ("reason", "filed_by", "namespace__name")
    search_ids = ("pk", "namespace_id", "batch", "report_id")
    list_select_related = ("namespace__owner", "decided_by")
    date_hierarchy = "created_at"
    ordering = ("-id",)


@admin.register(Knowledge)
class KnowledgeAdmin(LookOnly):
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


@admin.register(Summary)
class SummaryAdmin(LookOnly):
    list_display = ("namespace", "namespace__owner", "version", "changed_at", "changed_by")
    search_fields = ("namespace__name",)
    search_ids = ("namespace_id",)
    list_select_related = ("namespace__owner",)
    versions = "history"


@admin.register(KnowledgeUse)
class KnowledgeUseAdmin(LookOnly):
    list_display = ("at", "knowledge", "namespace", "user", "path", "version", "tokens")
    list_filter = ("path", "at")
    search_fields = ("knowledge__slug", "user__username")
    search_ids = ("knowledge_id", "session_id")
    list_select_related = ("knowledge", "namespace", "user")
