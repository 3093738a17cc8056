"""What an extractor says is checked against the stored messages before it counts (design section 4, Ground)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core import text
from memory.extractors.base import Proposal, Span
from memory.inputs import SpanIn
from memory.models import KINDS, TrustTier
from transcripts.models import Message, Origin
from transcripts.served import Served

MAX_WIDTH = 320  # columns: a pasted turn is not a memory


@dataclass(frozen=True)
class Grounded:
    """A proposal with spans that stand where it says, and the trust that follows from them."""

    proposal: Proposal
    spans: tuple[SpanIn, ...]
    trust: str


def ground(
    proposal: Proposal, *, messages: Mapping[str, Message], in_scope: set[str], served: Served
) -> Grounded | str:
    """The grounded proposal, or the reason why it is dropped (a word for the ledger).

    ``messages`` maps an utterance's ref to its message; ``served`` knows what Hikae showed there.
    """
    if proposal.kind not in KINDS or proposal.scope not in ("persona", "workspace"):
        return "not_understood"
    if not text.normal_form(proposal.content):
        return "empty"
    if text.width(proposal.content) > MAX_WIDTH:
        return "too_long"
    if "[redacted:" in proposal.content:
        return "secret"
    if served.holds(proposal.content):
        return "served"
    spans: list[SpanIn] = []
    for span in proposal.spans:
        checked = _check(span, messages, in_scope)
        if isinstance(checked, str):
            return checked
        spans.append(checked)
    roles = {span.role for span in spans}
    if not _in_order(proposal.spans, list(messages)):
        return "not_adopted"
    if roles == {"statement"}:
        trust = TrustTier.HUMAN
    elif roles == {"adoption", "adopted"}:
        trust = TrustTier.CONFIRMED
    else:
        return "no_quote"
    language = text.language(proposal.content)
    if language != "und" and language not in {text.language(span.quote) for span in spans} | _around(spans):
        return "other_language"
    return Grounded(proposal, tuple(spans), trust)


def _in_order(spans: Sequence[Span], refs: Sequence[str]) -> bool:
    """Agreeing follows what is agreed to; nobody adopts what the agent says later."""
    adopted = [refs.index(span.ref) for span in spans if span.role == "adopted"]
    agreed = [refs.index(span.ref) for span in spans if span.role == "adoption"]
    return not (adopted and agreed) or max(adopted) < min(agreed)


def _check(span: Span, messages: Mapping[str, Message], in_scope: set[str]) -> SpanIn | str:
    message = messages.get(span.ref)
    if message is None or not span.quote.strip() or span.start < 0:
        return "no_quote"
    # A slice forgives an end beyond the text; evidence does not.
    if span.end != span.start + len(span.quote) or message.text[span.start : span.end] != span.quote:
        return "no_quote"
    if any(start < span.end and span.start < end for start, end in message.injected):
        return "served"
    if span.role == "adopted":
        if message.origin != Origin.AGENT:
            return "not_adoptable"
    elif message.origin != Origin.HUMAN or span.ref not in in_scope:
        return "not_human"
    return SpanIn(message, span.role, message.origin, span.quote, span.start, span.end, message.at)


def _around(spans: Sequence[SpanIn]) -> set[str]:
    """Languages of the whole messages: a quote of two words ("use pnpm") may have none of its own."""
    return {text.language(span.message.text) for span in spans if span.message is not None}
