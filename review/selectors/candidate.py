"""One candidate: itself, where it comes from, and what happened to it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from core.models import AuditEvent
from memory.models import Candidate, Evidence, Memory, Sighting
from review.selectors.queue import with_relations
from review.selectors.segments import Segment, excerpt, segments
from transcripts import limits
from transcripts.models import AgentSession, Message, Turn

TURNS_EACH_SIDE = 2
SIGHTINGS_SHOWN = 12


@dataclass(frozen=True)
class Said:
    """A message with its text in pieces; ``cited`` when evidence stands in it."""

    message: Message
    pieces: Sequence[Segment]
    cited: bool


@dataclass(frozen=True)
class SourcePanel:
    """Where a candidate comes from.

    ``state``: ``talk`` (the conversation), ``foreign`` (another person's conversation: quotes alone),
    ``purged`` (the messages are gone, the quotes stay), ``none`` (nobody's words support it). ``merged``: duplicates
    that were closed in favour of it. ``kept_until``: what was purged could have gone from then on; ``kept_days``: why.
    """

    candidate: Candidate
    state: str
    evidence: Sequence[Evidence]
    talk: Sequence[Said]
    sightings: Sequence[Sighting]
    first_message: int | None
    merged: Sequence[Candidate] = ()
    kept_until: datetime | None = None
    kept_days: int = limits.TRANSCRIPT_RETENTION_DAYS


def candidate_for(*, user: User, candidate_id: uuid.UUID) -> Candidate:
    """The candidate, for somebody who may review it. Raises Forbidden for readers, NotFound for strangers."""
    found = with_relations(Candidate.objects.reviewable_by(user)).filter(pk=candidate_id).first()
    if found is not None:
        return found
    if Candidate.objects.visible_to(user).filter(pk=candidate_id).exists():
        raise Forbidden(_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."))
    raise NotFound(_("There is no such candidate."))


def kind_for(*, user: User, candidate_id: uuid.UUID) -> str:
    """Its kind alone, for an act that a person waits for: a third of the cost of the whole row. Raises the same."""
    kind = (
        Candidate.objects.reviewable_by(user).filter(pk=candidate_id).values_list("kind", flat=True).first()
    )
    return kind or candidate_for(user=user, candidate_id=candidate_id).kind


def source_of(*, user: User, candidate: Candidate) -> SourcePanel:
    """Evidence marked in its turn, with two turns before and after it."""
    evidence = list(candidate.evidence.select_related("message__turn").all())
    cited = [item.message for item in evidence if item.message is not None]
    sightings = list(candidate.sightings.order_by("-at")[:SIGHTINGS_SHOWN])
    merged = list(
        candidate.merged.filter(status="rejected").defer("vector", "blocks").order_by("pk")[:SIGHTINGS_SHOWN]
    )
    state, talk = "none", list[Said]()
    if evidence and not cited:
        state = "purged"
    elif cited and AgentSession.objects.visible_to(user).filter(pk=cited[0].session_id).exists():
        state = "talk"
        talk = [said(message, evidence, whole=False) for message in _around([m.turn for m in cited])]
    elif cited:
        state = "foreign"  # a conversation belongs to the person who held it (design section 2)
    said_last = max((item.at for item in evidence), default=None) if state == "purged" else None
    kept_until = said_last + timedelta(days=limits.TRANSCRIPT_RETENTION_DAYS) if said_last else None
    first = cited[0].pk if cited else None
    return SourcePanel(candidate, state, evidence, talk, sightings, first, merged, kept_until)


def said(message: Message, evidence: Iterable[Evidence], *, whole: bool) -> Said:
    """A message with its evidence marked; ``whole`` shows all of it, else only what is near."""
    marks = [(item.start, item.end) for item in evidence if item.message_id == message.pk]
    injected = [(int(low), int(high)) for low, high in message.injected]
    shown = None if whole else excerpt(len(message.text), marks)
    return Said(message, segments(message.text, marks, injected, shown), bool(marks))


def _around(turns: Sequence[Turn]) -> list[Message]:
    ordered = sorted(turns, key=lambda turn: (turn.opened_at, turn.pk))
    first, last = ordered[0], ordered[-1]
    ids = [turn.pk for turn in ordered]
    ids += Turn.objects.before(first).values_list("pk", flat=True)[:TURNS_EACH_SIDE]
    ids += Turn.objects.after(last).values_list("pk", flat=True)[:TURNS_EACH_SIDE]
    rows = Message.objects.filter(turn_id__in=ids, session_id=first.session_id)
    return list(rows.order_by("turn__opened_at", "turn_id", "index", "pk"))


def timeline(row: Candidate | Memory) -> list[AuditEvent]:
    """What happened to it, the latest first. The caller has checked that its reader may see the row."""
    return timeline_of(str(row._meta.model_name), row.pk)


def timeline_of(object_type: str, object_id: uuid.UUID) -> list[AuditEvent]:
    """The same for anything that is audited."""
    events = AuditEvent.objects.filter(object_type=object_type, object_id=str(object_id))
    return list(events.order_by("-id")[:100])
