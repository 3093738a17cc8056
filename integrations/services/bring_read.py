"""From files to what they hold; says plainly where they belong instead."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from core.errors import Invalid
from integrations.importers import read
from integrations.importers.base import FileIn, Found
from integrations.importers.words import Unreadable
from integrations.phrases import in_words
from transcripts.readers.base import sniff


def bring_read(*, files: Sequence[FileIn], format: str) -> Found:
    """What the files hold. Raises Invalid (``transcript``, ``unreadable``), naming the field ``files``."""
    try:
        found = read(files, format=format or "auto")
    except Unreadable as error:
        is_talk = len(files) == 1 and sniff(files[0].data, filename=files[0].path) in ("claude_code", "aider")
        if is_talk:
            raise Invalid(
                _("This is a transcript of conversations. Sessions → Upload a transcript takes it."),
                code="transcript",
                field="files",
            ) from error
        raise Invalid(in_words(error.said), code="unreadable", field="files") from error
    return found
