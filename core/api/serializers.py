"""Base classes of request bodies: unknown fields are refused, and named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import exceptions, serializers

from core.api.errors import flatten, refusal


class StrictSerializer(serializers.Serializer[Any]):
    """A body that holds only what the contract names."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(str(key) for key in data if key not in self.fields)
            if unknown:
                allowed = ", ".join(self.fields)
                message = _("Unknown field. Allowed: %(allowed)s.") % {"allowed": allowed or _("none")}
                raise serializers.ValidationError(
                    {name: [exceptions.ErrorDetail(message, code="unknown_field")] for name in unknown}
                )
        return super().to_internal_value(data)

    def read(self, data: Any) -> dict[str, Any]:
        """The checked values. Raises Invalid, which names every field that is wrong and what it takes."""
        try:
            found: dict[str, Any] = self.run_validation(data)
        except exceptions.ValidationError as error:
            raise refusal(list(flatten(error.detail, field=self))) from error
        return found


class StrictExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The OpenAPI document says it, too."""

    target_class = "core.api.serializers.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        found: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]
            self.target, direction, bypass_extensions=True
        )
        return {**found, "additionalProperties": False} if direction == "request" else found


class TextField(serializers.CharField):
    """A JSON string kept exactly as sent: no trimming, and nothing that could be read as one."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """``true`` or ``false``, and no number or text that could be read as one."""

    default_error_messages = {"invalid": gettext_lazy("Use true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Number(serializers.FloatField):
    """A JSON number, and no text or flag that could be read as one."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, (bool, str)):
            self.fail("invalid")
        return super().to_internal_value(data)
