"""What an extractor sees and what it may answer (design section 4, "Extraction").

Pure data, no Django and no room: the same shapes serve the `rules` extractor, the `llm`
extractor, the benchmarks and the tests.  An extractor proposes; it never writes.  Whoever
calls it validates every span again, because a span is the whole proof that a person said it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Utterance:
    """One stored message.

    `role` is user | assistant | tool | system; `origin` is human | agent | tool | system |
    injected | unknown (unknown counts as not human).  `in_scope` False marks context: its text
    may be adopted from, but is never proposed from.  `injected` holds (start, end) offsets into
    `text` of blocks that we or the host pasted there.
    """

    ref: str
    role: str
    origin: str
    text: str
    in_scope: bool
    at: datetime | None = None
    injected: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Window:
    """The utterances of one pass, oldest first, with the active names (None = none active).

    `mode` is "turn" (one closed exchange and the two before it as context) or "compaction"
    (a long range that is about to be summarised away).
    """

    utterances: tuple[Utterance, ...]
    persona: str | None
    workspace: str | None
    mode: str


@dataclass(frozen=True)
class Span:
    """A verbatim piece of one utterance: `quote == text[start:end]`.

    `role` is statement (the person said it), adoption (the person's "yes, do that") or adopted
    (the agent's words that were agreed to).
    """

    ref: str
    quote: str
    start: int
    end: int
    role: str


@dataclass(frozen=True)
class Proposal:
    """One thing worth a reviewer's look.

    `kind` is one of the closed six, `scope` is persona | workspace, `confidence` is 0..1,
    `why` is one short plain English phrase for the review page.
    """

    kind: str
    content: str
    scope: str
    confidence: float
    spans: tuple[Span, ...]
    why: str


@dataclass(frozen=True)
class RequestNote:
    """What the person asked for in utterance `ref`: raw material for Knowledge, never recalled."""

    ref: str
    intent: str
    target: str
    summary: str


@dataclass(frozen=True)
class Withdrawal:
    """The person took something back; `about` names what, as far as it can be told ("" if not)."""

    ref: str
    quote: str
    about: str


@dataclass(frozen=True)
class Usage:
    """What the pass cost: model calls and tokens.  All zero for an extractor without a model."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Extraction:
    """The result of one pass.  Empty tuples are a normal, cheap outcome."""

    proposals: tuple[Proposal, ...] = ()
    requests: tuple[RequestNote, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Extractor(Protocol):
    """Anything that turns a window into proposals.

    `name` and `version` are stored with every run, so that a candidate can be traced to the
    code that proposed it.
    """

    name: str
    version: str

    def extract(self, window: Window) -> Extraction: ...
