"""The admin: to look at everything, and to repair data through the services, which audit it (design section 7)."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from core.admin import people
from core.admin.look import AllValues, LookOnly, LookOnlyInline
from core.models import AgentKey, AuditEvent, Fingerprint, Membership, Namespace, NamespaceAlias, SignInLink

__all__ = ["AllValues", "LookOnly", "LookOnlyInline", "people"]

admin.site.site_header = admin.site.site_title = _("Hikae administration")


class MembershipInline(LookOnlyInline):
    model = Membership


class AliasInline(LookOnlyInline):
    model = NamespaceAlias
    fields = ("type", "name", "owner", "created_at")


@admin.register(Namespace)
class NamespaceAdmin(LookOnly):
    list_display = ("__str__", "owner", "paused_at", "created_at")
    list_filter = ("type", ("paused_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "owner__username", "aliases__name")
    search_ids = ("pk",)
    list_select_related = ("owner",)
    date_hierarchy = "created_at"
    inlines = (MembershipInline, AliasInline)


@admin.register(Membership)
class MembershipAdmin(LookOnly):
    list_display = ("user", "namespace", "namespace__owner", "role", "created_at")
    list_filter = ("role",)
    search_fields = ("user__username", "namespace__name")
    search_ids = ("namespace_id",)
    list_select_related = ("user", "namespace__owner")


@admin.register(NamespaceAlias)
class NamespaceAliasAdmin(LookOnly):
    list_display = ("__str__", "owner", "namespace", "created_at")
    list_filter = ("type",)
    search_fields = ("name", "owner__username", "namespace__name")
    search_ids = ("namespace_id",)
    list_select_related = ("owner", "namespace")


@admin.register(Fingerprint)
class FingerprintAdmin(LookOnly):
    list_display = ("value", "namespace", "owner", "created_at")
    search_fields = ("value", "namespace__name", "owner__username")
    search_ids = ("namespace_id",)
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
    list_filter = ("reach", "speaks_for_person", ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "prefix", "user__username")
    search_ids = ("pk",)
    list_select_related = ("user",)
    exclude = ("secret_hash",)


@admin.register(SignInLink)
class SignInLinkAdmin(LookOnly):
    list_display = ("user", "created_at", "expires_at", "used_at")
    search_fields = ("user__username",)
    list_select_related = ("user",)
    exclude = ("token_hash",)


@admin.register(AuditEvent)
class AuditEventAdmin(LookOnly):
    """Read-only for everybody, and in the database too. No list of verbs: finding all of them reads the whole table."""

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
    list_filter = ("actor_type", "at")
    search_fields = ("verb__startswith", "actor_label", "stream__exact", "object_id__exact")
    search_ids = ("object_id", "group")
