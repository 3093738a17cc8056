"""The gate's tables: candidates and memories can be repaired, everything else is to look at."""

from __future__ import annotations

from django.contrib import admin

from core.admin import AllValues, LookOnly
from memory.admin.gate import CandidateAdmin, MemoryAdmin
from memory.models import (
    CommonTerm,
    Evidence,
    Extraction,
    MemoryIndex,
    MemoryReport,
    MemoryTerm,
    MemoryVector,
    PromptChange,
    PromptOverride,
    Request,
    ReviewPolicy,
    Sighting,
    TokenMeter,
    Tombstone,
    WorkerHeartbeat,
)

__all__ = ["CandidateAdmin", "MemoryAdmin"]


@admin.register(Evidence)
class EvidenceAdmin(LookOnly):
    """Read-only for everybody: a quote that could be edited would prove nothing."""

    list_display = ("__str__", "role", "origin", "candidate", "session", "at")
    list_filter = ("role",)
    search_fields = ("quote", "session__key")
    search_ids = ("candidate_id", "session_id")
    list_select_related = ("candidate", "session")


@admin.register(Sighting)
class SightingAdmin(LookOnly):
    list_display = ("session_key", "candidate", "at")
    search_fields = ("session_key",)
    search_ids = ("candidate_id", "session_id")
    list_select_related = ("candidate",)


@admin.register(MemoryReport)
class MemoryReportAdmin(LookOnly):
    list_display = ("__str__", "memory", "agent_key", "state", "created_at", "done_at")
    list_filter = ("state",)
    search_fields = ("reason",)
    search_ids = ("pk", "memory_id")
    list_select_related = ("memory", "agent_key")
    date_hierarchy = "created_at"


@admin.register(Tombstone)
class TombstoneAdmin(LookOnly):
    list_display = ("reason", "kind", "namespace", "hits", "created_at", "lifted_at")
    list_filter = ("reason", "kind", ("lifted_at", admin.EmptyFieldListFilter))
    search_fields = ("text", "namespace__name")
    search_ids = ("pk", "candidate_id", "memory_id")
    list_select_related = ("namespace",)
    date_hierarchy = "created_at"
    exclude = ("vector", "blocks", "hashes")


@admin.register(Extraction)
class ExtractionAdmin(LookOnly):
    list_display = (
        "started_at",
        "session",
        "extractor",
        "outcome",
        "proposed",
        "created",
        "sighted",
        "dropped",
        "seconds",
    )
    list_filter = ("outcome", ("fell_back", AllValues))
    search_fields = ("session__key", "extractor")
    search_ids = ("session_id",)
    list_select_related = ("session",)


@admin.register(Request)
class RequestAdmin(LookOnly):
    list_display = ("at", "namespace", "intent", "target", "summary")
    search_fields = ("summary", "target", "namespace__name")
    list_select_related = ("namespace",)


@admin.register(ReviewPolicy)
class ReviewPolicyAdmin(LookOnly):
    list_display = ("namespace", "enabled", "enabled_at", "disabled_at", "disabled_reason", "changed_by")
    list_filter = ("enabled", "disabled_reason")
    search_fields = ("namespace__name",)
    list_select_related = ("namespace", "changed_by")
    versions = "events"


@admin.register(PromptOverride, PromptChange)
class PromptAdmin(LookOnly):
    list_display = ("prompt", "namespace", "based_on", "changed_at", "changed_by")
    search_fields = ("prompt", "namespace__name")
    list_select_related = ("namespace", "changed_by")


@admin.register(MemoryIndex)
class MemoryIndexAdmin(LookOnly):
    """What waits for its vector has an empty space."""

    list_display = ("memory", "namespace", "version", "length", "vector_space")
    search_fields = ("namespace__name",)
    search_ids = ("memory_id", "namespace_id")
    list_select_related = ("memory", "namespace")


@admin.register(MemoryVector)
class MemoryVectorAdmin(LookOnly):
    list_display = ("memory_id", "namespace", "space", "version")
    search_fields = ("space",)
    search_ids = ("memory_id", "namespace_id")
    list_select_related = ("namespace",)
    exclude = ("vector",)


@admin.register(MemoryTerm)
class MemoryTermAdmin(LookOnly):
    """Millions of rows: looked up by their word or memory, never paged through."""

    list_display = ("term", "memory_id", "count", "length")
    search_fields = ("term__exact",)
    search_ids = ("memory_id",)


@admin.register(CommonTerm)
class CommonTermAdmin(LookOnly):
    """Of large namespaces alone; the empty term counts their memories."""

    list_display = ("namespace", "term", "count")
    search_fields = ("term__exact",)
    list_select_related = ("namespace",)


@admin.register(TokenMeter)
class TokenMeterAdmin(LookOnly):
    list_display = ("namespace", "day", "tokens", "calls", "refused")
    search_fields = ("namespace__name",)
    list_select_related = ("namespace",)
    date_hierarchy = "day"


@admin.register(WorkerHeartbeat)
class HeartbeatAdmin(LookOnly):
    """Useful when something is late."""
