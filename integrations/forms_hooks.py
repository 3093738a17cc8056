"""The switches of the plugin."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.text import capfirst

from integrations.models import HookSettings
from integrations.selectors.hooks import SWITCHES


class HookSettingsForm(forms.Form):
    """One check box for each thing that the hooks bring; all are on to begin with."""

    def __init__(self, data: QueryDict | None = None, *, own: HookSettings) -> None:
        super().__init__(data, initial={name: getattr(own, name) for name in SWITCHES})
        for name in SWITCHES:
            label = capfirst(str(getattr(HookSettings, name).field.verbose_name))
            self.fields[name] = forms.BooleanField(label=label, required=False)
