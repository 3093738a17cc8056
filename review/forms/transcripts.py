"""The upload of a transcript file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.models import Namespace

MAX_UPLOAD = 64 * 1024 * 1024  # bytes; manage.py import takes more


class TranscriptForm(forms.Form):
    """A file, and where its conversations belong if the file does not say."""

    file = forms.FileField(
        label=_("Transcript file"),
        help_text=_("A Claude Code transcript (.jsonl), an aider chat history (.md), or plain JSON."),
        error_messages={"empty": _("The file is empty.")},
    )
    persona = forms.ChoiceField(label=_("Persona"), required=False)
    workspace = forms.CharField(
        label=_("Workspace"),
        required=False,
        max_length=200,
        help_text=_("The name of the project. Empty: what the file says. A new name makes a new workspace."),
    )

    def __init__(self, *args: Any, personas: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["persona"].choices = [("", _("What the file says")), *personas]  # type: ignore[attr-defined]

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_UPLOAD:
            raise forms.ValidationError(
                _("The file is larger than %(most)s MB. Use manage.py import, which takes more."),
                params={"most": MAX_UPLOAD // 1024**2},
                code="too_large",
            )
        return file


class TranscriptGoForm(forms.Form):
    """The word to go, after the plan."""

    token = forms.CharField(widget=forms.HiddenInput, max_length=64)


def persona_choices(namespaces: Sequence[Namespace], user_id: int) -> list[tuple[str, str]]:
    """References as ``transcript_read`` takes them."""
    own = [item for item in namespaces if item.type == Namespace.PERSONA]
    return [(name, name) for item in own for name in [item.reference_for(user_id, item.owner.get_username())]]
