"""The ``llm`` extractor: any OpenAI-compatible model behind the same port as ``rules`` (design section 4).

The model only proposes. What it quotes is looked up in the stored messages here and checked again by the
pipeline, which drops and counts a proposal whose quotes do not stand there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from core import text
from core.llm import Llm
from memory.extractors.base import Extraction, Proposal, RequestNote, Span, Usage, Utterance, Window

MAX_TOKENS = 1_500
CUT = " […] "


class MemoryItem(BaseModel):
    """One memory as the model answers it."""

    kind: str
    scope: str
    content: str
    evidence: str
    message: int
    confidence: float = Field(default=0.5, ge=0, le=1)
    why: str = ""
    adopted: str | None = None
    adopted_message: int | None = None


class RequestItem(BaseModel):
    """One request as the model answers it."""

    message: int
    intent: str = ""
    target: str = ""
    summary: str


class Answer(BaseModel):
    """The whole answer; both lists may be empty."""

    memories: list[MemoryItem] = Field(default_factory=list)
    requests: list[RequestItem] = Field(default_factory=list)


class LlmExtractor:
    """One model call for each window. ``payload_chars`` caps what is sent; long tool output is cut first."""

    name = "llm"

    def __init__(
        self, *, model: Llm, prompt: str, prompt_version: str, payload_chars: int, timeout: float
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._payload_chars = payload_chars
        self._timeout = timeout
        self.version = f"{model.name} {prompt_version}"

    def payload(self, window: Window) -> str:
        """The numbered messages as sent, within the cap."""
        return render(window.utterances, self._payload_chars)

    def extract(self, window: Window) -> Extraction:
        """Raises core.llm.LlmError with the cost so far; an invalid answer is not asked for again."""
        if not any(u.in_scope and u.origin == "human" for u in window.utterances):
            return Extraction()
        reply = self._model.complete_json(
            system=self._prompt,
            user=self.payload(window),
            schema=Answer,
            max_tokens=MAX_TOKENS,
            timeout=self._timeout,
        )
        numbered = dict(enumerate(window.utterances, start=1))
        proposals = [_proposal(item, numbered) for item in reply.value.memories]
        requests = [
            RequestNote(
                u.ref,
                _storable(r.intent)[:40],
                _storable(r.target)[:200],
                _storable(r.summary)[:300],
            )
            for r in reply.value.requests
            if (u := numbered.get(r.message)) and u.in_scope and u.origin == "human" and r.summary.strip()
        ]
        usage = Usage(reply.calls, reply.prompt_tokens, reply.completion_tokens)
        return Extraction(tuple(proposals), tuple(requests), (), usage)


def _proposal(item: MemoryItem, numbered: dict[int, Utterance]) -> Proposal:
    """With the spans that were found; one that lacks any is for the pipeline to drop and count."""
    adoption = item.adopted is not None and item.adopted_message is not None
    spans = [_span(numbered.get(item.message), item.evidence, "adoption" if adoption else "statement")]
    if adoption:
        spans.append(_span(numbered.get(item.adopted_message or 0), item.adopted or "", "adopted"))
    found = tuple(span for span in spans if span is not None)
    content = _storable(item.content).strip()
    return Proposal(item.kind, content, item.scope, item.confidence, found, _storable(item.why)[:300])


def _storable(said: str) -> str:
    """A model may answer what no database stores; asking again would cost again."""
    return "".join(c for c in said if c != "\0" and not "\ud800" <= c <= "\udfff")


def _span(utterance: Utterance | None, quote: str, role: str) -> Span | None:
    if utterance is None:
        return None
    place = text.find_span(quote, utterance.text)
    if place is None:
        return None
    start, end = place
    return Span(utterance.ref, utterance.text[start:end], start, end, role)


def render(utterances: Sequence[Utterance], cap: int) -> str:
    """Messages as ``[n] role= origin= scan=`` blocks. Over the cap texts are cut in the middle, human words last."""
    heads = [
        f"[{n}] role={u.role} origin={u.origin} scan={'yes' if u.in_scope else 'no'}\n"
        for n, u in enumerate(utterances, start=1)
    ]
    room = max(cap - sum(len(head) + 2 for head in heads), 0)
    bodies = [u.text for u in utterances]
    for humans in (False, True):
        over = sum(map(len, bodies)) - room
        chosen = [i for i, u in enumerate(utterances) if (u.origin == "human") is humans]
        if over > 0 and chosen:
            allowed = max(sum(len(bodies[i]) for i in chosen) - over, 0) // len(chosen)
            for i in chosen:
                bodies[i] = _middle_cut(bodies[i], allowed)
    return "\n\n".join(head + body for head, body in zip(heads, bodies, strict=True))[: cap + 200]


def _middle_cut(body: str, allowed: int) -> str:
    if len(body) <= allowed:
        return body
    half = max((allowed - len(CUT)) // 2, 0)
    return body[:half] + CUT + body[len(body) - half :] if half else ""
