"""Forms for what a person sets for themselves (review-ux lines 34, 36 and 38; reminders)."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from review.keys import DEFAULT_KEYS
from review.models import PersonSettings

ACTIONS = {
    "next": _("next"),
    "previous": _("previous"),
    "approve": _("approve"),
    "reject": _("reject"),
    "edit": _("edit"),
    "open": _("show where it comes from"),
    "undo": _("undo the last decision"),
    "select": _("select"),
    "set_aside": _("later: set aside until tomorrow"),
    "merge": _("same as…: merge a duplicate"),
    "help": _("list of keys"),
}


class LookForm(forms.Form):
    """Language, colours and zone; empty means: as the browser says."""

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("as the browser says")), *settings.LANGUAGES]
    )
    theme = forms.ChoiceField(label=_("Colours"), required=False, choices=PersonSettings.THEMES)
    time_zone = forms.CharField(
        label=_("Time zone"),
        required=False,
        max_length=60,
        help_text=_("Such as Asia/Tokyo. Empty: pages follow your browser, reminders the server."),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
    )

    @property
    def zones(self) -> list[str]:
        return sorted(available_timezones())


class KeysForm(forms.Form):
    """One key for each action, or none at all."""

    keys_off = forms.BooleanField(
        label=_("Switch single keys off"),
        required=False,
        help_text=_("Buttons, arrows, Enter and Esc go on working."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for action, label in ACTIONS.items():
            widget = forms.TextInput(attrs={"size": 2, "autocomplete": "off", "class": "key"})
            self.fields[action] = forms.CharField(label=label, max_length=1, widget=widget)

    @property
    def key_map(self) -> dict[str, str]:
        return {action: str(self.cleaned_data[action]) for action in DEFAULT_KEYS}


class ReminderForm(forms.Form):
    """When and where a reminder goes."""

    digest = forms.ChoiceField(label=_("Reminder"), choices=PersonSettings.FREQUENCIES)
    digest_email = forms.EmailField(label=_("E-mail"), required=False)
    digest_webhook = forms.CharField(
        label=_("Webhook"),
        required=False,
        max_length=500,
        help_text=_("An https address that takes a POST with counts and links, never a memory's text."),
        widget=forms.URLInput(),
    )
