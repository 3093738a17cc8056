"""The acts behind undo, and what people set for themselves, to look at."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly
from review.forms.sign_in import AdminSignInForm
from review.models import Act, DigestRun, PersonSettings, SavedFilter

admin.site.login_form = AdminSignInForm


@admin.register(Act)
class ActAdmin(LookOnly):
    list_display = ("at", "user", "verb", "undone_at")
    list_filter = ("verb", ("undone_at", admin.EmptyFieldListFilter))
    search_fields = ("user__username",)
    search_ids = ("pk",)
    list_select_related = ("user",)
    date_hierarchy = "at"


@admin.register(SavedFilter)
class SavedFilterAdmin(LookOnly):
    list_display = ("name", "user", "query", "position")
    search_fields = ("name", "user__username")
    list_select_related = ("user",)


@admin.register(PersonSettings)
class PersonSettingsAdmin(LookOnly):
    """Without the webhook's address: it may hold a secret of the person."""

    list_display = ("user", "language", "theme", "time_zone", "keys_off", "digest", "changed_at")
    list_filter = ("digest", "keys_off")
    search_fields = ("user__username",)
    list_select_related = ("user",)
    exclude = ("digest_webhook",)


@admin.register(DigestRun)
class DigestRunAdmin(LookOnly):
    list_display = ("created_at", "user", "period", "state", "attempts", "email_at", "webhook_at", "error")
    list_filter = ("state",)
    search_fields = ("user__username", "period")
    list_select_related = ("user",)
