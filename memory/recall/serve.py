"""Recall for an agent: its scope, its answer, and the ledger of what it was shown (design sections 3, 4 and 7)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.models import AgentKey, Namespace
from core.redact import redact
from memory.models import Evidence, Memory
from memory.recall.query import RecallQuery, RecallResult
from memory.recall.search import recall
from memory.selectors.memories import evidence_of, memory_for_key
from memory.selectors.reach import reach_of_key
from transcripts.inputs import Shown
from transcripts.readers.lines import zone
from transcripts.selectors.shown import shown_since
from transcripts.services.exposures import exposure_record


@dataclass(frozen=True)
class Ask:
    """What ``recall/`` carries. A time without an offset is read in the session's zone, else as UTC.

    ``unless_shown_since``: leave out what the session was shown since then in its present version; its agent has it.
    """

    q: str
    namespace: tuple[str, ...] = ()
    k: int = 8
    budget: int | None = None
    as_of: datetime | None = None
    session: str = ""
    floor: bool = True
    unless_shown_since: datetime | None = None


@dataclass(frozen=True)
class Answer:
    """``paused``: namespaces that were asked about and contribute nothing for now."""

    result: RecallResult
    paused: tuple[Namespace, ...]


@dataclass(frozen=True)
class Provenance:
    """One memory as served: its text and the quotes that support it, both redacted once more."""

    memory: Memory
    content: str
    evidence: tuple[tuple[Evidence, str], ...]
    supersedes: tuple[uuid.UUID, ...]


def recall_for_key(*, agent_key: AgentKey, ask: Ask, now: datetime) -> Answer:
    """Answer, and record each text served as an exposure of the session, or of the key where there is none.

    Raises NotFound (``namespace_not_found``, ``session_not_found``) and Forbidden (``out_of_reach``).
    """
    reach = reach_of_key(key=agent_key, references=ask.namespace, session=ask.session)
    as_of = ask.as_of
    if as_of is not None and as_of.tzinfo is None:
        as_of = as_of.replace(tzinfo=(zone(reach.session.tz) if reach.session else None) or UTC)
    result = recall(
        query=RecallQuery(ask.q, reach.scope, k=ask.k, budget=ask.budget, as_of=as_of, floor=ask.floor)
    )
    if ask.unless_shown_since is not None and reach.session is not None:
        shown = shown_since(session=reach.session, record_type="memory", since=ask.unless_shown_since)
        fresh = tuple(hit for hit in result.hits if (str(hit.id), hit.memory.version) not in shown)
        result = replace(result, hits=fresh)
    exposure_record(
        session=reach.session,
        agent_key=agent_key,
        path="recall",
        items=[Shown("memory", str(hit.id), hit.memory.version, hit.content) for hit in result.hits],
        now=now,
    )
    return Answer(result, reach.paused)


def memory_get(*, agent_key: AgentKey, memory_id: uuid.UUID, now: datetime) -> Provenance:
    """One memory with where it comes from; recorded as an exposure too. Raises NotFound, Paused."""
    memory = memory_for_key(key=agent_key, memory_id=memory_id)
    content = redact(memory.content).text
    evidence = tuple((span, redact(span.quote).text) for span in evidence_of(memory))
    served = "\n".join([content, *(quote for _span, quote in evidence)])
    exposure_record(
        session=None,
        agent_key=agent_key,
        path="get",
        items=[Shown("memory", str(memory.pk), memory.version, served)],
        now=now,
    )
    older = Memory.objects.filter(superseded_by=memory, status="superseded").order_by("valid_from", "pk")
    return Provenance(memory, content, evidence, tuple(older.values_list("pk", flat=True)))
