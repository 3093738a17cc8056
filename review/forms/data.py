"""The form that erases one's old conversations before their time."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from transcripts.services.purge import OWN_PURGE_DAYS


class EraseForm(forms.Form):
    """An age, and a tick that says that it is meant."""

    days = forms.TypedChoiceField(label=_("Older than"), coerce=int)
    sure = forms.BooleanField(
        label=_("I know that nothing brings them back"),
        error_messages={"required": _("Tick this to go on: nothing brings them back.")},
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["days"].choices = [  # type: ignore[attr-defined]
            (days, ngettext("%(n)s day", "%(n)s days", days) % {"n": days}) for days in OWN_PURGE_DAYS
        ]
        self.fields["days"].initial = OWN_PURGE_DAYS[-1]
