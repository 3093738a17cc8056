"""Conversations as stored: to find a session, a stuck scan, or what an agent was shown.

Texts of other people's conversations are not shown here: they belong to the person who held them.
"""

from __future__ import annotations

from django.contrib import admin

from core.admin import AllValues, LookOnly
from transcripts.models import AgentSession, Compaction, Exposure, Message, Replay, Turn, TurnPin


@admin.register(AgentSession)
class AgentSessionAdmin(LookOnly):
    list_display = ("key", "user", "client", "persona", "workspace", "started_at", "last_turn_at", "ended_at")
    list_filter = (("client", AllValues), "internal")
    search_fields = ("key", "user__username", "workspace__name")
    search_ids = ("pk", "persona_id", "workspace_id")
    date_hierarchy = "started_at"
    list_select_related = ("user", "persona", "workspace")


@admin.register(Turn, Compaction)
class ScanAdmin(LookOnly):
    list_display = (
        "key",
        "session",
        "scan_state",
        "attempts",
        "due_at",
        "lease_until",
        "received_at",
        "error",
    )
    list_filter = ("scan_state", "backlog")
    search_fields = ("key__exact", "session__key__exact")
    search_ids = ("session_id",)
    list_select_related = ("session",)


@admin.register(Message)
class MessageAdmin(LookOnly):
    list_display = ("id", "session", "role", "origin", "at", "scanned_at", "cut")
    list_filter = ("role", "origin")
    search_fields = ("session__key__exact",)
    search_ids = ("session_id",)
    list_select_related = ("session",)
    exclude = ("text", "digest")


@admin.register(Replay)
class ReplayAdmin(LookOnly):
    """Why a person's scans wait: late deliveries of a machine are coming in."""

    list_display = ("user", "machine", "since", "wait_until", "through")
    search_fields = ("user__username", "machine")
    list_select_related = ("user",)


@admin.register(Exposure)
class ExposureAdmin(LookOnly):
    list_display = ("at", "path", "record_type", "record_id", "version", "tokens", "session")
    list_filter = ("at",)
    search_fields = ("path__exact", "record_type__exact", "record_id__exact", "session__key__exact")
    search_ids = ("record_id", "session_id")
    list_select_related = ("session",)
    exclude = ("fingerprints",)


@admin.register(TurnPin)
class TurnPinAdmin(LookOnly):
    """What keeps a turn from being purged."""

    list_display = ("turn", "holder")
    search_fields = ("holder__startswith",)
    list_select_related = ("turn",)
