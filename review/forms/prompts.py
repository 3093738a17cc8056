"""The form of a prompt: its wording, and a past turn to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from review.selectors.prompts import PastTurn


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

    def __init__(self, *args: Any, turns: Sequence[PastTurn], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not turns:  # nothing to choose, so nothing that could be chosen wrongly
            del self.fields["turn"]
            return
        self.fields["turn"].choices = [(turn.id, label(turn)) for turn in turns]  # type: ignore[attr-defined]


def label(turn: PastTurn) -> str:
    """When it was, in the reader's zone, and how it began."""
    at = timezone.localtime(turn.at)
    day = formats.date_format(at, "SHORT_DATE_FORMAT")
    return f"{day} {formats.time_format(at, 'H:i')} · {turn.began}"
