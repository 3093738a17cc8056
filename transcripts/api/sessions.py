"""`POST sessions/` and `PATCH sessions/{key}/` (design section 7)."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.view import AgentView
from core.models import Namespace
from core.nudge import nudge
from transcripts.api.bodies import SessionAnswer, SessionBody, SessionEndBody
from transcripts.api.parse import value_of
from transcripts.inputs import WorkspaceIn
from transcripts.models import AgentSession
from transcripts.services.sessions import session_end, session_open


class SessionsApi(AgentView):
    """Open a session, or complete one that an early turn opened."""

    scope = "ingest"

    @extend_schema(
        operation_id="session_open",
        request=SessionBody,
        responses={200: SessionAnswer, 201: SessionAnswer},
        examples=example(key="s1", client="mine", workspace={"name": "api"}, tz="Asia/Tokyo"),
    )
    def post(self, request: Request) -> Response:
        body = value_of(SessionBody(), request.data)
        workspace = body.pop("workspace", None)
        if workspace:
            body["workspace"] = WorkspaceIn(workspace["name"], workspace.get("fingerprints", ()))
        now = timezone.now()
        session = session_open(agent_key=key_of(request), now=now, **body)
        return Response(_answer(session), status=201 if session.started_at == now else 200)


class SessionApi(AgentView):
    """End a session: what it left open is closed, and scanned."""

    scope = "ingest"

    @extend_schema(
        operation_id="session_end",
        request=SessionEndBody,
        responses=SessionAnswer,
        examples=example(ended=True),
    )
    def patch(self, request: Request, key: str) -> Response:
        value_of(SessionEndBody(), request.data)
        session = session_end(agent_key=key_of(request), key=key, now=timezone.now())
        nudge("memory.scan_session", str(session.pk), queue="extract")
        return Response(_answer(session))


def _answer(session: AgentSession) -> dict[str, Any]:
    return {
        "id": session.pk,
        "key": session.key,
        "persona": _name(session, session.persona),
        "workspace": _name(session, session.workspace) if session.workspace else None,
        "paused": session.home.is_paused,
        "ended_at": session.ended_at,
    }


def _name(session: AgentSession, namespace: Namespace) -> str:
    """As this person writes it; another's carries its owner's name."""
    owner = namespace.owner.get_username() if namespace.owner_id != session.user_id else ""
    return namespace.reference_for(session.user_id, owner)
