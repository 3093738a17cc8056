"""The form of auto-approve (design section 4, Auto-approve)."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.models import Kind
from memory.models.policy import default_kinds
from memory.services.policy import MAX_AGE_HOURS, MAX_SESSIONS


class PolicyForm(forms.Form):
    """Thresholds of one namespace; confidence as people read it, in percent."""

    min_sessions = forms.IntegerField(
        label=_("Seen in at least so many sessions"), min_value=1, max_value=MAX_SESSIONS, initial=3
    )
    confidence = forms.IntegerField(
        label=_("Confidence of at least (percent)"), min_value=0, max_value=100, initial=90
    )
    min_age_hours = forms.IntegerField(
        label=_("Waited for at least (hours)"), min_value=0, max_value=MAX_AGE_HOURS, initial=24
    )
    kinds = forms.MultipleChoiceField(
        label=_("Kinds"),
        choices=Kind.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=default_kinds,
        help_text=_("Decisions and postmortems deserve a person; tick them only if you are sure."),
    )
    typed_name = forms.CharField(
        label=_("To switch on: type the name of the namespace"),
        required=False,
        max_length=220,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    typed_name.needed = True  # type: ignore[attr-defined]  # to switch on; trying asks for none

    @property
    def min_confidence(self) -> float:
        return int(self.cleaned_data["confidence"]) / 100
