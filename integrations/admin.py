"""What hooks left, to look at."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly
from integrations.models import HookEvent, HookSession, HookSettings


@admin.register(HookEvent)
class HookEventAdmin(LookOnly):
    """The ledger: which event came when, and why nothing was done with it."""

    list_display = ("received_at", "user", "name", "session_key", "late", "done_at", "note", "plugin")
    list_filter = ("name", "late", ("done_at", admin.EmptyFieldListFilter))
    search_fields = ("session_key", "event_id", "user__username")
    list_select_related = ("user",)
    date_hierarchy = "received_at"


@admin.register(HookSession)
class HookSessionAdmin(LookOnly):
    list_display = ("session", "window_since")
    list_select_related = ("session",)


@admin.register(HookSettings)
class HookSettingsAdmin(LookOnly):
    list_display = ("user", "resident", "recall", "recommend", "announce", "waiting", "changed_at")
    list_select_related = ("user",)
