"""The acts behind undo, to look at."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly
from review.models import Act


@admin.register(Act)
class ActAdmin(LookOnly):
    list_display = ("at", "user", "verb", "label", "undone_at")
    list_filter = ("verb",)
    date_hierarchy = "at"
