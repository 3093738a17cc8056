"""``GET me/``: who am I, which namespaces, which scopes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.view import AgentView
from core.models import AgentKey, Namespace


class NamespaceOut(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="How this key writes it, e.g. workspace:api")
    role = serializers.ChoiceField(choices=["owner", "reviewer", "reader"])
    paused = serializers.BooleanField()


class MeOut(serializers.Serializer[Any]):
    user = serializers.CharField()
    key = serializers.CharField(help_text="Name of the key")
    scopes = serializers.ListField(child=serializers.CharField())
    reach = serializers.ChoiceField(choices=["all", "list"])
    speaks_for_person = serializers.BooleanField()
    default_persona = serializers.CharField(allow_null=True)
    namespaces = NamespaceOut(many=True)


class MeApi(AgentView):
    """Any valid key may ask."""

    scope = "any"

    @extend_schema(operation_id="me", responses=MeOut)
    def get(self, request: Request) -> Response:
        return Response(me_shown(key_of(request)))


def me_shown(key: AgentKey) -> dict[str, Any]:
    """As the contract writes it; MCP gives the same."""
    namespaces = Namespace.objects.reachable_by(key).select_related("owner").prefetch_related("memberships")
    return {
        "user": key.user.get_username(),
        "key": key.name,
        "scopes": key.scopes,
        "reach": key.reach,
        "speaks_for_person": key.speaks_for_person,
        "default_persona": str(key.default_persona) if key.default_persona else None,
        "namespaces": [
            {
                "name": n.reference_for(key.user_id, n.owner.get_username()),
                "role": next(m.role for m in n.memberships.all() if m.user_id == key.user_id),
                "paused": n.is_paused,
            }
            for n in namespaces
        ],
    }
