"""Error pages that keep the frame and say what to do."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was older than the session: nothing was done; reload and try again."""
    return render(request, "errors/csrf.html", status=403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/403.html", status=403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Missing and foreign things look alike; the sentence is ours when a service gave one."""
    reason = str(exception) if isinstance(exception, Http404) and exception.__cause__ is not None else ""
    return render(request, "errors/404.html", {"reason": reason}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Stands alone: whatever broke may break the frame's queries too."""
    return HttpResponse(render_to_string("errors/500.html"), status=500)
