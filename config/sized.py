"""What a synchronous application cannot read by itself: bodies without a length, addresses with raw bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote_from_bytes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Everything that may stand in an address as it is; other bytes are percent-encoded, as browsers do.
_ADDRESS = "".join(chr(code) for code in range(0x21, 0x7F))
_TOO_LARGE = b'{"error": {"code": "too_large", "message": "The request is too large.", "details": {}}}'


class Sized:
    """Gives every request a ``Content-Length`` and an ASCII query string before a WSGI application sees it.

    WSGI takes a request without a length for an empty one (PEP 3333), so a chunked body of at most ``limit`` bytes is
    gathered first; a longer one is answered with 413.
    """

    def __init__(self, application: Application, *, limit: int) -> None:
        self.application = application
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            query: bytes = scope["query_string"]
            if not query.isascii():
                scope = {**scope, "query_string": quote_from_bytes(query, safe=_ADDRESS).encode()}
            names = {name for name, _value in scope["headers"]}
            if b"transfer-encoding" in names and b"content-length" not in names:
                body = await self._gather(receive)
                if body is None:
                    await _refuse(send)
                    return
                length = (b"content-length", str(len(body)).encode())
                scope = {**scope, "headers": [*scope["headers"], length]}
                receive = _replay(body, receive)
        await self.application(scope, receive, send)

    async def _gather(self, receive: Receive) -> bytes | None:
        """The whole body; None when it is longer than the limit."""
        body = bytearray()
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self.limit:
                return None
            more = message.get("more_body", False)
        return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def once() -> MutableMapping[str, Any]:
        return waiting.pop() if waiting else await receive()

    return once


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _TOO_LARGE})
