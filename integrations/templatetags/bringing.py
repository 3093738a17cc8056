"""Words of the plan: why an entry is not brought, and what a file holds."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.said import Said
from integrations.importers.base import Problem
from integrations.phrases import in_words, not_taken_in_words
from memory.models.kind import Kind

register = template.Library()

_VERDICTS = {
    "new": gettext_lazy("new"),
    "known": gettext_lazy("already known here"),
    "duplicate": gettext_lazy("the same words again"),
    "refused": gettext_lazy("refused or deleted here before"),
    "boot": gettext_lazy("text of a host or a system prompt"),
    "log": gettext_lazy("a log or a list of files"),
    "scrap": gettext_lazy("too short to mean anything"),
    "too_long": gettext_lazy("too long for a memory"),
}


@register.filter
def verdict(name: str) -> str:
    """Why, in words."""
    return str(_VERDICTS.get(name, name))


@register.filter
def kind_name(kind: str) -> str:
    """The kind as the other pages write it."""
    return str(dict(Kind.choices).get(kind, kind))


@register.filter
def problem_said(problem: Problem) -> str:
    """What is wrong, as a sentence."""
    return in_words(Said(problem.said, problem.values))


@register.filter
def not_taken(what: str) -> str:
    """What was counted and not taken."""
    return not_taken_in_words(what)


@register.filter
def where(row: object) -> str:
    """``file, line n`` of an entry or a problem; ``file, entry n`` of a document whose lines mean nothing."""
    line = getattr(row, "line", 0)
    file = getattr(row, "file", "")
    if line and getattr(row, "unit", "line") == "entry":
        return _("%(file)s, entry %(n)s") % {"file": file, "n": line}
    return _("%(file)s, line %(line)s") % {"file": file, "line": line} if line else str(file)
