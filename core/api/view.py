"""The base of all REST doors but the hooks' (design section 7)."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView

from core.api.query import query_of
from core.api.serializers import StrictSerializer


class NoQuery(StrictSerializer):
    """What a method takes that asks nothing by its address."""


class AgentView(APIView):
    """A query string is read with ``query_of``, or refused like an unknown field; it is never passed over.

    ``scope`` is what the key needs, "any" for none; ``asking`` names the methods that read a query.
    """

    scope: str
    asking: tuple[str, ...] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method not in self.asking:
            query_of(request, NoQuery())
