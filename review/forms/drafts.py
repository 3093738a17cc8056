"""One's own words for a drafted note or summary, before accepting it. Switches are no part of a draft."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from knowledge.note_payloads import Create, NotePayload, Summarise
from knowledge.notes.fields import Note
from review.forms.note_texts import NoteTexts


class DraftForm(NoteTexts):
    """The texts of a draft; ``version`` is that of the proposal that the person saw."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, payload: NotePayload, version: int) -> None:
        texts = {name: getattr(payload, name, "") for name in ("title", "slug", "description", "body")}
        super().__init__(data, initial={**texts, "version": version})
        self.fields["slug"].help_text = _("The name in #name: a–z, digits, hyphens.")
        if isinstance(payload, Summarise):
            for name in ("title", "slug", "description"):
                del self.fields[name]
        elif not isinstance(payload, Create):
            del self.fields["slug"]
        self.need("title", "slug", "description", "body")

    def note(self) -> Note | None:
        """The note as typed; None for a summary. The slug of an existing note stays, whatever stands here."""
        if "title" not in self.fields:
            return None
        return Note(slug=self.cleaned_data.get("slug", "unchanged"), **self.typed())

    def content(self) -> str | None:
        """The summary as typed; None for a note."""
        return None if "title" in self.fields else str(self.cleaned_data["body"])
