"""Where each tool, resource and prompt hands its work to a service: in a thread, with a key, in one language.

The SDK is asynchronous and the ORM is not; a handler that touched the database in the event loop would hold up every
other client. Four threads are as many as two cores can use, and each gives its connection back when it is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from django.conf import settings
from django.db import connections
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from mcp.server.mcpserver import Context

from core import text
from core.errors import DomainError, Forbidden, Invalid
from core.models import AgentKey
from core.statuses import TRANSIENT, busy
from integrations.services.mcp import session_ready

THREADS = 4
CALLER = "hikae.caller"  # where the HTTP door leaves it in the ASGI scope

_T = TypeVar("_T")
_room = anyio.CapacityLimiter(THREADS)


@dataclass(frozen=True)
class Caller:
    """Who is connected. ``key`` gives the agent key, or raises; ``workspace`` is what the connection works in."""

    key: Callable[[], AgentKey]
    workspace: str = ""


@dataclass(frozen=True)
class Place:
    """One call: whose key, when, and in which session (empty: none, what is shown counts for the key)."""

    key: AgentKey
    now: datetime
    session: str


def caller_of(ctx: Context[Any, Any]) -> Caller:
    """The HTTP request carries its caller; over stdio there is one for the whole life of the server."""
    request = ctx.request_context.request
    found = ctx.request_context.lifespan_context if request is None else request.scope[CALLER]
    assert isinstance(found, Caller)
    return found


async def serve(
    ctx: Context[Any, Any],
    work: Callable[[Place], _T],
    *,
    scope: str,
    refuse: Callable[[str], Exception],
    given: Any = None,
    session: str = "",
    needs_session: bool = False,
) -> _T:
    """Run ``work`` in a thread. What is refused is raised as ``refuse(sentence)``; the sentence begins with a code.

    ``scope``: what the key must hold, ``any`` for every key. ``given`` is what the client sent: text that no database
    could store is refused. ``needs_session``: one is opened where the client has none.
    """
    call = partial(_call, caller_of(ctx), work, scope, given, session, needs_session)
    try:
        return await anyio.to_thread.run_sync(call, limiter=_room)
    except DomainError as error:
        raise refuse(sentence(error.code, error.message, error.details)) from error


def sentence(code: str, message: str, details: dict[str, Any]) -> str:
    """What a model reads of a refusal: a code, what is wrong, and what is allowed."""
    more = f" {json.dumps(details, ensure_ascii=False, default=str)}" if details else ""
    return f"{code}: {message}{more}"


def _call(
    caller: Caller, work: Callable[[Place], _T], scope: str, given: Any, session: str, needs_session: bool
) -> _T:
    try:
        with translation.override(settings.LANGUAGE_CODE):
            key = caller.key()
            if scope != "any" and not key.has_scope(scope):
                raise Forbidden(
                    _("This key lacks the scope %(scope)s.") % {"scope": scope}, code="missing_scope"
                )
            _storable((given, session, caller.workspace))
            now = timezone.now()
            if needs_session or session or caller.workspace:
                session = session_ready(agent_key=key, session=session, workspace=caller.workspace, now=now)
            return work(Place(key, now, session))
    except TRANSIENT as error:
        raise busy(error) from error
    finally:
        connections.close_all()


def _storable(value: Any) -> None:
    """As REST's parser: no NUL bytes, no lone surrogates."""
    if isinstance(value, str):
        try:
            text.clean(value)
        except ValueError as error:
            raise Invalid(str(error), code="invalid_text") from error
    elif isinstance(value, dict):
        for inner in (*value, *value.values()):
            _storable(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _storable(inner)
