"""Forms of the Settings pages: keys, personas, members."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.models import AgentKey, Namespace, Role
from review.forms.filters import namespace_choices

SCOPES = [
    ("ingest", _("send conversations and candidates")),
    ("recall", _("recall approved memories")),
    ("decide", _("report and ask about choices")),
]
EXPIRIES = [
    ("", _("never")),
    ("7", _("in 7 days")),
    ("30", _("in 30 days")),
    ("90", _("in 90 days")),
    ("365", _("in a year")),
]


class KeyForm(forms.Form):
    """A new agent key."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("Where it will live, such as “laptop, Claude Code”.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=SCOPES,
        widget=forms.CheckboxSelectMultiple,
        initial=["ingest", "recall", "decide"],
    )
    reach = forms.ChoiceField(
        label=_("Reach"), choices=AgentKey.REACHES, initial=AgentKey.REACH_ALL, widget=forms.RadioSelect
    )
    namespaces = forms.MultipleChoiceField(
        label=_("Listed namespaces"), required=False, widget=forms.CheckboxSelectMultiple
    )
    speaks_for_person = forms.BooleanField(
        label=_("It speaks for me"),
        required=False,
        initial=True,
        help_text=_("It may say that a text was typed by me. Untick it for bots and shared machines."),
    )
    expires = forms.ChoiceField(label=_("Expires"), required=False, choices=EXPIRIES)

    def __init__(self, *args: Any, namespaces: Sequence[Namespace], user_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["namespaces"].choices = namespace_choices(namespaces, user_id)  # type: ignore[attr-defined]

    def expires_at(self, *, now: datetime) -> datetime | None:
        days = str(self.cleaned_data.get("expires") or "")
        return now + timedelta(days=int(days)) if days else None


class PersonaForm(forms.Form):
    name = forms.CharField(label=_("Name of the persona"), max_length=200)


class MemberForm(forms.Form):
    username = forms.CharField(label=_("User name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.READER)
