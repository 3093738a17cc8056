"""`POST turns/` (design section 7)."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.view import AgentView
from core.nudge import nudge
from transcripts.api.bodies import TurnBody, TurnsAnswer, TurnsBody
from transcripts.api.parse import turns_of
from transcripts.services.turns import turns_store


class TurnsApi(AgentView):
    """Store one turn, or a batch of at most 100 in one transaction. Idempotent on session, turn and message keys."""

    scope = "ingest"

    @extend_schema(
        operation_id="turns_store",
        request=PolymorphicProxySerializer(
            component_name="TurnOrTurns", serializers=[TurnBody, TurnsBody], resource_type_field_name=None
        ),
        responses={200: TurnsAnswer, 201: TurnsAnswer},
        examples=example(
            session="s1",
            key="t1",
            closed=True,
            messages=[
                {"role": "user", "origin": "human", "text": "From now on use pnpm, not npm."},
                {"role": "assistant", "text": "Understood."},
            ],
        ),
    )
    def post(self, request: Request) -> Response:
        now = timezone.now()
        result = turns_store(agent_key=key_of(request), turns=turns_of(request.data, now=now), now=now)
        for session_id in result.session_ids:
            nudge("memory.scan_session", str(session_id), queue="extract")
        return Response(
            {
                "turns": [{"key": turn.key, "id": turn.id, "status": turn.status} for turn in result.turns],
                "warnings": result.warnings,
            },
            status=201 if result.any_new else 200,
        )
