"""The places of a workspace, told so that a person knows them: a fingerprint is a hash."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User

from core.models import Fingerprint, Namespace
from memory.models import Candidate, Memory
from transcripts.models import AgentSession, Message

SHOWN = 160  # characters of what was typed there
LISTED = 20  # of what moves


@dataclass
class Place:
    """One fingerprint. ``talk`` is the person's own latest session there, ``typed`` how it began; ``together`` are the
    other places in which sessions from here ran too, such as a folder's repository.
    """

    fingerprint: Fingerprint
    sessions: int = 0
    last_at: datetime | None = None
    talk: AgentSession | None = None
    typed: str = ""
    together: Sequence[str] = field(default_factory=list)

    @property
    def is_remote(self) -> bool:
        return self.fingerprint.value.startswith("r:")

    @property
    def short(self) -> str:
        return short(self.fingerprint.value)


@dataclass(frozen=True)
class Places:
    """``without``: sessions whose client named no place; no split moves them."""

    rows: Sequence[Place]
    without: int


@dataclass(frozen=True)
class Moving:
    """What would move: the latest ``LISTED`` of each, all of them counted, and how much stays."""

    memories: Sequence[Memory]
    candidates: Sequence[Candidate]
    memory_count: int
    candidate_count: int
    memories_stay: int
    candidates_stay: int


def moving(
    *, user: User, workspace: Namespace, memories: Collection[uuid.UUID], candidates: Collection[uuid.UUID]
) -> Moving:
    """The rows behind a plan's ids. A deleted memory has no text: it is counted with none of them."""
    kept = Memory.objects.visible_to(user).filter(namespace=workspace).exclude(status="deleted")
    waiting = Candidate.objects.reviewable_by(user).filter(namespace=workspace)
    going, leaving = kept.filter(pk__in=memories), waiting.filter(pk__in=candidates)
    m, c = going.count(), leaving.count()
    return Moving(
        list(going.defer("blocks").order_by("-valid_from", "-pk")[:LISTED]),
        list(leaving.open().defer("vector", "blocks").order_by("-last_seen_at", "-pk")[:LISTED]),
        m,
        c,
        kept.count() - m,
        waiting.count() - c,
    )


def short(value: str) -> str:
    """Enough of a hash to tell two apart."""
    return value[2:10]


def places_of(*, user: User, workspace: Namespace) -> Places:
    """Counts are of everybody's sessions, texts of the person's own. The caller has checked that they own it."""
    found = {each.value: Place(each) for each in workspace.fingerprints.order_by("-value")}
    near: dict[str, Counter[str]] = {value: Counter() for value in found}
    without = 0
    rows = AgentSession.objects.filter(workspace=workspace).order_by("started_at")
    for session in rows.only("pk", "user_id", "fingerprints", "started_at", "last_turn_at"):
        here = [value for value in session.fingerprints if value in found]
        without += not here
        for value in here:
            place = found[value]
            place.sessions += 1
            place.last_at = max(filter(None, (place.last_at, session.last_turn_at or session.started_at)))
            place.talk = session if session.user_id == user.pk else place.talk
            near[value].update(other for other in here if other != value)
    typed = _began(user, [place.talk.pk for place in found.values() if place.talk])
    for value, place in found.items():
        place.typed = typed.get(place.talk.pk, "") if place.talk else ""
        place.together = [short(other) for other, _n in near[value].most_common(3)]
    return Places(list(found.values()), without)


def _began(user: User, sessions: Sequence[uuid.UUID]) -> dict[uuid.UUID, str]:
    rows = Message.objects.filter(session__in=AgentSession.objects.visible_to(user).filter(pk__in=sessions))
    first = rows.filter(origin="human").order_by("session_id", "pk").distinct("session_id")
    return {pk: " ".join(text.split())[:SHOWN] for pk, text in first.values_list("session_id", "text")}
