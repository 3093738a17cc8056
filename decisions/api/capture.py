"""``POST decisions/``: the client's hook payload as it is, or a plain record (design section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.view import AgentView
from core.nudge import nudge
from decisions.api.bodies import HookBody, RecordBody, record_of
from decisions.inputs import Captured
from decisions.services.capture import hook_capture, record_capture

_HOOK_FIELDS = {"hook_event_name", "tool_name", "tool_input", "tool_response"}


class ChoiceResult(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="Of the choice, or of the quarantined call")
    question = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(choices=["observed", "skipped", "quarantined"])
    reason = serializers.CharField(allow_blank=True, help_text="A code; empty for an observation")


class ChoicesAnswer(serializers.Serializer[Any]):
    choices = ChoiceResult(many=True)


class DecisionsApi(AgentView):
    """What a person chose when an agent asked. What is no choice of a person is not counted, and says why."""

    scope = "decide"

    @extend_schema(
        operation_id="decision_capture",
        request=PolymorphicProxySerializer(
            component_name="Decision", serializers=[RecordBody, HookBody], resource_type_field_name=None
        ),
        responses={200: ChoicesAnswer, 201: ChoicesAnswer},
        examples=example(
            session="s1",
            decision_id="d1",
            timestamp="2026-01-05T10:00:00+09:00",
            question="Which tier?",
            user_choice="Tier M",
            all_options=["Tier S", "Tier M", "Tier L"],
            context={"phase": "plan"},
        ),
    )
    def post(self, request: Request) -> Response:
        now = timezone.now()
        if isinstance(request.data, Mapping) and _HOOK_FIELDS & set(request.data):
            captured = hook_capture(agent_key=key_of(request), payload=request.data, now=now)
        else:
            record = record_of(request.data)
            captured = record_capture(agent_key=key_of(request), record=record, now=now)
        for session_id in captured.scan:
            nudge("memory.scan_session", str(session_id), queue="extract")
        return Response(choices_answer(captured), status=201 if captured.new else 200)


def choices_answer(captured: Captured) -> dict[str, Any]:
    return {
        "choices": [
            {"id": each.id, "question": each.question, "outcome": each.outcome, "reason": each.reason}
            for each in captured.results
        ]
    }
