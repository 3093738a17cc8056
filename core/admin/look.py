"""Lists and details to look at, with the history that we keep (design section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.ids import parse_id
from core.models import AuditEvent

if TYPE_CHECKING:  # the stubs' classes are generic, Django's are not
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    Pages = Paginator[Any]
else:
    ModelAdmin, TabularInline, Pages = admin.ModelAdmin, admin.TabularInline, Paginator

SHOWN = 100  # rows of each history


class ShortCount(Pages):
    """Counts as far as anybody turns pages. Whoever looks for more narrows the list; the database need not count on."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        if not isinstance(rows, QuerySet):
            return len(rows)
        return rows.order_by()[: self.MOST].count()


@dataclass(frozen=True)
class Version:
    """One row that a history trigger wrote: when, by whom, why, and what the columns held from then on."""

    at: datetime
    by: str
    reason: str
    values: Sequence[tuple[str, Any]]


class LookOnly(ModelAdmin):
    """Lists and details without add, change or delete.

    ``versions`` names the relation to history rows, for models whose former contents are kept.
    """

    paginator = ShortCount
    show_full_result_count = False  # counting millions of rows for a footer helps nobody
    list_per_page = 50
    object_history_template = "admin/hikae/history.html"
    versions = ""
    search_ids: tuple[str, ...] = ()

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """An id finds by the columns in ``search_ids``, through their indexes; words find by ``search_fields``."""
        wanted = parse_id(search_term.strip())
        if wanted is None or not self.search_ids:
            return super().get_search_results(request, queryset, search_term)
        found = Q()
        for name in self.search_ids:
            found |= Q(**{name: str(wanted)})
        return queryset.filter(found), False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Our audit events and history rows: nothing is changed here in a way that Django's own log would see."""
        found = self.get_object(request, object_id)
        if found is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined,no-any-return]
        if not self.has_view_permission(request, found):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": _("History: %s") % found,
            "opts": self.opts,
            "object": found,
            "module_name": str(capfirst(self.opts.verbose_name_plural)),
            "events": events_of(found),
            "versions": versions_of(found, self.versions) if self.versions else [],
            **(extra_context or {}),
        }
        return TemplateResponse(request, self.object_history_template, context)


class AllValues(admin.AllValuesFieldListFilter):
    """A filter by every value that occurs. Django's offers the empty one as a link without a word."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for each in super().choices(changelist):
            yield {**each, "display": each["display"] or self.empty_value_display}


class LookOnlyInline(TabularInline):
    """Rows of another table under a detail page, as a plain table: Django's has columns without a name."""

    template = "admin/hikae/look_inline.html"
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


# The name under which a model is audited, where it is not the model's own.
AUDITED_AS = {"agentkey": "agent_key", "reviewpolicy": "review_policy"}


def events_of(found: Model) -> list[AuditEvent]:
    """What happened to a row, the latest first."""
    name = str(found._meta.model_name)
    rows = AuditEvent.objects.filter(object_type=AUDITED_AS.get(name, name), object_id=str(found.pk))
    return list(rows.order_by("-id")[:SHOWN])


def versions_of(found: Model, relation: str) -> list[Version]:
    """Its former contents and the present one, the latest first."""
    rows = getattr(found, relation).select_related("pgh_context").order_by("-pgh_id")[:SHOWN]
    return [_version(row) for row in rows]


def _version(row: Any) -> Version:
    said = row.pgh_context.metadata if row.pgh_context else {}
    values = []
    for field in row._meta.concrete_fields:
        if field.name.startswith("pgh_"):
            continue
        shown = getattr(row, f"get_{field.name}_display", None)
        values.append((str(field.verbose_name), shown() if shown else getattr(row, field.attname)))
    return Version(row.pgh_created_at, str(said.get("by", "")), str(said.get("reason", "")), values)
