"""The acts behind undo, to look at."""

from __future__ import annotations

from django.contrib import admin

from core.admin import LookOnly
from review.forms.sign_in import AdminSignInForm
from review.models import Act

admin.site.login_form = AdminSignInForm


@admin.register(Act)
class ActAdmin(LookOnly):
    list_display = ("at", "user", "verb", "undone_at")
    list_filter = ("verb",)
    date_hierarchy = "at"
