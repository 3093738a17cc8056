"""The admin site is for looking: changes go through the services, which audit them (design section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from core.models import AgentKey, AuditEvent, Fingerprint, Membership, Namespace, SignInLink

if TYPE_CHECKING:  # the stubs' classes are generic, Django's are not
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, TabularInline = admin.ModelAdmin, admin.TabularInline


class LookOnly(ModelAdmin):
    """Lists and details without add, change or delete."""

    show_full_result_count = False  # counting millions of rows for a footer helps nobody

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class LookOnlyInline(TabularInline):
    """Rows of another table under a detail page."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class MembershipInline(LookOnlyInline):
    model = Membership


@admin.register(Namespace)
class NamespaceAdmin(LookOnly):
    list_display = ("__str__", "owner", "paused_at", "created_at")
    list_filter = ("type",)
    search_fields = ("name", "owner__username")
    list_select_related = ("owner",)
    inlines = (MembershipInline,)


@admin.register(Fingerprint)
class FingerprintAdmin(LookOnly):
    list_display = ("value", "namespace", "owner", "created_at")
    search_fields = ("value", "namespace__name")
    list_select_related = ("namespace", "owner")


@admin.register(AgentKey)
class AgentKeyAdmin(LookOnly):
    list_display = (
        "name",
        "prefix",
        "user",
        "scopes",
        "reach",
        "speaks_for_person",
        "last_used_at",
        "revoked_at",
    )
    list_filter = ("reach", "speaks_for_person")
    search_fields = ("name", "prefix", "user__username")
    list_select_related = ("user",)
    exclude = ("secret_hash",)


@admin.register(SignInLink)
class SignInLinkAdmin(LookOnly):
    list_display = ("user", "created_at", "expires_at", "used_at")
    list_select_related = ("user",)
    exclude = ("token_hash",)


@admin.register(AuditEvent)
class AuditEventAdmin(LookOnly):
    list_display = (
        "at",
        "verb",
        "actor_type",
        "actor_label",
        "object_type",
        "object_id",
        "from_state",
        "to_state",
    )
    list_filter = ("actor_type", "verb", "object_type")
    search_fields = ("object_id", "actor_label", "stream")
    date_hierarchy = "at"
