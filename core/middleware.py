"""What every request must be before anything is looked up by it."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _


class StorableAddress(MiddlewareMixin):
    """Refuse NUL characters in paths and query strings with 400: no database compares with them.

    Here and not in each view, so that none can forget it. Bodies are checked by their parsers and forms.
    """

    def process_request(self, request: HttpRequest) -> None:
        query = request.META.get("QUERY_STRING", "")
        if "\0" in request.path_info or "%00" in query or "\0" in query:
            raise BadRequest(_("The address holds a NUL character."))
