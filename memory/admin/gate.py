"""Candidates and memories: looked at in lists, repaired through the services that members use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import ForeignKeyRawIdWidget
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.actor import Operator
from core.admin import LookOnlyInline
from core.admin.repair import REASONS, Act, EditForm, Repairable
from core.models import Namespace
from memory.forms import TextField
from memory.models import Candidate, Evidence, Kind, Memory, Sighting
from memory.services.memories import memory_edit
from memory.services.repairs import candidates_repair, memories_repair
from memory.services.rewriting import candidate_rewrite

APPROVE = Act("approve", _("Approve"))
REJECT = Act("reject", _("Reject"), REASONS)
ARCHIVE = Act("archive", _("Archive"))
REOPEN = Act("reopen", _("Reopen"), label=_("Reopen, or undo the decision"))
RETIRE = Act("retire", _("Retire"), (("outdated", _("no longer true")), ("wrong", _("was wrong"))))
RESTORE = Act("restore", _("Restore"))


class TextForm(EditForm):
    """Text, kind and namespace. The namespace is typed or looked up: a list of all of them helps nobody."""

    content = TextField()
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices)
    namespace = forms.ModelChoiceField(
        label=_("Namespace"),
        queryset=Namespace.objects.all(),
        widget=ForeignKeyRawIdWidget(Candidate._meta.get_field("namespace").remote_field, admin.site),
    )
    field_order = ["content", "kind", "namespace", "reason", "version"]


class EvidenceInline(LookOnlyInline):
    model = Evidence
    fields = ("role", "origin", "quote", "start", "end", "at")


class SightingInline(LookOnlyInline):
    model = Sighting
    fields = ("session_key", "at")


class TextAdmin(Repairable):
    """What candidates and memories have in common: a text with a kind and a place, and a service that edits it."""

    edit_form = TextForm
    edit_service: Callable[..., object]
    list_select_related = ("namespace__owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        heavy = {"vector", "blocks"} & {field.name for field in self.opts.fields}
        return super().get_queryset(request).defer(*sorted(heavy))

    def initial(self, row: Candidate | Memory) -> dict[str, Any]:
        return {
            "content": row.content,
            "kind": row.kind,
            "namespace": row.namespace_id,
            "version": row.version,
        }

    def edit(
        self, *, operator: Operator, row: Candidate | Memory, typed: dict[str, Any], now: datetime
    ) -> None:
        self.edit_service(
            **{f"{self.opts.model_name}_id": row.pk},
            version=typed["version"],
            user=operator,
            content=typed["content"],
            kind=typed["kind"],
            namespace_id=typed["namespace"].pk,
            now=now,
        )


@admin.register(Candidate)
class CandidateAdmin(TextAdmin):
    list_display = (
        "__str__",
        "kind",
        "namespace",
        "namespace__owner",
        "status",
        "source",
        "trust",
        "times_seen",
        "touched_at",
    )
    list_filter = ("status", "kind", "source", "trust", "namespace__type")
    search_fields = ("content", "namespace__name", "namespace__owner__username")
    search_ids = ("pk", "namespace_id", "memory_id", "session_id")
    date_hierarchy = "first_seen_at"
    inlines = (EvidenceInline, SightingInline)
    exclude = ("vector", "blocks", "normal_hash", "space", "idempotency_key", "merge_trail")
    acts = (APPROVE, REJECT, ARCHIVE, REOPEN)
    service = staticmethod(candidates_repair)
    edit_service = staticmethod(candidate_rewrite)


@admin.register(Memory)
class MemoryAdmin(TextAdmin):
    list_display = (
        "__str__",
        "kind",
        "namespace",
        "namespace__owner",
        "status",
        "trust",
        "actor",
        "valid_from",
        "valid_to",
    )
    list_filter = ("status", "kind", "actor", "trust", "namespace__type")
    search_fields = ("content", "external_id", "namespace__name", "namespace__owner__username")
    search_ids = ("pk", "namespace_id", "superseded_by_id")
    date_hierarchy = "approved_at"
    exclude = ("blocks", "normal_hash")
    versions = "history"
    acts = (RETIRE, RESTORE)
    service = staticmethod(memories_repair)
    edit_service = staticmethod(memory_edit)
