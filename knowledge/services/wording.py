"""What is wrong with a note, in the reader's language, everything at once."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.allowed import characters
from core.errors import Invalid
from core.redact import redact
from knowledge.notes.fields import Flaw, Note, flaws
from knowledge.notes.frontmatter import normal


def cleaned(note: Note) -> Note:
    """Redacted and trimmed, and checked. Raises Invalid with every problem: ``details.problems``."""
    safe = Note(
        title=redact(note.title).text.strip(),
        slug=note.slug.strip(),
        description=redact(note.description).text.strip(),
        body=redact(normal(note.body)).text.strip("\n"),
        model_invocation=note.model_invocation,
        user_invocable=note.user_invocable,
        sources=note.sources,
    )
    found = flaws(safe)
    if found:
        raise Invalid(
            _("The note cannot be saved as it is."),
            code="invalid_note",
            field=found[0].field,
            problems=[{"field": flaw.field, "code": flaw.code, "message": said(flaw)} for flaw in found],
        )
    return safe


def said(flaw: Flaw) -> str:
    """The sentence for one flaw."""
    if flaw.code == "empty":
        return _("This is needed: %(allowed)s.") % {"allowed": characters(1, flaw.limit)}
    if flaw.code == "too_long":
        return _("This is too long: %(allowed)s.") % {"allowed": characters(1, flaw.limit)}
    if flaw.code == "lines":
        return _("One line only: it stands in lists.")
    if flaw.code == "digits":
        return _("A slug of digits alone would be taken for an issue number.")
    return _("A slug has lower-case letters a–z, digits, and single hyphens between them.")
