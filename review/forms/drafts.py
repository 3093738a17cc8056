"""One's own words for a drafted note or summary, before accepting it. Switches are no part of a draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from knowledge.forms import StorableField
from knowledge.note_payloads import Create, NotePayload, Summarise
from knowledge.notes import fields
from knowledge.notes.fields import Note


class DraftForm(forms.Form):
    """The texts of a draft; ``version`` is that of the proposal that the person saw."""

    title = StorableField(label=_("Title"), max_length=fields.MAX_TITLE, required=False)
    slug = StorableField(
        label=_("Slug"),
        max_length=200,
        required=False,
        help_text=_("The name in #name: a–z, digits, hyphens."),
    )
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
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, payload: NotePayload, version: int) -> None:
        texts = {name: getattr(payload, name, "") for name in ("title", "slug", "description", "body")}
        super().__init__(data, initial={**texts, "version": version})
        if isinstance(payload, Summarise):
            for name in ("title", "slug", "description"):
                del self.fields[name]
        elif not isinstance(payload, Create):
            del self.fields["slug"]
        for field in self.fields.values():
            # The service says what is missing, with all else that is wrong; the page must not call it optional.
            field.needed = True  # type: ignore[attr-defined]

    def note(self) -> Note | None:
        """The note as typed; None for a summary. The slug of an existing note stays, whatever stands here."""
        typed = self.cleaned_data
        if "title" not in self.fields:
            return None
        return Note(
            title=typed["title"],
            slug=typed.get("slug", "unchanged"),
            description=" ".join(typed["description"].split()),
            body=typed["body"],
        )

    def content(self) -> str | None:
        """The summary as typed; None for a note."""
        return None if "title" in self.fields else str(self.cleaned_data["body"])

    def add_problems(self, problems: Sequence[dict[str, Any]]) -> None:
        for each in problems:
            self.add_error(each["field"] if each["field"] in self.fields else None, each["message"])
