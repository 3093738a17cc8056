"""``POST candidates/`` and ``GET candidates/{id}/`` (design section 7)."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.serializers import Number, StrictSerializer, TextField
from core.api.view import AgentView
from memory.inputs import MAX_CONTENT_CHARS, Outcome
from memory.models import KINDS
from memory.selectors.candidates import candidate_for_key
from memory.services.remember import RememberIn, candidate_remember


@extend_schema_field(serializers.ChoiceField(choices=KINDS))
class KindField(TextField):
    """Judged by the service, which says what is allowed."""

    allowed = list(KINDS)


class CandidateIn(StrictSerializer):
    kind = KindField(allow_blank=True)
    content = TextField(
        allow_blank=True,
        max_length=MAX_CONTENT_CHARS,
        help_text=f"1 to {MAX_CONTENT_CHARS:,} characters: one or two sentences that stand by themselves",
    )
    namespace = TextField(required=False, max_length=420, help_text="Default: the active persona")
    session = TextField(required=False, max_length=200)
    quote = TextField(required=False, max_length=8_000, help_text="What the person typed, verbatim")
    confidence = Number(required=False, default=0.5, min_value=0, max_value=1)
    key = TextField(required=False, max_length=200, help_text="Idempotency key of this proposal")


class CandidateOut(serializers.Serializer[Any]):
    id = serializers.UUIDField(allow_null=True)
    status = serializers.CharField(
        help_text="pending, approved, rejected, archived, needs_attention, suppressed, known"
    )
    notice = serializers.CharField()


class CandidateStatusOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    status = serializers.CharField()
    kind = serializers.CharField()
    namespace = serializers.CharField()
    content = serializers.CharField()
    memory = serializers.UUIDField(allow_null=True)
    times_seen = serializers.IntegerField()


def outcome_shown(outcome: Outcome) -> dict[str, Any]:
    """As the contract writes it; MCP gives the same."""
    candidate = outcome.candidate
    if candidate is None:
        state = "known" if outcome.result == "sighted" else "suppressed"
        return {"id": None, "status": state, "notice": outcome.detail}
    notices = {
        "created": _("Proposed. A person decides on the Review page; nothing is remembered yet."),
        "sighted": outcome.detail or _("This was proposed before; it waits for a person."),
        "reopened": _("This was archived and is proposed again."),
        "replayed": _("This was sent before; nothing changed."),
    }
    return {"id": candidate.pk, "status": candidate.status, "notice": notices[outcome.result]}


class CandidatesApi(AgentView):
    """Propose a memory. It waits for a person; no key can approve it."""

    scope = "ingest"

    @extend_schema(
        operation_id="remember",
        request=CandidateIn,
        responses={201: CandidateOut, 200: CandidateOut},
        examples=example(kind="decision", content="We deploy with containers.", session="s1"),
    )
    def post(self, request: Request) -> Response:
        remember = RememberIn(**CandidateIn().read(request.data))
        outcome = candidate_remember(agent_key=key_of(request), remember=remember, now=timezone.now())
        new = outcome.result == "created"
        return Response(outcome_shown(outcome), status=status.HTTP_201_CREATED if new else status.HTTP_200_OK)


class CandidateApi(AgentView):
    """What became of a proposal."""

    scope = "ingest"

    @extend_schema(operation_id="candidate", responses=CandidateStatusOut)
    def get(self, request: Request, candidate_id: uuid.UUID) -> Response:
        candidate = candidate_for_key(key=key_of(request), candidate_id=candidate_id)
        return Response(
            {
                "id": candidate.pk,
                "status": candidate.status,
                "kind": candidate.kind,
                "namespace": str(candidate.namespace),
                "content": candidate.content,
                "memory": candidate.memory_id,
                "times_seen": candidate.times_seen,
            }
        )
