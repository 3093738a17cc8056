"""``POST hooks/claude-code/``: the client's event as it is, or in the plugin's envelope (design section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.allowed import characters
from core.api.auth import key_of
from core.errors import Invalid
from core.moments import in_utc
from core.nudge import nudge
from integrations.hooks.envelope import envelope_of
from integrations.hooks.events import event_of
from integrations.hooks.limits import PROTOCOL
from integrations.services.claude_code import hook_handle

MAX_NAME = 100  # characters


class ClaudeCodeApi(APIView):
    """One hook event in, the hook's answer out. Each event needs its own scope; without it the answer is empty."""

    scope = "any"

    @extend_schema(
        operation_id="hook_claude_code",
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        raw, around = _opened(request.data)
        now = timezone.now()
        handled = hook_handle(
            agent_key=key_of(request),
            event=event_of(raw),
            envelope=envelope_of(around, at=_moment(around.get("at")), now=now),
            now=now,
        )
        for session_id in handled.scan:
            nudge("memory.scan_session", str(session_id), queue="extract")
        if handled.sweep:
            nudge("memory.sweep", queue="extract")
        return Response(handled.answer, headers={"X-Hikae-Protocol": str(PROTOCOL)})


def _opened(data: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The event, and the envelope around it (empty for a bare event)."""
    if not isinstance(data, Mapping):
        raise Invalid(_("Send the event as one JSON object."), code="not_an_object")
    envelope: Any = {}
    event: Any = data
    if "hikae" in data:
        envelope, event = data["hikae"], data.get("event")
        for name, value in (("hikae", envelope), ("event", event)):
            if not isinstance(value, Mapping):
                raise Invalid(_("Send an object."), code="not_an_object", field=name)
    name = event.get("hook_event_name")
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME:
        raise Invalid(
            _("Name the event, as the client does."), field="hook_event_name", allowed=characters(1, MAX_NAME)
        )
    return event, envelope


def _moment(value: Any) -> datetime | None:
    """When it happened, by the client's clock; nothing that can be relied on means now."""
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
        return in_utc(found) if found is not None and found.tzinfo is not None else None
    except ValueError:
        return None
