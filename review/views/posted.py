"""What forms of one button carry: the version that was seen, and the thing they name."""

from __future__ import annotations

import uuid

from django.http import HttpRequest
from django.utils.translation import gettext as _

from core.errors import Invalid
from core.ids import parse_id
from review.forms.texts import VersionForm


def version_of(request: HttpRequest) -> int:
    """The version that the person saw. Raises Invalid."""
    form = VersionForm(request.POST)
    if not form.is_valid():
        raise incomplete("version")
    return int(form.cleaned_data["version"])


def id_of(request: HttpRequest, field: str) -> uuid.UUID | None:
    """The thing that a field names; None when it names nothing. Raises Invalid for what is no id."""
    raw = request.POST.get(field, "")
    found = parse_id(raw)
    if raw and found is None:
        raise incomplete(field)
    return found


def numbers_in(request: HttpRequest, field: str) -> list[int]:
    """Row numbers that a field names, as often as it was sent; empty ones are left out. Raises Invalid."""
    raw = [each for each in request.POST.getlist(field) if each]
    if not all(each.isascii() and each.isdigit() and len(each) < 19 for each in raw):
        raise incomplete(field)
    return [int(each) for each in raw]


def incomplete(field: str) -> Invalid:
    """A form that our own pages do not send."""
    return Invalid(_("This form is not complete: reload the page and try again."), field=field)
