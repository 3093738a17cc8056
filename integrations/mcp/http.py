"""``/mcp`` over streamable HTTP: who may come in, and what a client is told that may not (design section 7)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio.to_thread
from django.conf import settings
from django.db import connections
from django.http.request import split_domain_port, validate_host
from django.utils import timezone, translation
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from core.api.auth import why_refused
from core.api.errors import body
from core.models import KEY_SCOPES, AgentKey
from core.services.keys import agent_key_authenticate
from core.statuses import TRANSIENT, busy
from integrations.mcp.desk import CALLER, Caller
from integrations.mcp.server import build

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource/mcp"  # RFC 9728 section 3.1
PATHS = frozenset({PATH, METADATA})
WORKSPACE = "hikae-workspace"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class KeyDoor:
    """Lets requests with a valid agent key, for a host and from an origin of this site, through to ``application``.

    The workspace that the connection works in comes from ``/mcp?workspace=<name>`` or the header
    ``Hikae-Workspace``; clients keep either in their configuration of a project.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        answer = _misplaced(scope) or await self._open(scope)
        if answer is None:
            await self.application(scope, receive, send)
        else:
            await answer(scope, receive, send)

    async def _open(self, scope: Scope) -> JSONResponse | None:
        """Leave the caller in the scope; or the answer, where there is none to be let in."""
        headers, site = Headers(scope=scope), _site(scope)
        if scope["path"] == METADATA:
            return _only(scope, "GET", "HEAD") or JSONResponse(metadata(site))
        scheme, _blank, secret = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            return _unknown(site, "not_authenticated", "Send an agent key: Authorization: Bearer hik_…")
        try:
            found = await anyio.to_thread.run_sync(_authenticate, secret.strip())
        except TRANSIENT as error:
            return _error(503, "busy", busy(error).message)
        if isinstance(found, str):
            with translation.override(settings.LANGUAGE_CODE):
                return _unknown(site, f"key_{found}", why_refused(found))
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        workspace = (query.get("workspace") or [headers.get(WORKSPACE, "")])[0].strip()
        scope[CALLER] = Caller(lambda: found, workspace)
        # The SDK would hold a GET open for messages from the server. There are none, and an open stream costs a
        # connection and keeps the process from stopping.
        return _only(scope, "POST")


def application() -> Application:
    """The MCP server behind its door. It needs ASGI's lifespan events, which start its task group."""
    inner = build().streamable_http_app(
        streamable_http_path=PATH,
        # One JSON answer a request and no session: any process can answer, and nothing waits in memory.
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        # The door checks host and origin, by the same settings as Django's pages.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return KeyDoor(inner)


def metadata(site: str) -> dict[str, Any]:
    """RFC 9728. Keys are made by a person on the site, not by an OAuth flow: the documentation says where."""
    return {
        "resource": f"{site}{PATH}",
        "authorization_servers": [site],
        "scopes_supported": list(KEY_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "Hikae",
        "resource_documentation": f"{site}/settings/memory/settings/",
    }


def _authenticate(secret: str) -> AgentKey | str:
    try:
        return agent_key_authenticate(secret=secret, now=timezone.now())
    finally:
        connections.close_all()


def _misplaced(scope: Scope) -> JSONResponse | None:
    """A web page elsewhere must not reach a server on this machine (DNS rebinding): host and origin are ours."""
    headers = Headers(scope=scope)
    domain, _port = split_domain_port(headers.get("host", ""))
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return _error(400, "host_not_allowed", "Hikae does not answer under this name. See ALLOWED_HOSTS.")
    origin = headers.get("origin")
    if origin and origin not in (_site(scope), *settings.CSRF_TRUSTED_ORIGINS):
        return _error(403, "origin_not_allowed", "Pages of other sites may not call Hikae.")
    return None


def _only(scope: Scope, *methods: str) -> JSONResponse | None:
    if scope["method"] in methods:
        return None
    answer = _error(405, "method_not_allowed", f"This address takes {methods[0]}.")
    answer.headers["Allow"] = ", ".join(methods)
    return answer


def _site(scope: Scope) -> str:
    """How the client reached us; the host was checked. Behind TLS elsewhere the scheme is the site's own."""
    scheme = "https" if settings.SECURE_SSL_REDIRECT else scope.get("scheme", "http")
    host = Headers(scope=scope).get("host", "")
    return f"{scheme}://{host}" if host else f"{scheme}://{urlsplit(settings.SITE_URL).netloc}"


def _unknown(site: str, code: str, message: str) -> JSONResponse:
    """RFC 6750 section 3: a request without any key is told what to bring, and is blamed for nothing."""
    answer = _error(401, code, message)
    blame = "" if code == "not_authenticated" else f' error="invalid_token", error_description="{code}",'
    answer.headers["WWW-Authenticate"] = (
        f'Bearer realm="hikae",{blame} scope="{" ".join(KEY_SCOPES)}", resource_metadata="{site}{METADATA}"'
    )
    return answer


def _error(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse(body(code, message, {}), status_code=status)
