"""What a browser shows when it opens an address that only acts."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin


class ExplainedRefusal(MiddlewareMixin):
    """A page in place of Django's empty 405.

    A browser that is sent to such an address (a bookmark, the way back after signing in) would show its own error
    page, as if the site were broken. Programs and htmx get the empty answer as before.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code != 405 or not isinstance(response, HttpResponse) or response.content:
            return response
        if request.path.startswith("/api/") or getattr(request, "htmx", False):
            return response
        page = render(request, "errors/405.html", status=405)
        page["Allow"] = response.get("Allow", "")
        return page
