"""The same thing said twice: hand one's evidence to the other (review-ux lines 9 and 15, Linear's "duplicate")."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Conflict, Invalid, NotFound
from core.locks import lock
from memory.models import Candidate, Evidence, Memory, Sighting
from memory.services.candidates import repin
from memory.services.transitions import OPEN, candidate_for_review, change, decided
from transcripts.services.pins import turn_unpin


@dataclass(frozen=True)
class Into:
    """What a duplicate repeats: ``type`` is candidate or memory."""

    type: str
    id: uuid.UUID


@transaction.atomic
def candidate_merge(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    into: Into,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Candidate:
    """Close a candidate as a duplicate of another one, or of a memory, in the same namespace.

    Evidence and sightings move to the target (for a memory: to the candidate that led to it; a loaded memory has none,
    and the duplicate keeps them). No tombstone: what was said twice may be said again, and counts for the target.
    ``gate.candidate_undo`` takes it back. Raises Conflict, NotFound, Forbidden, Invalid (``into``).
    """
    candidate = candidate_for_review(candidate_id=candidate_id, user=user)
    lock(f"gate:{candidate.namespace_id}")
    target, memory = _target(candidate, into)
    absorb(
        candidate=candidate, version=version, target=target, memory=memory, user=user, group=group, now=now
    )
    return candidate


def absorb(
    *,
    candidate: Candidate,
    version: int,
    target: Candidate | None,
    memory: Memory | None,
    user: Decider,
    group: uuid.UUID | None,
    now: datetime,
) -> None:
    """Hand over and close, under the caller's lock of the gate. At least one of target and memory is given."""
    trail = _hand_over(candidate, target, now) if target else {}
    into = target or memory
    change(
        candidate,
        version=version,
        allowed=OPEN,
        verb="candidate.merged",
        actor=Actor.of(user),
        status="rejected",
        **decided(by=user, now=now, reason="duplicate"),
        merged_into=target,
        merge_trail=trail,
        memory=memory,
        set_aside_until=None,
        error="",
        now=now,
        group=group,
        data={"into": into._meta.model_name, "id": str(into.pk)} if into else None,
    )
    turn_unpin(holder=f"candidate:{candidate.pk}")
    repin(target or candidate)


def merge_take_back(candidate: Candidate) -> None:
    """Return what was handed over. Inside the undoing transaction, before the row changes.

    That is its own rows, and those of candidates that are merged into it still. The target may have been merged itself
    meanwhile: what it handed on is fetched from there, and each candidate on the way counts fewer sessions.
    """
    trail = candidate.merge_trail
    if not trail:
        return
    way: list[Candidate] = []
    step = candidate.merged_into
    while step is not None:
        way.append(step)
        step = step.merged_into
    place = {row.pk: number for number, row in enumerate(way)}
    evidence, sightings = _rows_of([candidate, *merged_into(candidate)])
    rows = Sighting.objects.filter(pk__in=sightings, candidate__in=way)
    passed = Counter(
        row.pk for holder in rows.values_list("candidate_id", flat=True) for row in way[: place[holder] + 1]
    )
    rows.update(candidate=candidate)
    Evidence.objects.filter(pk__in=evidence, candidate__in=way).update(candidate=candidate)
    for pk, count in passed.items():
        Candidate.objects.filter(pk=pk).update(times_seen=Greatest(1, F("times_seen") - count))
    # The target's clock goes back, unless something else has touched it meanwhile.
    Candidate.objects.filter(
        pk__in=[row.pk for row in way[:1]], status="pending", touched_at=datetime.fromisoformat(trail["at"])
    ).update(touched_at=datetime.fromisoformat(trail["touched_at"]))
    for row in way:
        turn_unpin(holder=f"candidate:{row.pk}")
        if row.status != "rejected":
            repin(row)


def _target(candidate: Candidate, into: Into) -> tuple[Candidate | None, Memory | None]:
    """The candidate that takes the evidence, and the memory behind it; at least one of the two."""
    missing = NotFound(_("There is nothing of that kind in this namespace to merge into."), field="into")
    if into.type == "memory":
        memory = Memory.objects.filter(pk=into.id, namespace_id=candidate.namespace_id).first()
        if memory is None:
            raise missing
        if memory.status != "active":
            raise Conflict(_("That memory is no longer active."), code="target_gone", status=memory.status)
        return memory.candidates.filter(status="approved").order_by("decided_at").first(), memory
    if into.type != "candidate":
        raise Invalid(_("Unknown target."), field="into", allowed=["candidate", "memory"])
    target = Candidate.objects.filter(pk=into.id, namespace_id=candidate.namespace_id).first()
    if target is None:
        raise missing
    if target.pk == candidate.pk:
        raise Invalid(_("A candidate cannot be a duplicate of itself."), field="into")
    if target.status not in (*OPEN, "approved"):
        raise Conflict(
            _("That candidate is %(status)s; reopen it first.") % {"status": target.get_status_display()},
            code="target_gone",
            status=target.status,
        )
    return target, target.memory if target.status == "approved" else None


def _hand_over(source: Candidate, target: Candidate, now: datetime) -> dict[str, Any]:
    """Move what the target lacks; what both have stays. Returns the trail: what of it is the source's own."""
    spans = set(
        target.evidence.filter(message__isnull=False).values_list("message_id", "start", "end", "role")
    )
    evidence = [
        row.pk
        for row in source.evidence.all()
        if row.message_id is None or (row.message_id, row.start, row.end, row.role) not in spans
    ]
    sessions = target.sightings.values_list("session_key", flat=True)
    sightings = list(source.sightings.exclude(session_key__in=list(sessions)).values_list("pk", flat=True))
    Evidence.objects.filter(pk__in=evidence).update(candidate=target)
    Sighting.objects.filter(pk__in=sightings).update(candidate=target)
    fields: dict[str, Any] = {
        "times_seen": F("times_seen") + len(sightings),
        "last_seen_at": Greatest(F("last_seen_at"), source.last_seen_at),
    }
    if target.status == "pending" and sightings:  # further independent evidence
        fields["touched_at"] = now
    Candidate.objects.filter(pk=target.pk).update(**fields)
    theirs, seen = _rows_of(merged_into(source))
    return {
        "evidence": [pk for pk in evidence if pk not in theirs],
        "sightings": [pk for pk in sightings if pk not in seen],
        "touched_at": target.touched_at.isoformat(),
        "at": now.isoformat(),
    }


def merged_into(candidate: Candidate) -> list[Candidate]:
    """Every candidate that is merged into it now, directly or through others."""
    found: list[Candidate] = []
    layer = [candidate]
    while layer:
        layer = list(Candidate.objects.filter(merged_into__in=layer).defer("vector", "blocks"))
        found += layer
    return found


def _rows_of(candidates: list[Candidate]) -> tuple[set[int], set[int]]:
    """Ids of the evidence and sightings that these brought along themselves, wherever the rows are now."""
    trails = [each.merge_trail for each in candidates if each.merge_trail]
    return (
        {pk for trail in trails for pk in trail["evidence"]},
        {pk for trail in trails for pk in trail["sightings"]},
    )
