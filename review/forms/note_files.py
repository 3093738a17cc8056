"""Notes as files: what to bring in, and how."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from knowledge.notes.packing import FileIn, Unpacked, gathered, unzip
from knowledge.notes.tree import Tree, read_tree
from knowledge.services.import_plan import TAKEN


class ManyFiles(forms.FileField):
    """One file or many; the value is a list."""

    class Input(forms.ClearableFileInput):
        allow_multiple_selected = True

    widget = Input

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """``FileField`` cleans one; an empty file is said to be wrong when it is read, none by the form."""
        chosen = data if isinstance(data, (list, tuple)) else [data] if data else []
        return [each for each in chosen if isinstance(each, UploadedFile)]


class NoteFilesForm(forms.Form):
    """Files as they were chosen, or ``packed``: the same again after the plan was shown, as a zip in base64.

    ``packed`` comes from the browser and is read with the same distrust as an upload.
    """

    upload = ManyFiles(
        label=_("Files"),
        help_text=_("A zip, or Markdown files; summary.md becomes the summary."),
    )
    taken = forms.ChoiceField(
        label=_("When a slug is taken here by another text"),
        choices=[
            (TAKEN[0], _("Say so and import nothing")),
            (TAKEN[1], _("Take the file's text; the one here stays in the history")),
            (TAKEN[2], _("Keep the one here")),
        ],
        initial=TAKEN[0],
        widget=forms.RadioSelect,
    )
    resident = forms.BooleanField(
        label=_("Put notes before every session where their files say so"),
        required=False,
        help_text=_("Otherwise no note is; you can decide that for each later, with its usage in view."),
    )
    packed = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        if not typed.get("upload") and not typed.get("packed"):
            self.add_error("upload", _("Choose a zip or some files."))
        return typed

    def tree(self) -> Tree:
        """What was sent, with everything that is wrong with it; fresh files go before packed ones."""
        typed: Mapping[str, Any] = self.cleaned_data
        if typed["upload"]:
            sent = [FileIn(each.name or "", each.read()) for each in typed["upload"]]
            found = gathered(sent)
        else:
            found = _unpacked(typed["packed"])
        return read_tree(found.files, found.problems)


def _unpacked(packed: str) -> Unpacked:
    try:
        return unzip(base64.b64decode(packed, validate=True))
    except (binascii.Error, ValueError):
        return unzip(b"")
