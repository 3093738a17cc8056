"""``GET context/`` (design section 7)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.auth import key_of
from knowledge.selectors.resident import resident_sections, session_for_context
from transcripts.services.markers import fence_marker


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


class ContextApi(APIView):
    """What every session starts with."""

    scope = "recall"

    @extend_schema(
        operation_id="context",
        parameters=[OpenApiParameter("session", str, description="Session key")],
        responses=ContextOut,
    )
    def get(self, request: Request) -> Response:
        session = session_for_context(key=key_of(request), session=request.query_params.get("session", ""))
        homes = [n for n in (session.persona, session.workspace) if n is not None] if session else []
        paused = [str(n) for n in homes if n.is_paused]
        sections = [] if paused else resident_sections(session=session)
        return Response(
            {"sections": [asdict(section) for section in sections], "fence": fence_marker(), "paused": paused}
        )
