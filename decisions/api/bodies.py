"""Bodies of ``POST decisions/``. The plain record is checked strictly; a hook payload belongs to the client."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import StrictSerializer, TextField
from decisions.capture import limits
from decisions.inputs import RecordIn
from decisions.learning.types import OptionIn

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_SCALARS = str | int | float | bool
# As OpenAPI 3.0 writes it, which knows no list of types.
_SCALAR = {"nullable": True, "oneOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}


@extend_schema_field({"type": "string", "format": "date-time"})
class InstantField(TextField):
    """An ISO 8601 time with its offset: a time without one could be anybody's."""

    allowed = gettext_lazy("an ISO 8601 time with an offset, from the year 2000 on")

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            found = parse_datetime(text)
        except ValueError:
            found = None
        if found is None or found.tzinfo is None:
            raise serializers.ValidationError(
                _("Give a date and time with an offset, such as 2026-11-29T10:00:00+09:00."),
                code="no_instant",
            )
        try:
            instant = found.astimezone(UTC)
        except OverflowError:  # year 1 or 9999, moved over the edge by its offset
            instant = found.replace(tzinfo=UTC)
        if instant < _EARLIEST:
            raise serializers.ValidationError(
                _("This is too long ago for a choice. The earliest time is %(earliest)s.")
                % {"earliest": _EARLIEST.isoformat()},
                code="too_early",
            )
        return instant


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "minLength": 1},
            {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
        ]
    }
)
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """One label or words of one's own; or a list of labels."""

    allowed = gettext_lazy("a text, or a list of labels")

    def to_internal_value(self, data: Any) -> Any:
        parts = data if isinstance(data, list) else [data]
        if not parts or not all(isinstance(part, str) and part.strip() for part in parts):
            raise serializers.ValidationError(
                _("Give the label that was chosen, the words that were typed, or a list of labels."),
                code="no_answer",
            )
        if len(parts) > limits.MAX_OPTIONS or sum(map(len, parts)) > limits.MAX_TYPED_CHARS:
            raise serializers.ValidationError(
                _("The answer is too long: at most %(most)d characters.") % {"most": limits.MAX_TYPED_CHARS},
                code="too_long",
            )
        return data if isinstance(data, str) else tuple(data)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "minLength": 1},
            {
                "type": "object",
                "required": ["label"],
                "properties": {"label": {"type": "string"}, "description": {"type": "string"}},
                "additionalProperties": False,
            },
        ]
    }
)
class OptionField(serializers.Field[Any, Any, Any, Any]):
    """A label, or ``{"label", "description"?}``."""

    allowed = gettext_lazy("a label, or an object with a label and perhaps a description")

    def to_internal_value(self, data: Any) -> OptionIn:
        given = {"label": data} if isinstance(data, str) else data
        fine = (
            isinstance(given, dict)
            and set(given) <= {"label", "description"}
            and all(isinstance(value, str) for value in given.values())
        )
        if not fine or not given.get("label", "").strip():
            raise serializers.ValidationError(
                _("An option is its label, or {label, description}."), code="no_option"
            )
        return OptionIn(given["label"], given.get("description", ""))


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {"type": "object", "additionalProperties": _SCALAR},
        ]
    }
)
class ContextField(serializers.Field[Any, Any, Any, Any]):
    """Short names with short values; a lone text is taken as ``summary``."""

    allowed = gettext_lazy("a text, or an object of texts, numbers, true and false")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        given = {"summary": data} if isinstance(data, str) else data
        if not isinstance(given, dict) or len(given) > limits.MAX_CONTEXT_KEYS:
            raise serializers.ValidationError(
                _("Give an object of at most %(most)d short values.") % {"most": limits.MAX_CONTEXT_KEYS},
                code="no_context",
            )
        wrong = [key for key, value in given.items() if value is not None and not isinstance(value, _SCALARS)]
        if wrong:
            raise serializers.ValidationError(
                _("%(name)s: only texts, numbers, true and false.") % {"name": wrong[0]}, code="no_context"
            )
        return {key: value for key, value in given.items() if value is not None}


class RecordBody(StrictSerializer):
    session = TextField(required=False, max_length=limits.MAX_ID_CHARS)
    decision_id = TextField(max_length=limits.MAX_ID_CHARS)
    timestamp = InstantField()
    question = TextField(max_length=limits.MAX_QUESTION_CHARS)
    user_choice = AnswerField()
    all_options = serializers.ListField(child=OptionField(), allow_empty=False, max_length=limits.MAX_OPTIONS)
    # The name of the contract; DRF keeps it apart from its own property of that name.
    context = ContextField(required=False, default=dict)  # type: ignore[assignment]


class HookBody(serializers.Serializer[Any]):
    """Documentation only: a hook payload is read by ``decisions.capture``, which sets odd ones aside."""

    session_id = serializers.CharField()
    hook_event_name = serializers.ChoiceField(choices=["PreToolUse", "PostToolUse", "PostToolUseFailure"])
    tool_name = serializers.ChoiceField(choices=["AskUserQuestion"])
    tool_use_id = serializers.CharField()
    tool_input = serializers.DictField()
    tool_response = serializers.DictField(required=False)


def record_of(data: Any) -> RecordIn:
    """Raises Invalid, naming each field that is wrong."""
    value = RecordBody().read(data)
    return RecordIn(
        decision_id=value["decision_id"],
        at=value["timestamp"],
        question=value["question"],
        options=tuple(value["all_options"]),
        answer=value["user_choice"],
        session=value.get("session", ""),
        context=value["context"],
    )
