"""Choose and run the extractor: ``llm`` where it is set up and the day's budget allows, else ``rules``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

import structlog
from django.conf import settings

from core import text
from core.llm import InvalidAnswer, Llm, LlmError, build
from core.models import Namespace
from memory.extractors.base import Extraction, Usage, Window
from memory.extractors.llm import MAX_TOKENS, LlmExtractor
from memory.extractors.rules import RulesExtractor
from memory.prompts import Prompt
from memory.services.budget import budget_reserve, budget_settle
from memory.services.prompts import prompt_for

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Run:
    """A result with the extractor that made it; ``fell_back`` says why ``rules`` stood in for ``llm``."""

    result: Extraction
    extractor: str
    prompt_version: str = ""
    fell_back: str = ""


@lru_cache(maxsize=1)
def _rules() -> RulesExtractor:
    return RulesExtractor()


def llm() -> Llm:
    """The model that the settings name; a seam for tests, which script one."""
    return build(settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY or None)


def run(*, window: Window, namespace: Namespace, now: datetime) -> Run:
    """Run the configured extractor over the window. At most one model call; the rules need none."""
    if settings.EXTRACTOR == "llm":
        return _run_llm(window, namespace, now)
    return _run_rules(window)


def _run_rules(window: Window, fell_back: str = "", usage: Usage | None = None) -> Run:
    rules = _rules()
    result = rules.extract(window)
    return Run(
        replace(result, usage=usage) if usage else result,
        f"{rules.name} {rules.version}",
        fell_back=fell_back,
    )


def _run_llm(window: Window, namespace: Namespace, now: datetime) -> Run:
    if not person_speaks(window=window):
        return Run(Extraction(), "llm")  # nothing a person said: nothing to ask a model about
    prompt = prompt_for(namespace=namespace, name="extract")
    asked = ask(window=window, namespace=namespace, prompt=prompt, now=now)
    if asked.refused:
        return _run_rules(
            window, fell_back=asked.refused, usage=None if asked.refused == "budget" else asked.result.usage
        )
    return Run(asked.result, f"llm {asked.version}"[:60], prompt.version)


def person_speaks(*, window: Window) -> bool:
    """Whether a person typed anything of what is to be scanned."""
    return any(u.in_scope and u.origin == "human" for u in window.utterances)


@dataclass(frozen=True)
class Asked:
    """A model's answer; ``refused`` says why there is none: budget, invalid_answer, unavailable (then ``error``)."""

    result: Extraction
    version: str
    refused: str = ""
    error: str = ""


def ask(*, window: Window, namespace: Namespace, prompt: Prompt, now: datetime) -> Asked:
    """One call of the model with this prompt, within the namespace's daily budget, which it is counted against."""
    extractor = LlmExtractor(
        model=llm(),
        prompt=prompt.text,
        prompt_version=prompt.version,
        payload_chars=settings.LLM_PAYLOAD_CHARS,
        timeout=settings.LLM_TIMEOUT_SECONDS,
    )
    reserved = text.tokens(prompt.text) + text.tokens(extractor.payload(window)) + MAX_TOKENS
    if not budget_reserve(namespace=namespace, tokens=reserved, now=now):
        return Asked(Extraction(), extractor.version, "budget")
    try:
        result = extractor.extract(window)
    except LlmError as error:
        spent = Usage(error.calls, error.prompt_tokens, error.completion_tokens)
        _settle(namespace, reserved, spent, now)
        reason = "invalid_answer" if isinstance(error, InvalidAnswer) else "unavailable"
        _log.warning("llm_failed", reason=reason, error=str(error))
        return Asked(Extraction(usage=spent), extractor.version, reason, str(error))
    _settle(namespace, reserved, result.usage, now)
    return Asked(result, extractor.version)


def _settle(namespace: Namespace, reserved: int, usage: Usage, now: datetime) -> None:
    used = usage.prompt_tokens + usage.completion_tokens
    budget_settle(namespace=namespace, reserved=reserved, used=used, now=now)
