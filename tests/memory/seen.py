"""Candidates with the words that support them, in as many sessions as a test wants."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.models import AgentKey, Namespace
from memory.inputs import Proposed, SpanIn
from memory.models import Candidate
from memory.services.candidates import candidate_propose
from tests import build


def seen(
    agent_key: AgentKey,
    namespace: Namespace,
    content: str,
    *,
    at: datetime,
    sessions: int = 3,
    kind: str = "preference",
    trust: str = "human",
    confidence: float = 0.95,
    every: timedelta = timedelta(0),
) -> Candidate:
    """The person said it in so many sessions, the first ``at``, each further one ``every`` later."""
    found: Candidate | None = None
    for number in range(sessions):
        moment = at + every * number
        name = f"{content[:30]} {number}"
        turn = build.turn(agent_key, content, session=name, now=moment)
        message = build.messages(turn)[0]
        span = SpanIn(message, "statement", message.origin, content, 0, len(content), moment)
        found = candidate_propose(
            proposal=Proposed(
                namespace=namespace,
                kind=kind,
                content=content,
                source="turn",
                trust=trust,
                confidence=confidence,
                spans=(span,),
                session=turn.session,
                agent_key=agent_key,
            ),
            now=moment,
        ).candidate
    assert found is not None
    return found
