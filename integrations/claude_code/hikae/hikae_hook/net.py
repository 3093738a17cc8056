"""One request to the server. Written on the socket: the standard client costs as much time as all the rest.

Plain HTTP speaks through `_socket`, the half of `socket` that needs no other modules: loading the rest costs as much
as a request.
"""

from __future__ import annotations

import json
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import Any
else:
    try:
        import _socket as socket
    except ImportError:  # another Python than CPython
        import socket

MAX_ANSWER = 2_000_000  # bytes


class Failed(Exception):
    """No answer that counts. ``slow``: waiting again at once would be as long."""

    def __init__(self, why: str, slow: bool = False) -> None:
        super().__init__(why)
        self.slow = slow


class Reply:
    def __init__(self, status: int, body: Any) -> None:
        self.status = status
        self.body = body  # the JSON of the answer; None when it is none


def request(method: str, url: str, key: str, body: Any = None, seconds: float = 0.8) -> Reply:
    """Raises Failed. A redirect is not followed: the key belongs to one address."""
    scheme, host, port, path = parts(url)
    until = time.monotonic() + seconds
    data = b"" if body is None else json.dumps(body).encode()
    head = [
        f"{method} {path} HTTP/1.0",  # no chunks, no kept connection: one question, one answer
        "Host: {}{}".format(f"[{host}]" if ":" in host else host, "" if port in (80, 443) else ":%d" % port),
        f"Authorization: Bearer {key}",
        "Content-Type: application/json",
        "Accept: application/json",
        f"Content-Length: {len(data)}",
        "User-Agent: hikae-hook",
    ]
    try:
        link = _connected(scheme, host, port, until)
        try:
            link.sendall("\r\n".join(head).encode("ascii") + b"\r\n\r\n" + data)
            return _reply(_received(link, until))
        finally:
            link.close()
    except TimeoutError as error:
        raise Failed("timeout", slow=True) from error
    except (
        OSError,
        ValueError,
    ) as error:  # refused, no such name, TLS, a broken answer, a key that is no ASCII
        raise Failed(type(error).__name__, slow=isinstance(error, socket.gaierror)) from error


def parts(url: str) -> tuple[str, str, int, str]:
    """(scheme, host, port, path). Raises Failed for what is no address of a server."""
    scheme, colon, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    if scheme not in ("http", "https") or not colon or "@" in place:
        raise Failed("address")
    if any(ord(c) < 33 or ord(c) > 126 for c in url):
        raise Failed("address")
    host, _, port = place.rpartition(":") if place.rpartition(":")[2].isdigit() else (place, "", "")
    host = host.strip("[]")
    number = int(port) if port else (443 if scheme == "https" else 80)
    if not host or number > 65_535:
        raise Failed("address")
    return scheme, host, number, slash + path


def _connected(scheme: str, host: str, port: int, until: float) -> socket.socket:
    if scheme == "https":
        import socket as whole
        import ssl

        link = whole.create_connection((host, port), timeout=_left(until))
        return ssl.create_default_context().wrap_socket(link, server_hostname=host)
    problem: OSError = OSError("no address")
    # As bytes: for a text Python would first load its tables of international names, which an address of ours is not.
    for family, kind, protocol, _name, address in socket.getaddrinfo(
        host.encode("ascii"), port, 0, socket.SOCK_STREAM
    ):
        link = socket.socket(family, kind, protocol)
        try:
            link.settimeout(_left(until))
            link.connect(address)
        except OSError as error:
            link.close()
            problem = error
        else:
            return link
    raise problem


def _received(link: socket.socket, until: float) -> bytes:
    data = bytearray()
    while len(data) < MAX_ANSWER:
        link.settimeout(_left(until))
        some = link.recv(65_536)
        if not some:
            return bytes(data)
        data += some
        if _is_whole(data):
            return bytes(data)
    raise ValueError("too long")


def _is_whole(data: bytearray) -> bool:
    """All that was announced is there: some servers leave the connection open."""
    end = data.find(b"\r\n\r\n")
    length = _length(bytes(data[:end])) if end >= 0 else None
    return length is not None and len(data) >= end + 4 + length


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return None


def _reply(data: bytes) -> Reply:
    head, gap, body = data.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    if not gap or len(words) < 2 or not words[0].startswith(b"HTTP/"):
        raise ValueError("no HTTP")
    length = _length(head)
    if length is not None and len(body) < length:
        raise ValueError("cut short")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    return Reply(int(words[1]), found)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
