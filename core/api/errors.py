"""One error shape: ``{"error": {"code", "message", "details"}}`` with the right status (design section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from core.api.allowed import allowed_of
from core.errors import DomainError, Invalid
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
    if isinstance(error, exceptions.ValidationError):
        error = refusal(list(flatten(error.detail)))
    if isinstance(error, DomainError):
        return Response(body(error.code, error.message, error.details), status=status_of(error))
    if isinstance(error, Http404):
        return Response(body("not_found", _("There is nothing here."), {}), status=404)
    if isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        code_name = codes if isinstance(codes, str) else error.default_code
        details = getattr(error, "details", {})
        response = Response(body(code_name, str(error.detail), details), status=error.status_code)
        challenge = getattr(error, "auth_header", None)
        if challenge:
            response["WWW-Authenticate"] = challenge
        return response
    return None


def refusal(problems: Sequence[Mapping[str, Any]]) -> Invalid:
    """One error for all of them; its sentence and its field are those of the first. ``problems`` as of ``flatten``."""
    first = problems[0]
    said = f"{first['field']}: {first['message']}" if first["field"] else first["message"]
    allowed = first["allowed"]
    if isinstance(allowed, list) and first["code"] == "invalid_choice":
        said = f"{said} {_('Allowed: %(allowed)s.') % {'allowed': ', '.join(map(str, allowed))}}"
    return Invalid(said, field=first["field"], allowed=allowed, problems=list(problems))


def flatten(detail: Any, path: str = "", field: Any = None) -> Iterator[dict[str, Any]]:
    """Nested serializer errors as a flat list of ``{field, message, code, allowed}``.

    ``field``: the serializer or field that gave them; without it nothing is known of what is allowed.
    """
    if isinstance(detail, dict):
        for key, value in detail.items():
            if isinstance(key, int):  # a list of fields reports by index
                yield from flatten(value, f"{path}[{key}]", getattr(field, "child", None))
                continue
            name = "" if key == "non_field_errors" else str(key)
            # A name that the body does not have is answered with those it has.
            inner = getattr(field, "fields", {}).get(name, field) if name else field
            yield from flatten(value, ".".join(part for part in (path, name) if part), inner)
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            nested = isinstance(value, dict)
            if value:
                yield from flatten(
                    value,
                    f"{path}[{index}]" if nested else path,
                    getattr(field, "child", None) if nested else field,
                )
    else:
        code = getattr(detail, "code", "invalid")
        allowed = allowed_of(field) if field is not None else None
        yield {"field": path, "message": str(detail), "code": code, "allowed": allowed}
