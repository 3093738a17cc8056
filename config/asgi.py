"""The ASGI entry point that uvicorn serves: pages and REST as one application, MCP as another beside it.

Django runs as the synchronous application that all its views and half its middleware are: one hop to a thread a
request. Under Django's own ASGI handler each change between synchronous and asynchronous middleware is a hop, and
those hops were measured to cost more than the request itself (13 ms of CPU for `POST turns/`, half of it hops).
"""

from __future__ import annotations

import gc
import os
import threading
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.beside import Beside
from config.sized import Sized

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Threads share two cores and one interpreter: more of them only wait for each other.
THREADS = 8

# Both type hints name the same protocol (PEP 3333, ASGI 3), each in its own words.
_pages: Any = WSGIMiddleware(cast(Any, get_wsgi_application()), workers=THREADS)

# Imported here and not above: its models need Django, which the line before has set up.
from integrations.mcp import http as mcp  # noqa: E402

application = Beside(
    Sized(_pages, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE), mcp.application(), paths=mcp.PATHS
)


def _warm() -> None:
    """Load the embedding model before the first question needs it (one to two seconds).

    What is loaded by then stays: frozen, it is never again looked through for garbage, which would stop every request
    for some 100 ms once in a thousand of them.
    """
    from memory.embedder import embed

    embed(["ready"], query=True)
    gc.collect()
    gc.freeze()


threading.Thread(target=_warm, name="warm-embedder", daemon=True).start()
