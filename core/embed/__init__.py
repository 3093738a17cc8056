"""Embeddings: `build` makes the one that the settings choose. Pure: no Django, no environment."""

from __future__ import annotations

from core.embed.local import E5Embedder, UseEmbedder, e5_is_installed
from core.embed.openai_compat import OpenAICompatEmbedder
from core.embed.port import Embedder, EmbedUnavailable

__all__ = ["MODELS", "EmbedUnavailable", "Embedder", "UseEmbedder", "build"]

MODELS = ("auto", "e5", "use")


def build(
    model: str, base_url: str | None, api_key: str | None, model_name: str | None, timeout: float
) -> Embedder:
    """The embedder for these settings (design section 7).

    With `base_url`, the OpenAI-compatible endpoint and its `model_name`; else the built-in `model`: "e5", "use", or
    "auto" (e5 where its wheel is installed). Nothing is loaded or called before the first text. `timeout` in seconds.
    ValueError for an unknown model, a bad address, or an address without a model name.
    """
    if base_url:
        if not model_name:
            raise ValueError("an embedding address needs a model name")
        return OpenAICompatEmbedder(base_url=base_url, model=model_name, api_key=api_key, timeout=timeout)
    if model not in MODELS:
        raise ValueError(f"unknown embedding model {model!r}; allowed: {', '.join(MODELS)}")
    if model == "e5" or (model == "auto" and e5_is_installed()):
        return E5Embedder()
    return UseEmbedder()
