"""Forms of the admin for notes and summaries; pages have their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.admin.repair import EditForm
from core.text import clean
from knowledge.notes import fields, slugs


class StorableField(forms.CharField):
    """Refused where the database would refuse it; browsers send CRLF, notes hold newlines."""

    def to_python(self, value: Any) -> str:
        try:
            return clean(str(super().to_python(value) or "").replace("\r\n", "\n"))
        except ValueError as error:
            raise forms.ValidationError(
                _("The text holds a character that cannot be stored: %(which)s"), params={"which": str(error)}
            ) from error


class NoteRepairForm(EditForm):
    """The texts of a note. What every session starts with is left to its people."""

    title = StorableField(label=_("Title"), max_length=fields.MAX_TITLE)
    slug = StorableField(label=_("Slug"), max_length=slugs.MAX_LENGTH)
    description = StorableField(
        label=_("Description"), max_length=fields.MAX_DESCRIPTION, widget=forms.Textarea(attrs={"rows": 2})
    )
    body = StorableField(
        label=_("Text (Markdown)"),
        max_length=fields.MAX_BODY,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16}),
    )
    user_invocable = forms.BooleanField(label=_("#slug brings its text"), required=False)
    field_order = ["title", "slug", "description", "body", "user_invocable", "reason", "version"]


class SummaryRepairForm(EditForm):
    body = StorableField(
        label=_("Text (Markdown)"),
        max_length=fields.MAX_SUMMARY,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
    )
    field_order = ["body", "reason", "version"]
