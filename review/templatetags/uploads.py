"""Words of an uploaded transcript's plan."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

from transcripts.readers.shapes import Problem

register = template.Library()


@register.filter
def problem_words(problem: Problem) -> str:
    """What is wrong in a line, in the reader's language; the place in the document stays as it is written there."""
    sentence = gettext(problem.said) % problem.values
    return f"{problem.place}: {sentence}" if problem.place else sentence
