"""Drafts in better words, where a language model is set up and the day's budget allows; the same gate either way.

A model's answer is used whole or not at all (``knowledge.night.answers``); then the template's words stand. Calls
happen outside transactions, one for each new note.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from django.conf import settings

from core import text
from core.llm import InvalidAnswer, Llm, LlmError, build
from core.models import Namespace
from core.redact import redact
from knowledge.night import answers
from knowledge.night.material import Drafted
from knowledge.notes import slugs
from knowledge.services.night.skips import Skip
from knowledge.services.night.stage import Findings, Night
from memory.prompts import Prompt
from memory.services.budget import budget_reserve, budget_settle
from memory.services.prompts import prompt_for

PROMPT = "consolidate"
MODEL_ADDS = 0.05  # to the confidence: words that a person would rather accept
_log = structlog.get_logger(__name__)


def llm() -> Llm:
    """The model that the settings name; a seam for tests, which script one."""
    return build(settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY or None)


@dataclass(frozen=True)
class Worded:
    """The draft as it is now. ``refused`` says why it is still the template's: budget, invalid_answer, unavailable,
    unfounded (then ``why``); empty when the model's words stand. ``tokens`` are those that were spent.
    """

    drafted: Drafted
    refused: str = ""
    why: str = ""
    tokens: int = 0


def word(
    *, drafted: Drafted, namespace: Namespace, prompt: Prompt, now: datetime, taken: Collection[str]
) -> Worded:
    """Ask the model once for better words, within the namespace's daily budget, which it is counted against."""
    asked = answers.question(drafted, cap=settings.LLM_PAYLOAD_CHARS)
    reserved = text.tokens(prompt.text) + text.tokens(asked) + answers.MAX_TOKENS
    if not budget_reserve(namespace=namespace, tokens=reserved, now=now):
        return Worded(drafted, "budget")
    try:
        reply = llm().complete_json(
            system=prompt.text,
            user=asked,
            schema=answers.NoteAnswer,
            max_tokens=answers.MAX_TOKENS,
            timeout=settings.LLM_TIMEOUT_SECONDS,
        )
    except LlmError as error:
        spent = error.prompt_tokens + error.completion_tokens
        budget_settle(namespace=namespace, reserved=reserved, used=spent, now=now)
        refused = "invalid_answer" if isinstance(error, InvalidAnswer) else "unavailable"
        return Worded(drafted, refused, str(error), spent)
    spent = reply.prompt_tokens + reply.completion_tokens
    budget_settle(namespace=namespace, reserved=reserved, used=spent, now=now)
    why = answers.problem(reply.value, drafted)
    if why:
        return Worded(drafted, "unfounded", why, spent)
    return Worded(_reworded(drafted, reply.value, taken), tokens=spent)


class Writer:
    """Words the drafts of one night, and writes down what it cost; after a failure that will repeat it stops asking."""

    def __init__(self, night: Night, found: Findings) -> None:
        self._night, self._found = night, found
        self._asks = str(settings.EXTRACTOR) == "llm"
        self._prompt = prompt_for(namespace=night.namespace, name=PROMPT) if self._asks else None

    def better(self, drafted: Drafted, *, taken: Collection[str]) -> Drafted:
        """The draft in a model's words, or as it is."""
        if not self._asks or self._prompt is None:
            return drafted
        night = self._night
        worded = word(
            drafted=drafted, namespace=night.namespace, prompt=self._prompt, now=night.now, taken=taken
        )
        night.keep_alive()
        self._found.tokens += worded.tokens
        if worded.refused:
            self._found.skipped[Skip.TEMPLATE] += 1
            _log.warning("night_words", reason=worded.refused, why=worded.why)
            self._asks = worded.refused not in ("budget", "unavailable")
            return drafted
        self._found.used_model = True
        return worded.drafted


def _reworded(drafted: Drafted, answer: answers.NoteAnswer, taken: Collection[str]) -> Drafted:
    """In the model's words, redacted. The slug stays the subjects' when the new title has no Latin letters."""
    title = redact(answer.title.strip()).text
    slug = drafted.slug
    if title.isascii():
        slug = slugs.suggest(title, taken)
    return replace(
        drafted,
        title=title,
        slug=slug,
        description=redact(answer.description.strip()).text,
        body=redact(answer.body.strip("\n")).text,
        confidence=min(round(drafted.confidence + MODEL_ADDS, 2), 0.95),
        pieces=answers.used(answer, drafted),
    )
