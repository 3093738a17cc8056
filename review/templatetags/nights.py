"""Words of the night shift's report."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def stage(name: str) -> str:
    """A stage in words; an unknown one as it is, so that nothing is hidden."""
    return {
        "compare": _("Duplicates and corrections"),
        "retire": _("What has had its time"),
        "notes": _("Notes"),
        "summary": _("Summary"),
    }.get(name, name)
