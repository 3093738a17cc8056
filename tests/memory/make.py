"""Proposals as the pipeline would hand them over."""

from __future__ import annotations

from django.utils import timezone

from core.models import Namespace
from memory.inputs import Proposed
from transcripts.models import AgentSession


def proposal(
    namespace: Namespace,
    content: str,
    *,
    kind: str = "decision",
    session: str = "s1",
    trust: str = "human",
    source: str = "turn",
    confidence: float = 0.8,
) -> Proposed:
    """A grounded proposal from its own session; the same session name is the same session."""
    opened, _created = AgentSession.objects.get_or_create(
        user=namespace.owner,
        key=session,
        defaults={"persona": namespace, "workspace": namespace, "started_at": timezone.now()},
    )
    return Proposed(
        namespace=namespace,
        kind=kind,
        content=content,
        source=source,
        trust=trust,
        confidence=confidence,
        why="test",
        extractor="rules test",
        session=opened,
    )
