"""What the OpenAPI document says of errors: one shape for every refusal (design section 7)."""

from __future__ import annotations

from typing import Any

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
                    "description": "field, allowed, problems: a list of every {field, code, message}",
                },
            },
        }
    },
}


def document_errors(result: dict[str, Any], **_unused: Any) -> dict[str, Any]:
    """A post-processing hook of drf-spectacular: every operation can refuse."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = _ERROR
    refusal = {
        "description": "Refused; nothing was changed. 400 unreadable, 401 no valid key, 403 not allowed, "
        "404 missing or foreign, 409 conflict or paused, 415 not JSON, 422 invalid.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"].setdefault("4XX", refusal)
    return result
