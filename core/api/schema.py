"""What the OpenAPI document says of errors: one shape for every refusal (design section 7)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample

_ERROR = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "details"],
            "additionalProperties": False,
            "properties": {
                "code": {
                    "type": "string",
                    "description": "For programs, such as invalid_json or out_of_reach",
                },
                "message": {"type": "string", "description": "For people: what is wrong and what is allowed"},
                "details": {
                    "type": "object",
                    "additionalProperties": {},
                    "description": "field, allowed, problems: a list of every {field, code, message, allowed}",
                },
            },
        }
    },
}
_ERROR_BODY = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def example(**body: Any) -> list[OpenApiExample]:
    """A body that works as it stands, for ``extend_schema(examples=…)``; a test sends each of them."""
    return [OpenApiExample("Example", value=body, request_only=True)]


def document_errors(result: dict[str, Any], **_unused: Any) -> dict[str, Any]:
    """A post-processing hook of drf-spectacular: every operation can refuse."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = _ERROR
    refusal = {
        "description": "Refused; nothing was changed. 400 unreadable, 401 no valid key, 403 not allowed, "
        "404 missing or foreign, 409 conflict or paused, 413 too many bytes, 415 not JSON, 422 invalid.",
        "content": _ERROR_BODY,
    }
    busy = {
        "description": "The database is busy; nothing was changed. Send it again.",
        "content": _ERROR_BODY,
    }
    limit = (
        f"At most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes. This limit binds first: "
        "what the fields allow by count or length must fit into it together."
    )
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"].setdefault("4XX", refusal)
                operation["responses"].setdefault("503", busy)
                if "requestBody" in operation:
                    operation["requestBody"].setdefault("description", limit)
    return result
