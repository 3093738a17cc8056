"""A person takes something back: close what the same session proposed (design section 4, Dedupe)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core import text
from core.actor import Actor
from core.errors import Conflict
from memory.extractors.base import Withdrawal
from memory.models import Candidate
from memory.services.transitions import change
from transcripts.models import AgentSession

ENOUGH_IN_COMMON = 0.3


def withdraw(*, session: AgentSession, notes: Sequence[Withdrawal], now: datetime) -> int:
    """Archive this session's own pending candidates that a withdrawal is about; returns how many.

    Only candidates that no other session has seen: what was said elsewhere still stands.

    The caller's transaction holds the gates of the session's homes (``Homes.lock``): candidates are looked for and
    closed one after the other here, and without them a sighting from another session could slip in between.
    """
    closed = 0
    for note in notes:
        candidate = _target(session, note)
        if candidate is None:
            continue
        try:
            change(
                candidate,
                version=candidate.version,
                allowed=["pending"],
                verb="candidate.withdrawn",
                actor=Actor.system(),
                status="archived",
                decision_reason="withdrawn",
                decided_at=now,
                now=now,
                data={"because": "taken back in the same session"},
            )
        except Conflict:
            continue  # a person decided meanwhile: that stands
        closed += 1
    return closed


def _target(session: AgentSession, note: Withdrawal) -> Candidate | None:
    said_before = Candidate.objects.filter(
        session=session, status="pending", times_seen=1, evidence__message_id__lt=int(note.ref)
    ).order_by("-first_seen_at", "-pk")
    about = _words(note.about) or _words(note.quote)
    best: tuple[float, Candidate | None] = (0.0, None)
    for candidate in said_before.distinct()[:20]:
        words = _words(candidate.content)
        if not about or not words:
            continue
        common = len(about & words) / min(len(about), len(words))
        if common > best[0]:
            best = (common, candidate)
    return best[1] if best[0] >= ENOUGH_IN_COMMON else None


def _words(said: str) -> set[str]:
    return {term for term in text.terms(said) if not text.is_weak_term(term)}
