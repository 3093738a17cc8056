"""Linear algebra runs on one thread: said before numpy is there, whichever way the process starts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_WATCHED = """
import builtins, importlib, os, sys

class Watch:
    seen = []
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            self.seen.append(os.environ.get("OPENBLAS_NUM_THREADS"))
        return None

sys.meta_path.insert(0, Watch())
importlib.import_module(sys.argv[1])
import numpy
print(Watch.seen)
"""


@pytest.mark.parametrize(
    "entry", ["config.env", "config.settings", "config.celery", "config.asgi", "config.choices"]
)
def test_numpy_finds_one_thread_asked_for(entry: str) -> None:
    assert _seen(entry) == "['1']"


def test_a_number_that_the_operator_has_set_stays() -> None:
    assert _seen("config.env", OPENBLAS_NUM_THREADS="4") == "['4']"


def _seen(entry: str, **more: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, entry],
        env={**environment, "DJANGO_SETTINGS_MODULE": "config.settings", "HIKAE_TESTING": "1", **more},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()
