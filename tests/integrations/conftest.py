"""The whole web application on a real port: pages, REST and MCP, as bin/up serves them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from django.db import connections


@pytest.fixture(scope="session")
def _server(django_db_setup: None) -> Iterator[str]:
    # Its threads outlive a test; a connection that one kept would hold up the next test's TRUNCATE.
    connections["default"].settings_dict["CONN_MAX_AGE"] = 0
    from config.asgi import application

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, lifespan="on", access_log=False, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    assert not thread.is_alive()


@pytest.fixture
def site(_server: str, transactional_db: None) -> str:
    """Its address, without a slash at the end. What the test commits, the server sees."""
    return _server
