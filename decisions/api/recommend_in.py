"""The body of ``POST decisions/recommend/``: what no dialog could ask is refused, field by field."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Flag, StrictSerializer, TextField
from core.text import fold
from decisions.api.bodies import ContextField
from decisions.asked import AskIn
from decisions.capture import limits
from decisions.learning import CATEGORIES, option_key
from decisions.learning.types import OptionIn, Question


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
class QuestionsField(serializers.ListField):
    """The text of one question of the call, or a list of them."""

    child = TextField(max_length=limits.MAX_QUESTION_CHARS)
    allowed = gettext_lazy("the text of a question of this call, or a list of them")

    def to_internal_value(self, data: Any) -> list[Any]:
        return super().to_internal_value([data] if isinstance(data, str) else data)


class OptionBody(StrictSerializer):
    label = TextField(max_length=limits.MAX_LABEL_CHARS)  # type: ignore[assignment]  # a field, not DRF's label
    description = TextField(
        required=False, allow_blank=True, max_length=limits.MAX_DESCRIPTION_CHARS, default=""
    )


class QuestionBody(StrictSerializer):
    question = TextField(max_length=limits.MAX_QUESTION_CHARS)
    header = TextField(required=False, allow_blank=True, max_length=limits.MAX_HEADER_CHARS, default="")
    options = serializers.ListField(
        child=OptionBody(), min_length=limits.MIN_OPTIONS, max_length=limits.MAX_OPTIONS
    )
    multi = Flag(required=False, default=False, help_text="Several options may be chosen")
    category = serializers.ChoiceField(
        required=False, choices=list(CATEGORIES), help_text="Else found by rules"
    )
    default = TextField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_LABEL_CHARS,
        help_text="The label that you would mark; else a mark in a label counts",
    )
    depends_on = QuestionsField(
        required=False, max_length=limits.MAX_QUESTIONS, help_text="Questions of this call to be asked before"
    )
    sensitive = Flag(required=False, default=False, help_text="Only the person may settle this")
    premise = TextField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_HEADER_CHARS,
        help_text="Recommended when …: under which condition the leader would be right",
    )

    def validate_question(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError(_("Ask something."), code="blank")
        return value

    def validate_options(self, value: list[dict[str, str]]) -> list[dict[str, str]]:
        keys = [option_key(option["label"]) for option in value]
        if not all(keys):
            raise serializers.ValidationError(_("An option needs a name."), code="no_option")
        if max(len(key.encode()) for key in keys) > limits.MAX_LABEL_BYTES:
            raise serializers.ValidationError(_("A label is too long."), code="too_long")
        if len(set(keys)) < len(keys):
            raise serializers.ValidationError(
                _("Two options are the same once case, width and marks such as (Recommended) are put aside."),
                code="equal_options",
            )
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        default = attrs.get("default")
        if default and option_key(default) not in {option_key(o["label"]) for o in attrs["options"]}:
            raise serializers.ValidationError(
                {"default": [_("This is none of the options.")]}, code="unknown_default"
            )
        return attrs


class AskBody(StrictSerializer):
    session = TextField(max_length=limits.MAX_ID_CHARS, help_text="Session key")
    questions = serializers.ListField(child=QuestionBody(), min_length=1, max_length=limits.MAX_QUESTIONS)
    context = ContextField(  # type: ignore[assignment]  # a field, not DRF's property
        required=False, default=dict, help_text="Where it is asked: phase, workflow, …"
    )
    lang = serializers.ChoiceField(
        required=False, choices=["en", "ja"], help_text="Of labels and sentences; else the first question's"
    )

    def validate_questions(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({fold(each["question"]) for each in value}) < len(value):
            raise serializers.ValidationError(
                _("Two questions have the same text. Ask it once."), code="equal_questions"
            )
        return value


# One for all requests: it keeps nothing of a body that it judges, and copying its fields costs more than judging.
_BODY = AskBody()


def ask_of(data: Any) -> AskIn:
    """Raises Invalid, naming each field that is wrong."""
    value = _BODY.read({} if data is None else data)
    return AskIn(
        session=value["session"],
        questions=tuple(_question(each) for each in value["questions"]),
        context=value["context"],
        lang=value.get("lang"),
    )


def _question(value: dict[str, Any]) -> Question:
    return Question(
        text=value["question"],
        options=tuple(OptionIn(**option) for option in value["options"]),
        header=value["header"],
        multi=value["multi"],
        category=value.get("category", ""),
        default=value.get("default", ""),
        depends_on=tuple(value.get("depends_on", ())),
        sensitive=value["sensitive"],
        premise=value.get("premise", ""),
    )
