"""Repairs: actions and a form that name a reason and go through the services (design section 7).

A repair never touches a row itself. The page before it shows what would change and carries the version of each row, so
that whoever was faster is not overruled; what the services refuse becomes a message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.actor import Operator
from core.admin.look import LookOnly
from core.errors import DomainError
from core.services.operators import MAX_REASON, operator_for
from core.services.repairs import Item, Repaired, item_of
from core.statuses import status_of

MOST = 200  # rows of one repair: as many as a person can look through


@dataclass(frozen=True)
class Act:
    """A repair that an action does: its name for the service, its button, and the choices it asks for, if any."""

    verb: str
    button: Any
    codes: Sequence[tuple[str, Any]] = ()
    label: Any = ""  # in the list of actions, where the button says too little


# Why something was refused, in the words of the pages.
REASONS = (
    ("", gettext_lazy("no reason")),
    ("wrong", gettext_lazy("wrong")),
    ("outdated", gettext_lazy("outdated")),
    ("private", gettext_lazy("private")),
    ("trivial", gettext_lazy("trivial")),
    ("duplicate", gettext_lazy("duplicate")),
)


class ReasonField(forms.CharField):
    """Why; the audit trail keeps it."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Reason"),
            max_length=MAX_REASON,
            help_text=gettext_lazy("Kept in the audit trail for ever: name no secrets and quote no texts."),
            widget=forms.TextInput(attrs={"class": "vTextField"}),
        )


class ActForm(forms.Form):
    """The reason of an action, and its choice where the service wants one."""

    reason = ReasonField()

    def __init__(self, data: Any, *, act: Act) -> None:
        super().__init__(data)
        if act.codes:
            optional = any(not code for code, _label in act.codes)
            self.fields["code"] = forms.ChoiceField(
                label=gettext_lazy("As"), choices=act.codes, required=not optional
            )


class EditForm(forms.Form):
    """What every form of a repair carries: the version that was seen, and the reason. Subclasses add the columns."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    reason = ReasonField()


def _action(act: Act) -> Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]:
    """The act as Django's list knows actions: by name, with a description and a permission."""

    @admin.action(description=format_lazy("{}…", act.label or act.button), permissions=["repair"])
    def run(self: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        answer: HttpResponse | None = self.act(request, rows, act)
        return answer

    run.__name__ = act.verb
    return run


class Acting(LookOnly):
    """A list with actions that go through a service; subclasses name the acts and the service.

    ``acts`` become the actions of the list, in their order. ``service`` takes ``operator, verb, items, now, code``.
    """

    acts: tuple[Act, ...] = ()
    act_related: tuple[str, ...] = ("namespace__owner",)  # what ``told`` reads
    service: Callable[..., Repaired]

    def __init__(self, model: type[Model], admin_site: AdminSite) -> None:
        super().__init__(model, admin_site)
        self.actions = [_action(each) for each in self.acts]

    def permission(self) -> str:
        return f"{self.opts.app_label}.change_{self.opts.model_name}"

    def has_repair_permission(self, request: HttpRequest) -> bool:
        """What Django asks for each action that names the permission ``repair``."""
        return bool(request.user.has_perm(self.permission()))

    def operator(self, request: HttpRequest, reason: str) -> Operator:
        user: Any = request.user
        return operator_for(user=user, permission=self.permission(), reason=reason)

    def told(self, row: Any) -> str:
        """One row in words, so that the operator sees what would change."""
        home = f"{row.namespace.owner}/{row.namespace}"
        return f"{row.content[:200]} — {row.get_kind_display()}, {home}, {row.get_status_display()}"

    def act(self, request: HttpRequest, rows: QuerySet[Any], act: Act) -> HttpResponse | None:
        """The page that asks why; the second time, with its answer, the repair itself."""
        chosen = list(rows.select_related(*self.act_related)[: MOST + 1])
        if len(chosen) > MOST:
            self.message_user(request, _("Choose at most %(n)s at once.") % {"n": MOST}, level=messages.ERROR)
            return None
        form = ActForm(request.POST if "apply" in request.POST else None, act=act)
        items = [item for raw in request.POST.getlist("item") if (item := item_of(raw))]
        if not (items and form.is_valid()):
            context = {
                **self.admin_site.each_context(request),
                "title": act.button,
                "opts": self.opts,
                "act": act,
                "form": form,
                "rows": [(row, self.told(row)) for row in chosen],
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/hikae/act.html", context)
        self._apply(request, act, form.cleaned_data, items)
        return None

    def _apply(self, request: HttpRequest, act: Act, typed: dict[str, Any], items: Sequence[Item]) -> None:
        try:
            operator = self.operator(request, typed["reason"])
            done = self.service(
                operator=operator, verb=act.verb, code=typed.get("code", ""), items=items, now=timezone.now()
            )
        except DomainError as error:
            self.message_user(request, error.message, level=messages.ERROR)
            return
        if done.done:
            text = ngettext("%(n)s row changed.", "%(n)s rows changed.", len(done.done))
            self.message_user(request, text % {"n": len(done.done)}, level=messages.SUCCESS)
        for pk, refused in done.refused.items():
            self.message_user(request, f"{pk}: {refused.message}", level=messages.ERROR)


class Repairable(Acting):
    """The same, and details with a form for text and place; subclasses call the edit service."""

    change_form_template = "admin/hikae/change_form.html"
    edit_form: type[EditForm] = EditForm

    def edit(self, *, operator: Operator, row: Any, typed: dict[str, Any], now: datetime) -> None:
        """Call the edit service with what the form holds."""
        raise NotImplementedError

    def initial(self, row: Any) -> dict[str, Any]:
        """What the form shows at first."""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_repair"
        view = self.admin_site.admin_view(self.repair_view)
        return [path("<path:object_id>/repair/", view, name=name), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        label = f"admin:{self.opts.app_label}_{self.opts.model_name}_repair"
        offered = reverse(label, args=[object_id]) if self.has_repair_permission(request) else ""
        extra = {**(extra_context or {}), "repair_url": offered}
        return super().change_view(request, object_id, form_url, extra)

    def repair_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Text and place of one row, with a reason. A refusal keeps what was typed."""
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined,no-any-return]
        if not self.has_repair_permission(request):
            raise PermissionDenied
        form = self.edit_form(request.POST if request.method == "POST" else None, initial=self.initial(row))
        status = 200 if request.method != "POST" else 422
        if request.method == "POST" and form.is_valid():
            try:
                operator = self.operator(request, form.cleaned_data["reason"])
                self.edit(operator=operator, row=row, typed=form.cleaned_data, now=timezone.now())
            except DomainError as error:
                status = status_of(error)
                self.message_user(request, error.message, level=messages.ERROR)
                # What was typed stays; the version moves on, so that saving again is possible once it was read.
                row.refresh_from_db()
                form.data = {**request.POST.dict(), "version": str(row.version)}
            else:
                self.message_user(request, _("Changed, and kept in the history."), messages.SUCCESS)
                label = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
                return HttpResponseRedirect(reverse(label, args=[row.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Repair"),
            "opts": self.opts,
            "media": self.media + form.media,
            "form": form,
            "original": row,
            "refused": status != 200,
        }
        return TemplateResponse(request, "admin/hikae/repair.html", context, status=status)
