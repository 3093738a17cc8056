"""The gate's tables, to look at: deciding, editing and deleting happen on the pages, through the services."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly, LookOnlyInline
from memory.models import (
    Candidate,
    Evidence,
    Extraction,
    Memory,
    MemoryIndex,
    PromptChange,
    PromptOverride,
    Request,
    ReviewPolicy,
    Sighting,
    TokenMeter,
    Tombstone,
    WorkerHeartbeat,
)


class EvidenceInline(LookOnlyInline):
    model = Evidence
    fields = ("role", "origin", "quote", "start", "end", "at")


class SightingInline(LookOnlyInline):
    model = Sighting
    fields = ("session_key", "at")


@admin.register(Candidate)
class CandidateAdmin(LookOnly):
    list_display = ("__str__", "kind", "namespace", "status", "source", "trust", "times_seen", "touched_at")
    list_filter = ("status", "kind", "source", "trust")
    search_fields = ("content", "namespace__name")
    list_select_related = ("namespace",)
    inlines = (EvidenceInline, SightingInline)
    exclude = ("vector", "blocks", "normal_hash")


@admin.register(Memory)
class MemoryAdmin(LookOnly):
    list_display = ("__str__", "kind", "namespace", "status", "trust", "actor", "valid_from", "valid_to")
    list_filter = ("status", "kind", "actor", "trust")
    search_fields = ("content", "external_id", "namespace__name")
    list_select_related = ("namespace",)
    exclude = ("blocks", "normal_hash")


@admin.register(Tombstone)
class TombstoneAdmin(LookOnly):
    list_display = ("reason", "kind", "namespace", "hits", "created_at", "lifted_at")
    list_filter = ("reason", "kind")
    list_select_related = ("namespace",)
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
    list_filter = ("outcome", "extractor", "fell_back")
    search_fields = ("session__key",)
    list_select_related = ("session",)


@admin.register(Request)
class RequestAdmin(LookOnly):
    list_display = ("at", "namespace", "intent", "target", "summary")
    search_fields = ("summary", "target")
    list_select_related = ("namespace",)


@admin.register(ReviewPolicy, PromptOverride, PromptChange)
class SettingAdmin(LookOnly):
    list_display = ("__str__", "namespace", "changed_at", "changed_by")
    list_select_related = ("namespace", "changed_by")


@admin.register(MemoryIndex, TokenMeter, WorkerHeartbeat)
class MachineAdmin(LookOnly):
    """Rows that machines keep; useful when something is late."""
