"""What an error says is allowed, in the reader's language: one wording for every field."""

from __future__ import annotations

from django.utils.translation import gettext as _


def between(least: float, most: float) -> str:
    return _("%(least)s to %(most)s") % {"least": least, "most": most}


def characters(least: int, most: int) -> str:
    return _("%(least)s to %(most)s characters") % {"least": least, "most": most}
