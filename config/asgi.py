"""The ASGI entry point that uvicorn serves."""

from __future__ import annotations

import os
import threading

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()


def _warm() -> None:
    """Load the embedding model before the first question needs it (one to two seconds)."""
    from memory.embedder import embed

    embed(["ready"], query=True)


threading.Thread(target=_warm, name="warm-embedder", daemon=True).start()
