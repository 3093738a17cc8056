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


class NoteForm(forms.Form):
    """A note; ``version`` is what the person saw, 0 for a new one."""

    title = StorableField(label=_("Title"), max_length=fields.MAX_TITLE, required=False)
    slug = StorableField(
        label=_("Slug"),
        max_length=200,
        required=False,
        strip=True,
        help_text=_("The name in #name: a–z, digits, hyphens. Left empty, it is made from the title."),
    )
    description = StorableField(
        label=_("Description"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": fields.MAX_DESCRIPTION}),
        help_text=_("What it is, and when to read it: agents choose by this line."),
    )
    body = StorableField(
        label=_("Text (Markdown)"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "data-slugs": ""}),
        help_text=_("Write # to name another note."),
    )
    user_invocable = forms.BooleanField(label=_("#slug brings its text"), required=False, initial=True)
    version = forms.IntegerField(min_value=0, initial=0, widget=forms.HiddenInput)
    # A slug about which the person was warned, and which they keep.
    sure = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    # The memory that the note is written from, when the report of missing notes led here.
    memory = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("title", "description", "body"):
            # The service says what is missing, with all else that is wrong; the page must not call it optional.
            self.fields[name].needed = True  # type: ignore[attr-defined]

    def note(self, taken: Sequence[str] = ()) -> Note:
        typed = self.cleaned_data
        return Note(
            title=typed["title"],
            slug=typed["slug"] or (slugs.suggest(typed["title"], taken) if typed["title"] else ""),
            description=" ".join(typed["description"].split()),
            body=typed["body"],
            user_invocable=typed["user_invocable"],
        )

    def add_problems(self, problems: Sequence[dict[str, Any]]) -> None:
        for each in problems:
            self.add_error(each["field"] if each["field"] in self.fields else None, each["message"])


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
