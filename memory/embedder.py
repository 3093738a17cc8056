"""The embedding models, loaded once a process: the one that answers questions, and the one that compares proposals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import structlog
from django.conf import settings

from core.embed import Embedder, EmbedUnavailable, UseEmbedder, build
from memory.inputs import Vector

_log = structlog.get_logger(__name__)


@lru_cache(maxsize=1)
def embedder() -> Embedder | None:
    """The embedder, or None when EMBED_MODEL is ``none``."""
    if settings.EMBED_MODEL == "none":
        return None
    remote = settings.EMBED_BASE_URL if settings.EMBED_MODEL == "openai" else None
    return build(
        "auto" if settings.EMBED_MODEL == "openai" else settings.EMBED_MODEL,
        remote,
        settings.EMBED_API_KEY or None,
        settings.EMBED_NAME or None,
        timeout=10.0,
    )


@lru_cache(maxsize=1)
def comparer() -> Embedder | None:
    """What tells whether a proposal repeats another; None when EMBED_MODEL is ``none``.

    Always the light built-in model: it finds more repeats than e5 does and costs a tenth (benchmarks/dedupe.py),
    every scan pays it, and what it made stays comparable when the recall model is exchanged.
    """
    return None if settings.EMBED_MODEL == "none" else UseEmbedder()


def comparable(texts: Sequence[str]) -> list[Vector | None]:
    """One vector a text, of the space in which proposals are compared; None for each when no model runs here."""
    model = comparer()
    if model is None or not texts:
        return [None] * len(texts)
    try:
        return [Vector(model.space, values) for values in model.embed(list(texts))]
    except EmbedUnavailable as error:
        _log.warning("no_vectors", error=str(error))
        return [None] * len(texts)


def embed(texts: Sequence[str], *, query: bool = False) -> tuple[str, list[list[float]]] | None:
    """(space, unit vectors), or None when there are no vectors now: everything goes on with words alone.

    Call it outside transactions: it computes for milliseconds, or asks the network.
    """
    model = embedder()
    if model is None or not texts:
        return None
    try:
        return model.space, model.embed(list(texts), query=query)
    except EmbedUnavailable as error:
        _log.warning("no_vectors", error=str(error))
        return None


def current_space() -> str:
    """Name of the space new vectors are made in; empty without vectors, for ever or for now."""
    model = embedder()
    try:
        return model.space if model else ""
    except EmbedUnavailable as error:  # an endpoint that was never reached has not told its dimensions
        _log.warning("no_vectors", error=str(error))
        return ""
