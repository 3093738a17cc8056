"""Post to an address that a person typed, without becoming their way into this network.

Pure: standard library only. The name is resolved once, every address it has must be a public one, and the connection
goes to the address that was checked, so that a name that changes its mind in between gains nothing. Redirects are not
followed. Sources: lessons row 10 (request forgery through configured addresses).
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

from core.outbound import check_url

TIMEOUT_SECONDS = 5.0
# Prefixes that carry an IPv4 address inside: what they lead to cannot be seen from the address alone.
_CARRIERS = [
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
]


class WebhookError(Exception):
    """It was not delivered; the message says why, in words for the person who typed the address."""


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allow_private: bool = False,
    timeout: float = TIMEOUT_SECONDS,
) -> int:
    """POST once and return the status, 200 to 299. Raises WebhookError; ``timeout`` is seconds a network step."""
    try:
        parts = urlsplit(check_url(url))
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise WebhookError(str(error)) from error
    host = parts.hostname or ""
    address = public_address(host, port, allow_private=allow_private)
    connection = _Pinned(host, port, address=address, secure=parts.scheme == "https", timeout=timeout)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, body=body, headers={"Host": parts.netloc, **headers})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise WebhookError(f"{type(error).__name__}: {error}".strip()[:300]) from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise WebhookError(f"the receiver answered {status}")
    return status


def public_address(host: str, port: int, *, allow_private: bool) -> str:
    """An address of the host. Raises WebhookError when it has none, or when any of them is not public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebhookError(f"the host {host[:100]} cannot be found") from error
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    if not allow_private and not all(is_public(each) for each in addresses):
        raise WebhookError(f"the host {host[:100]} leads into a private network, where webhooks may not go")
    return addresses[0]


def is_public(address: str) -> bool:
    """Is this an address of the open internet, and not one that leads elsewhere?"""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        elif any(ip in net for net in _CARRIERS):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


class _Pinned(http.client.HTTPConnection):
    """A connection to one checked address that still speaks to, and verifies, the name."""

    def __init__(self, host: str, port: int, *, address: str, secure: bool, timeout: float) -> None:
        super().__init__(host, port, timeout=timeout)
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
