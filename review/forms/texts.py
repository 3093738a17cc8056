"""Forms that write: a candidate's text, a memory's text, a new memory."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from memory.forms import TextField
from memory.models import Kind
from memory.shortforms import MAX_CHARS, MOST, checked
from review.forms.filters import namespace_choices
from review.services.acts import BULK_VERBS, ItemRef


class MemoryForm(forms.Form):
    """Text and kind of a memory; ``version`` is what the person saw."""

    content = TextField()
    kind = forms.ChoiceField(label=_("Kind"), choices=Kind.choices)
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class ApprovedForm(MemoryForm):
    """A memory with its short forms; ``offered`` are those that its evidence suggests."""

    aliases = forms.CharField(
        required=False,
        max_length=2_000,
        label=_("Short forms"),
        help_text=_("How people ask for it, such as k8s or GHA, separated by commas."),
    )
    offered = forms.MultipleChoiceField(
        required=False,
        label=_("Seen in the evidence"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick what means the same as a name in this memory."),
    )
    field_order = ["content", "kind", "aliases", "offered"]

    def __init__(self, *args: Any, offered: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["offered"].choices = [(each, each) for each in offered]  # type: ignore[attr-defined]
        if not offered:
            del self.fields["offered"]

    def clean_aliases(self) -> list[str]:
        """Commas of both scripts separate them; what is wrong is said at the field."""
        typed = [each for each in re.split(r"[,、，\n]", self.cleaned_data["aliases"]) if each.strip()]
        try:
            return checked(typed)
        except ValueError as error:
            raise forms.ValidationError(
                _("Give at most %(most)d short forms of at most %(chars)d characters."),
                params={"most": MOST, "chars": MAX_CHARS},
            ) from error

    def short_forms(self) -> list[str]:
        """Those typed and those ticked."""
        return [*self.cleaned_data["aliases"], *self.cleaned_data.get("offered", [])]


class CandidateForm(MemoryForm):
    """The same with its namespace."""

    namespace = forms.ChoiceField(label=_("Namespace"))

    def __init__(self, *args: Any, namespaces: Sequence[Namespace], user_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["namespace"].choices = namespace_choices(namespaces, user_id)  # type: ignore[attr-defined]


class NewMemoryForm(CandidateForm):
    """A memory typed by hand; it waits for review like every other."""

    version = None  # type: ignore[assignment]
    field_order = ["content", "kind", "namespace"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["content"].widget.attrs["data-slugs"] = ""  # slugs.js offers names of notes there


class VersionForm(forms.Form):
    """A decision without a text: the version that the person saw."""

    version = forms.IntegerField(min_value=1)


REASONS = ("wrong", "outdated", "private", "trivial", "duplicate")  # keys 1 to 5


class RejectForm(VersionForm):
    reason = forms.ChoiceField(
        required=False,
        label=_("Reason"),
        choices=[
            ("", _("no reason")),
            ("wrong", _("wrong")),
            ("outdated", _("outdated")),
            ("private", _("private")),
            ("trivial", _("trivial")),
            ("duplicate", _("duplicate")),
        ],
    )


class ItemsField(forms.Field):
    """Rows as ``<id>.<version>``, as many as a page holds."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> list[ItemRef]:
        try:
            return [
                ItemRef(uuid.UUID(pk), int(version))
                for pk, _dot, version in (str(each).partition(".") for each in value or ())
            ]
        except ValueError as error:
            raise forms.ValidationError(_("The list of rows is not complete.")) from error


class BulkForm(forms.Form):
    """An act over many: the picked rows, or everything that matched ``query`` at ``as_of``."""

    verb = forms.ChoiceField(choices=[(verb, verb) for verb in BULK_VERBS])
    all = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=4_000)
    as_of = forms.DateTimeField(
        required=False, input_formats=["%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S%z"]
    )
    namespace = forms.UUIDField(required=False)
    item = ItemsField(required=False)


class ProposalForm(VersionForm):
    """``content`` is the person's own wording; empty takes what is proposed."""

    content = TextField(required=False)


class MergeForm(VersionForm):
    type = forms.ChoiceField(choices=[("candidate", "candidate"), ("memory", "memory")])
    into = forms.UUIDField()


class ReasonForm(forms.Form):
    """The reason of a rejection that was made a moment ago."""

    act = forms.UUIDField()
    reason = forms.ChoiceField(choices=[(each, each) for each in REASONS])


class RetireForm(VersionForm):
    reason = forms.ChoiceField(
        label=_("Why"), choices=[("outdated", _("no longer true")), ("wrong", _("was wrong"))]
    )
