"""Forms of the Choices pages: the filter in the address bar, and what corrections carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from decisions.models.point import CATEGORY_CHOICES
from review.forms.filters import namespace_choices
from review.selectors.choices import NOWHERE, ChoicesFilter


class ChoicesForm(forms.Form):
    """What cannot be understood is ignored, not punished."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Search questions and options")}),
    )
    workspace = forms.ChoiceField(required=False, label=_("Workspace"))
    category = forms.ChoiceField(
        required=False, label=_("Category"), choices=[("", _("All categories")), *CATEGORY_CHOICES]
    )
    state = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[
            ("", _("Any state")),
            ("static", _("still learning")),
            ("warm", _("partly known")),
            ("mature", _("well known")),
        ],
    )

    def __init__(self, data: Any, *, workspaces: Sequence[Namespace], user_id: int) -> None:
        super().__init__(data, auto_id="filter-%s")
        self.fields["workspace"].choices = [  # type: ignore[attr-defined]
            ("", _("All workspaces")),
            *namespace_choices(workspaces, user_id),
            (NOWHERE, _("no workspace")),
        ]
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = field.label
        self.is_valid()

    def value(self, name: str) -> str:
        return str(self.cleaned_data.get(name) or "").replace("\x00", "").strip()

    def wanted(self) -> ChoicesFilter:
        return ChoicesFilter(
            workspace=self.value("workspace"),
            category=self.value("category"),
            state=self.value("state"),
            text=self.value("q"),
        )


class ResetForm(forms.Form):
    """How far forgetting reaches: one question, a category, or everything."""

    reach = forms.ChoiceField(choices=[(each, each) for each in ("point", "category", "all")])
    point = forms.UUIDField(required=False)
    category = forms.ChoiceField(required=False, choices=CATEGORY_CHOICES)

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        reach = typed.get("reach")
        if reach in ("point", "category") and not typed.get(reach):
            raise forms.ValidationError(_("Say which one is to be forgotten."))
        return typed
