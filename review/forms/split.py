"""The form of a split: a name, and which places leave."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from review.selectors.places import Place


class SplitForm(forms.Form):
    """``places`` are chosen beside what is known of each, so the template draws them."""

    name = forms.CharField(
        label=_("Name of the new workspace"),
        max_length=200,
        help_text=_("Letters, digits, dots, hyphens and underscores."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    fingerprints = forms.MultipleChoiceField(
        label=_("Places that leave"), error_messages={"required": _("Choose at least one place.")}
    )

    def __init__(self, *args: Any, places: Sequence[Place], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fingerprints"].choices = [  # type: ignore[attr-defined]
            (str(place.fingerprint.pk), place.short) for place in places
        ]

    @property
    def chosen(self) -> list[uuid.UUID]:
        return [uuid.UUID(each) for each in self.cleaned_data["fingerprints"]]
