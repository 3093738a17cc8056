"""Language models: `build` makes the one that the settings choose. Pure: no Django, no environment."""

from __future__ import annotations

from core.llm.openai_compat import OpenAICompatLlm
from core.llm.port import InvalidAnswer, Llm, LlmError, LlmUnavailable, Reply

__all__ = ["InvalidAnswer", "Llm", "LlmError", "LlmUnavailable", "Reply", "build"]


def build(base_url: str, model: str, api_key: str | None) -> Llm:
    """The model at this OpenAI-compatible address. Nothing is called yet. ValueError for a bad address or no model."""
    if not model:
        raise ValueError("a language model address needs a model name")
    return OpenAICompatLlm(base_url=base_url, model=model, api_key=api_key)
