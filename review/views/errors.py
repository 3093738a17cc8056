"""Error pages that keep the frame and say what to do; under /api/ the one error shape of REST."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.api.errors import body


def _answer(request: HttpRequest, status: int, code: str, message: str) -> JsonResponse | None:
    """For programs; None when a person asked for a page."""
    if not request.path.startswith("/api/"):
        return None
    return JsonResponse(body(code, message, {}), status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was older than the session: nothing was done; reload and try again."""
    return render(request, "errors/csrf.html", status=403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return _too_large(request)
    message = str(exception) if isinstance(exception, BadRequest) else _("This request cannot be understood.")
    return _answer(request, 400, "bad_request", message) or render(request, "errors/400.html", status=400)


def _too_large(request: HttpRequest) -> HttpResponse:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2
    said = _("One request may carry at most %(most)s MB.") % {"most": most}
    return _answer(request, 413, "too_large", said) or render(
        request, "errors/413.html", {"most": most}, status=413
    )


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(request, 403, "forbidden", _("This is not yours to see.")) or render(
        request, "errors/403.html", status=403
    )


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Missing and foreign things look alike; the sentence is ours when a service gave one."""
    reason = str(exception) if isinstance(exception, Http404) and exception.__cause__ is not None else ""
    return _answer(request, 404, "not_found", _("There is nothing here.")) or render(
        request, "errors/404.html", {"reason": reason}, status=404
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Stands alone: whatever broke may break the frame's queries too."""
    answer = _answer(request, 500, "server_error", _("Something broke here; it is logged. Try again later."))
    return answer or HttpResponse(render_to_string("errors/500.html"), status=500)
