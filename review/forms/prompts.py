"""The form of a prompt: its wording, and something of the past to try it on."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from review.selectors.prompts import PastDraft, PastTurn


class PromptForm(forms.Form):
    """No limit of length here: a browser counts a line end as one character and sends two. The service counts."""

    text = forms.CharField(
        label=_("Wording for this namespace"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "false", "class": "mono"}),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput())
    turn = forms.TypedChoiceField(label=_("Past turn"), required=False, coerce=int, empty_value=None)
    draft = forms.TypedChoiceField(
        label=_("Note that a night drafted"), required=False, coerce=uuid.UUID, empty_value=None
    )

    def __init__(
        self, *args: Any, turns: Sequence[PastTurn] = (), drafts: Sequence[PastDraft] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for name, past in (("turn", turns), ("draft", drafts)):
            if past:
                field = self.fields[name]
                field.choices = [(each.id, label(each)) for each in past]  # type: ignore[attr-defined]
                field.needed = True  # type: ignore[attr-defined]  # for a trial; saving asks for none
            else:  # nothing to choose, so nothing that could be chosen wrongly
                del self.fields[name]


def label(past: PastTurn | PastDraft) -> str:
    """When it was, in the reader's zone, and how it began."""
    at = timezone.localtime(past.at)
    day = formats.date_format(at, "SHORT_DATE_FORMAT")
    return f"{day} {formats.time_format(at, 'H:i')} · {past.began}"
