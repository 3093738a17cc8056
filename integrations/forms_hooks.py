"""The switches of the plugin."""

from __future__ import annotations

from django import forms

from integrations.models import HookSettings
from integrations.selectors.hooks import SWITCHES


class HookSettingsForm(forms.Form):
    """One check box for each thing that the hooks bring; all are on to begin with."""

    def __init__(self, *args: object, own: HookSettings) -> None:
        super().__init__(*args, initial={name: getattr(own, name) for name in SWITCHES})  # type: ignore[arg-type]
        for name in SWITCHES:
            label = HookSettings._meta.get_field(name).verbose_name
            self.fields[name] = forms.BooleanField(
                label=str(label)[:1].upper() + str(label)[1:], required=False
            )
