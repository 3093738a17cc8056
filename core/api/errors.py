"""One error shape: ``{"error": {"code", "message", "details"}}`` with the right status (design section 7)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.response import Response

from core.errors import DomainError
from core.statuses import TRANSIENT, busy, status_of


def body(code: str, message: str, details: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "details": details}}


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Map domain and framework errors; anything else stays a 500 and is logged.

    A database that is away, full or locked is a 503: what was sent is not at fault, and a client may send it again.
    """
    if isinstance(error, TRANSIENT):
        error = busy(error)
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        said = _("The body is too large: at most %(most)s bytes in one request. Send it in parts.")
        details = {"field": "body", "allowed": f"at most {most} bytes"}
        return Response(body("too_large", said % {"most": most}, details), status=413)
    if isinstance(error, DomainError):
        return Response(body(error.code, error.message, error.details), status=status_of(error))
    if isinstance(error, Http404):
        return Response(body("not_found", _("There is nothing here."), {}), status=404)
    if isinstance(error, exceptions.ValidationError):
        problems = list(flatten(error.detail))
        first = problems[0]
        return Response(
            body(
                "invalid",
                f"{first['field']}: {first['message']}" if first["field"] else first["message"],
                {"field": first["field"], "problems": problems},
            ),
            status=status.HTTP_422_UNPROCESSABLE_ENTITY,
        )
    if isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        code_name = codes if isinstance(codes, str) else error.default_code
        response = Response(body(code_name, str(error.detail), {}), status=error.status_code)
        challenge = getattr(error, "auth_header", None)
        if challenge:
            response["WWW-Authenticate"] = challenge
        return response
    return None


def flatten(detail: Any, path: str = "") -> Any:
    """Nested serializer errors as a flat list of ``{field, message, code}``."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            if isinstance(key, int):  # a list of serializers reports by index
                yield from flatten(value, f"{path}[{key}]")
                continue
            name = "" if key == "non_field_errors" else str(key)
            yield from flatten(value, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            inner = f"{path}[{index}]" if isinstance(value, dict) else path
            if value:
                yield from flatten(value, inner)
    else:
        yield {"field": path, "message": str(detail), "code": getattr(detail, "code", "invalid")}
