"""``GET context/`` (design section 7)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.query import query_of
from core.api.serializers import StrictSerializer, TextField
from core.api.view import AgentView
from knowledge.services.context import context_serve
from memory.api.recall import name_for
from transcripts.services.markers import fence_marker


class ContextIn(StrictSerializer):
    session = TextField(required=False, allow_blank=True, default="", max_length=200, help_text="Session key")


class SectionOut(serializers.Serializer[Any]):
    type = serializers.CharField(help_text="summary or knowledge")
    slug = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    tokens = serializers.IntegerField()
    cut = serializers.CharField(help_text="Empty, or how to read the rest")


class ContextOut(serializers.Serializer[Any]):
    sections = SectionOut(many=True)
    fence = serializers.CharField(help_text="Marker of the block that clients wrap around what they inject")
    paused = serializers.ListField(child=serializers.CharField())


class ContextApi(AgentView):
    """What every session starts with."""

    scope = "recall"
    asking = ("GET",)

    @extend_schema(
        operation_id="context",
        parameters=[ContextIn],
        responses=ContextOut,
    )
    def get(self, request: Request) -> Response:
        key = key_of(request)
        asked = query_of(request, ContextIn())
        found = context_serve(agent_key=key, session=asked["session"], now=timezone.now())
        return Response(
            {
                "sections": [asdict(section) for section in found.sections],
                "fence": fence_marker(),
                "paused": [name_for(namespace, key) for namespace in found.paused],
            }
        )
