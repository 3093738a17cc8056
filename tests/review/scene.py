"""People and candidates for the pages' tests, made by the services that make real ones."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from core.models import AgentKey, Namespace
from core.services.members import member_set
from knowledge.models import Proposal
from knowledge.services.inbox import reports_file
from memory.inputs import Proposed, SpanIn
from memory.models import Candidate, Memory
from memory.services.candidates import candidate_propose
from memory.services.gate import candidate_approve
from memory.services.reports import memory_report
from tests import build
from transcripts.models import Turn


def signed_in(user: User, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def share(namespace: Namespace, owner: User, user: User, role: str) -> None:
    member_set(namespace=namespace, by=owner, user=user, role=role, now=timezone.now())


def propose(
    namespace: Namespace,
    content: str = "Use pnpm, not npm.",
    *,
    kind: str = "preference",
    source: str = "turn",
    trust: str = "human",
    confidence: float = 0.9,
    turn: Turn | None = None,
    quote: str = "",
    flags: tuple[str, ...] = (),
    days_ago: float = 0,
    agent_key: AgentKey | None = None,
) -> Candidate:
    """A waiting candidate; with a turn, its evidence is ``quote`` in the turn's first message."""
    now = timezone.now() - timedelta(days=days_ago)
    spans: tuple[SpanIn, ...] = ()
    if turn is not None:
        message = next(each for each in build.messages(turn) if (quote or content) in each.text)
        start = message.text.index(quote or content)
        spans = (
            SpanIn(
                message,
                "statement",
                message.origin,
                quote or content,
                start,
                start + len(quote or content),
                now,
            ),
        )
    made = candidate_propose(
        proposal=Proposed(
            namespace=namespace,
            kind=kind,
            content=content,
            source=source,
            trust=trust,
            confidence=confidence,
            why="states a standing rule ('from now on')",
            extractor="rules 1",
            spans=spans,
            session=turn.session if turn else None,
            agent_key=agent_key,
            flags=flags,
        ),
        now=now,
    ).candidate
    assert made is not None
    return made


def remembered(
    user: User, namespace: Namespace, content: str = "Use pnpm, not npm.", **kwargs: object
) -> Memory:
    """An approved memory."""
    waiting = propose(namespace, content, **kwargs)  # type: ignore[arg-type]
    return approved(user, waiting)


def approved(user: User, waiting: Candidate, now: datetime | None = None) -> Memory:
    return candidate_approve(
        candidate_id=waiting.pk, version=waiting.version, user=user, now=now or timezone.now()
    )


def reported(key: AgentKey, memory: Memory, reason: str, *, wanted: str = "") -> Proposal:
    """What an agent says about a memory, as it waits in the queue."""
    now = timezone.now()
    report = memory_report(agent_key=key, memory_id=memory.pk, reason=reason, text_wanted=wanted, now=now)
    reports_file(now=now)
    return Proposal.objects.get(report=report)
