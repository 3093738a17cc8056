"""Shapes of request bodies and answers. They check types and unknown fields; the rules are in `transcripts.checks`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Flag, StrictSerializer, TextField
from transcripts import limits
from transcripts.checks import CLIENT_ORIGINS
from transcripts.inputs import MessageIn
from transcripts.readers.shapes import ROLES


class Text(TextField):
    """A JSON string, and nothing that could be read as one."""

    default_error_messages = {"invalid": _("Must be a string.")}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data


@extend_schema_field(OpenApiTypes.DATETIME)
class Instant(Text):
    """ISO 8601; without an offset it is read in the session's zone, else as UTC."""

    allowed = _("an ISO 8601 time")
    default_error_messages = {"invalid_time": _("Use an ISO 8601 time such as 2026-05-04T09:30:00+09:00.")}

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            at = parse_datetime(text.strip())
        except ValueError:
            at = None
        if at is None:
            self.fail("invalid_time")
        return at


@extend_schema_field(serializers.ChoiceField(choices=list(ROLES)))
class Role(Text):
    allowed = list(ROLES)


@extend_schema_field(serializers.ChoiceField(choices=list(CLIENT_ORIGINS)))
class ClientOrigin(Text):
    allowed = list(CLIENT_ORIGINS)


class MessageBody(StrictSerializer):
    key = Text(required=False, help_text="Unique within its turn; default: its index")
    role = Role()
    origin = ClientOrigin(required=False, help_text="Who produced the text; default by role (see the guide)")
    text = Text(
        allow_blank=True,
        help_text=f"1 to {limits.MAX_MESSAGE_CHARS:,} characters, kept as sent after redaction",
    )
    at = Instant(required=False, help_text="When it was said; default: now")

    @staticmethod
    def message(value: dict[str, Any]) -> MessageIn:
        at: datetime | None = value.get("at")
        return MessageIn(value["role"], value["text"], value.get("key"), value.get("origin"), at)


class TurnBody(StrictSerializer):
    session = Text(help_text="Session key; an unknown one is opened")
    key = Text(help_text="Unique within its session")
    closed = Flag(default=True, help_text="False: more messages of this turn will follow")
    messages = MessageBody(many=True, help_text=f"At most {limits.MAX_TURN_MESSAGES}")


class TurnsBody(StrictSerializer):
    """A batch: one transaction."""

    turns = TurnBody(many=True, help_text=f"At most {limits.MAX_BATCH_TURNS}")


class StoredTurn(serializers.Serializer[Any]):
    key = serializers.CharField()
    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=["created", "replayed", "extended"])


class TurnsAnswer(serializers.Serializer[Any]):
    turns = StoredTurn(many=True)
    warnings = serializers.ListField(child=serializers.CharField(), help_text="e.g. origin_missing")


class WorkspaceBody(StrictSerializer):
    name = Text(help_text="1 to 200 letters of any script, digits, dots, hyphens, underscores")
    fingerprints = serializers.ListField(
        child=Text(), required=False, help_text="r:<hash of the git remote>, d:<hash of machine and folder>"
    )


class SessionBody(StrictSerializer):
    key = Text(help_text="Unique per person")
    client = Text(required=False, allow_blank=True, max_length=60)
    persona = Text(required=False, help_text="persona:<name>; default: the key's own")
    workspace = WorkspaceBody(required=False)
    tz = Text(required=False, allow_blank=True, help_text="IANA zone of the client, e.g. Asia/Tokyo")
    internal = Flag(required=False, help_text="An agent working for another agent")


class SessionAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    key = serializers.CharField()
    persona = serializers.CharField()
    workspace = serializers.CharField(allow_null=True)
    paused = serializers.BooleanField(help_text="True: nothing is stored until its owner resumes it")
    ended_at = serializers.DateTimeField(allow_null=True)


@extend_schema_field({"type": "boolean", "enum": [True]})
class Ended(Flag):
    """Ending is all that can be said here: a session goes on when it is opened again."""

    allowed = [True]

    def to_internal_value(self, data: Any) -> bool:
        if not super().to_internal_value(data):
            raise serializers.ValidationError(
                _("A session goes on when POST sessions/ opens it again."), code="not_ended"
            )
        return True


class SessionEndBody(StrictSerializer):
    ended = Ended(default=True)


class CompactionBody(StrictSerializer):
    session = Text(help_text="Session key; an unknown one is opened")
    key = Text(required=False, help_text="Unique within its session; default: by what it covers")
    trigger = Text(max_length=20, help_text="manual or auto")
    through = Text(
        required=False, help_text="Key of the last message it covers; default: the last one stored"
    )
    messages = MessageBody(many=True, required=False)


class CompactionAnswer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    key = serializers.CharField()
    status = serializers.ChoiceField(choices=["accepted", "replayed"])
    stored = serializers.IntegerField(help_text="Messages that were not stored before")
    warnings = serializers.ListField(child=serializers.CharField())
