"""Forms for notes and summaries. What is wrong with a note is said by the service, for all fields at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from knowledge.forms import StorableField
from knowledge.notes import fields, slugs
from knowledge.notes.fields import Note
from review.forms.filters import NarrowForm
from review.forms.note_texts import NoteTexts
from review.selectors.knowledge import NoteFilter


class NotesForm(NarrowForm):
    kind = None  # type: ignore[assignment]
    status = forms.ChoiceField(
        required=False,
        label=_("Status"),
        choices=[
            ("", _("Active")),
            ("replaced", _("Replaced")),
            ("retired", _("Retired")),
            ("all", _("All")),
        ],
    )

    def __init__(self, data: Any, *, namespaces: Sequence[Namespace], user_id: int) -> None:
        super().__init__(data, namespaces=namespaces, user_id=user_id)
        self.fields["q"].widget.attrs["placeholder"] = _("Search slug, title, description")

    def wanted(self) -> NoteFilter:
        return NoteFilter(
            status=self.value("status") or "active", namespace=self.value("namespace"), text=self.value("q")
        )


class NoteForm(NoteTexts):
    """A note; ``version`` is what the person saw, 0 for a new one."""

    user_invocable = forms.BooleanField(label=_("#slug brings its text"), required=False, initial=True)
    version = forms.IntegerField(min_value=0, initial=0, widget=forms.HiddenInput)
    # A slug about which the person was warned, and which they keep.
    sure = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    # The memory that the note is written from, when the report of missing notes led here.
    memory = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].help_text = _(
            "The name in #name: a–z, digits, hyphens. Left empty, it is made from the title."
        )
        self.fields["body"].help_text = _("Write # to name another note.")
        self.need("title", "description", "body")

    def note(self, taken: Sequence[str] = ()) -> Note:
        """The note as typed, with a slug made from its title where none was given; ``taken`` are those in use."""
        typed = self.typed()
        slug = self.cleaned_data["slug"] or (slugs.suggest(typed["title"], taken) if typed["title"] else "")
        return Note(slug=slug, user_invocable=self.cleaned_data["user_invocable"], **typed)


class SummaryForm(forms.Form):
    body = StorableField(
        label=_("Text (Markdown)"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18, "maxlength": fields.MAX_SUMMARY, "data-slugs": ""}),
        help_text=_(
            "What is true and needed in nearly every session. Left empty, sessions start without it."
        ),
    )
    version = forms.IntegerField(min_value=0, initial=0, widget=forms.HiddenInput)


class SuccessorForm(forms.Form):
    version = forms.IntegerField(min_value=1)
    by = forms.UUIDField()
