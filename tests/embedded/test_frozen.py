"""What the web process has loaded at its start is never looked through for garbage again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_STARTED = """
import gc, threading
import config.asgi
for thread in threading.enumerate():
    if thread.name == "warm-embedder":
        thread.join()
print(gc.get_freeze_count() > 20 * len(gc.get_objects()))
"""


@pytest.mark.parametrize("model", ["none", "use"])
def test_what_is_loaded_is_set_aside_once_the_model_is_there_or_known_to_be_missing(model: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _STARTED],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "HIKAE_TESTING": "1",
            "EMBED_MODEL": model,
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "True", done.stderr
