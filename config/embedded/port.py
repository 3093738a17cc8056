"""The web's port on the loopback interface."""

from __future__ import annotations

import errno
import socket
import urllib.error
import urllib.request

from config.embedded import processes
from config.embedded.errors import EmbeddedError, PortTaken

HOST = "127.0.0.1"
DEFAULT = 8000


def site(port: int) -> str:
    return f"http://{HOST}:{port}/"


def bind(port: int) -> socket.socket:
    """A listening socket that children inherit. Raises PortTaken (exit 4)."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Port {port} is taken by another program. Choose another one: bin/up --port {port + 1}"
            ) from error
        raise EmbeddedError(f"Port {port} cannot be used: {error.strerror}.") from error
    return listening


def answers(port: int, path: str = "healthz", seconds: float = 3.0) -> bool:
    """True when our site answers 200 there."""
    try:
        # Straight to this machine: a proxy named in the environment has no business here.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(site(port) + path, timeout=seconds) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False


def wait_for(port: int, path: str, seconds: float) -> bool:
    return processes.wait_until(lambda: answers(port, path), seconds, step=0.5)
