"""A query string, read like a body: the same fields, the same refusals (design section 7)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rest_framework.request import Request

from core import text
from core.api.parsers import Unstorable
from core.api.serializers import StrictSerializer


def query_of(request: Request, fields: StrictSerializer, *, lists: Collection[str] = ()) -> dict[str, Any]:
    """The checked values. ``lists`` names what may be given more than once.

    Raises Unstorable for text that no database holds, as for a body, and Invalid for everything else.
    """
    query = request.query_params
    for name, values in query.lists():
        for value in (name, *values):
            try:
                text.clean(value)
            except ValueError as error:
                raise Unstorable(name, error) from error
    return fields.read({name: query.getlist(name) if name in lists else query[name] for name in query})
