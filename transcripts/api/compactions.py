"""`POST compactions/` (design section 7)."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.view import AgentView
from core.nudge import nudge
from transcripts.api.bodies import CompactionAnswer, CompactionBody, MessageBody
from transcripts.api.parse import value_of
from transcripts.services.compactions import compaction_accept


class CompactionsApi(AgentView):
    """Hand over a window before it is summarised away. 202 once its messages are stored; the scan follows."""

    scope = "ingest"

    @extend_schema(
        operation_id="compaction_store",
        request=CompactionBody,
        responses={202: CompactionAnswer},
        examples=example(session="s1", trigger="auto"),
    )
    def post(self, request: Request) -> Response:
        body = value_of(CompactionBody(), request.data)
        accepted = compaction_accept(
            agent_key=key_of(request),
            session=body["session"],
            key=body.get("key"),
            trigger=body["trigger"],
            through=body.get("through"),
            messages=[MessageBody.message(message) for message in body.get("messages", ())],
            now=timezone.now(),
        )
        nudge("memory.scan_session", str(accepted.compaction.session_id), queue="extract")
        return Response(
            {
                "id": accepted.compaction.pk,
                "key": accepted.compaction.key,
                "status": "replayed" if accepted.replayed else "accepted",
                "stored": accepted.stored,
                "warnings": accepted.warnings,
            },
            status=202,
        )
