"""What somebody types over a candidate: secrets cut, and its meaning worked out before the transaction."""

from __future__ import annotations

import uuid
from datetime import datetime

from core.actor import Decider
from core.redact import redact
from memory.models import Candidate
from memory.services import gate
from memory.services.remember import vector_of


def candidate_rewrite(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    content: str,
    kind: str,
    namespace_id: uuid.UUID,
    now: datetime,
) -> Candidate:
    """Store it as the candidate's text. Raises what ``gate.candidate_edit`` raises."""
    content = redact(content).text.strip()
    return gate.candidate_edit(
        candidate_id=candidate_id,
        version=version,
        user=user,
        content=content,
        kind=kind,
        namespace_id=namespace_id,
        now=now,
        vector=vector_of(content),
    )
