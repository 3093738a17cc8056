"""Forms of the pages that bring memories in and take namespaces along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from integrations.importers import FORMATS

MAX_UPLOAD = 64 * 1024 * 1024  # bytes of all files of one form; manage.py import takes more
NAMES = {
    "auto": _("find out by itself"),
    "claude-memory": _("Claude Code: auto-memory folder"),
    "rules": _("Rule files: CLAUDE.md, AGENTS.md and the like"),
    "moai": _("MoAI: entries, decisions.jsonl"),
    "mem0": _("mem0: export (JSON)"),
    "claude-mem": _("claude-mem: export (JSON)"),
    "basic-memory": _("basic-memory: folder of notes"),
    "mcp-memory": _("MCP reference memory (JSON Lines)"),
    "chatgpt": _("ChatGPT: data export"),
}


class _Files(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or more files; ``clean`` gives a list."""

    widget = _Files

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        given = data if isinstance(data, list | tuple) else [data]
        files = [super(FilesField, self).clean(each, initial) for each in given or [None]]
        if sum(each.size or 0 for each in files) > MAX_UPLOAD:
            raise forms.ValidationError(
                _(
                    "Together the files are larger than %(most)s MB. Bring them in parts, or use manage.py import."
                ),
                params={"most": MAX_UPLOAD // 1024**2},
                code="too_large",
            )
        return files


class BringForm(forms.Form):
    """What to bring, where to, and from which store."""

    upload = FilesField(
        label=_("Files"),
        help_text=_("One file or several, or a folder packed as a zip."),
        error_messages={"empty": _("The file is empty.")},
    )
    namespace = forms.ChoiceField(label=_("Where it belongs"))
    format = forms.ChoiceField(label=_("Where it comes from"), choices=list(NAMES.items()), required=False)

    def __init__(self, *args: Any, namespaces: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["namespace"].choices = list(namespaces)  # type: ignore[attr-defined]
        assert set(NAMES) == {"auto", *FORMATS}


class GoForm(forms.Form):
    """The word to go, after the plan."""

    token = forms.CharField(widget=forms.HiddenInput, max_length=64)
    namespace = forms.UUIDField(widget=forms.HiddenInput)
    reviewed = forms.BooleanField(
        label=_("I have reviewed these: make memories of them at once"),
        required=False,
        help_text=_("Without the tick each of them waits on the review page, like everything else."),
    )


class BackForm(forms.Form):
    """An archive of a namespace, to be brought back."""

    file = forms.FileField(label=_("Archive (.zip)"), error_messages={"empty": _("The file is empty.")})
    reference = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=220,
        help_text=_("Empty: the name it had. Otherwise workspace:<name> or persona:<name>."),
    )
    dry_run = forms.BooleanField(
        label=_("Only try it: say what would happen, store nothing"), required=False, initial=True
    )


def choices_of(namespaces: Sequence[Namespace], user_id: int) -> list[tuple[str, str]]:
    """Ids with the names that the person knows."""
    return [(str(each.pk), each.reference_for(user_id, each.owner.get_username())) for each in namespaces]
