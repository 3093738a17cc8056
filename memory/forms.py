"""A memory's text in a form, wherever it is typed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.text import clean
from memory.inputs import MAX_CONTENT_CHARS


class TextField(forms.CharField):
    """A memory's text, refused where the service would refuse it, before anything is lost."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"rows": 3, "maxlength": MAX_CONTENT_CHARS, "data-editor": ""}
        super().__init__(
            label=_("Text"), max_length=MAX_CONTENT_CHARS, widget=forms.Textarea(attrs=attrs), **kwargs
        )

    def to_python(self, value: Any) -> str:
        # Browsers send CRLF; a memory is recalled exactly as it was seen.
        typed = str(super().to_python(value) or "").replace("\r\n", "\n")
        try:
            return clean(typed)
        except ValueError as error:
            raise forms.ValidationError(
                _("The text holds a character that cannot be stored: %(which)s"), params={"which": str(error)}
            ) from error
