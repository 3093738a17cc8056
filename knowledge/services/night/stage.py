"""What a stage of the night gets, and what it gives back (design section 6, night shift)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from core.models import Namespace
from knowledge.models import ConsolidationRun
from knowledge.services.night.skips import Skip


@dataclass(frozen=True)
class Source:
    """What a draft was made from. ``digest`` (SHA-256 of the text) tells an edited text from an untouched one."""

    type: str  # memory, request, point, knowledge, summary
    id: str
    version: int = 1
    digest: str = ""

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"type": self.type, "id": self.id, "version": self.version}
        return {**shown, "sha256": self.digest} if self.digest else shown


@dataclass(frozen=True)
class Draft:
    """One change to put before a person; ``payload`` as ``knowledge.payloads`` reads it, ``confidence`` 0 to 1.

    ``reason`` is one sentence for the person who decides. ``sources`` exist; the memories among them are checked to
    be active ones of the namespace when the draft is filed.
    """

    kind: str
    payload: Mapping[str, Any]
    reason: str
    confidence: float
    sources: tuple[Source, ...] = ()


@dataclass
class Findings:
    """What a stage found. ``carry``: memories that the next night must look at although they do not change."""

    drafts: list[Draft] = field(default_factory=list)
    looked_at: int = 0
    skipped: Counter[Skip] = field(default_factory=Counter)
    carry: set[uuid.UUID] = field(default_factory=set)
    tokens: int = 0
    used_model: bool = False


@dataclass(frozen=True)
class Night:
    """One night of one namespace.

    ``since`` is when the last night looked (None: never), ``changed`` the active memories that are new, changed or
    part of a proposal that was decided since then. ``keep_alive`` renews the lease: call it between batches and after
    every answer of a model; it raises LeaseLost when another worker has taken over.
    """

    namespace: Namespace
    run: ConsolidationRun
    now: datetime
    since: datetime | None
    changed: frozenset[uuid.UUID]
    keep_alive: Callable[[], None]


class Stage(Protocol):
    """Reads, outside any transaction, and returns drafts; it writes nothing. It may be called again after a crash."""

    @property
    def name(self) -> str:
        """Its key in the report: a short word."""
        ...

    def __call__(self, night: Night) -> Findings: ...
