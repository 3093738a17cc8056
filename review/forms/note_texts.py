"""The texts of a note as a person types them: one's own note, or one's own words for a drafted one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from django import forms
from django.utils.translation import gettext_lazy as _

from knowledge.forms import StorableField
from knowledge.notes import fields


class Texts(TypedDict):
    title: str
    description: str
    body: str


class NoteTexts(forms.Form):
    """No field is required here: the service says what is missing, with all else that is wrong."""

    title = StorableField(label=_("Title"), max_length=fields.MAX_TITLE, required=False)
    slug = StorableField(label=_("Slug"), max_length=200, required=False)
    description = StorableField(
        label=_("Description"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": fields.MAX_DESCRIPTION}),
        help_text=_("What it is, and when to read it: agents choose by this line."),
    )
    body = StorableField(
        label=_("Text (Markdown)"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "data-slugs": ""}),
    )

    def need(self, *names: str) -> None:
        """The page must not call these optional only because the form does not require them."""
        for name in names:
            if name in self.fields:
                self.fields[name].needed = True  # type: ignore[attr-defined]

    def typed(self) -> Texts:
        """Title, description on one line, and body; of a form that was found valid."""
        found = self.cleaned_data
        return {
            "title": found["title"],
            "description": " ".join(found["description"].split()),
            "body": found["body"],
        }

    def add_problems(self, problems: Sequence[dict[str, Any]]) -> None:
        """Each beside its field, or above the form where the form has no such field."""
        for each in problems:
            self.add_error(each["field"] if each["field"] in self.fields else None, each["message"])
