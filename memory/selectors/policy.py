"""What the auto-approve policy looks at: facts of candidates, and how its last acts were received."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import CharField, Exists, Min, OuterRef, Q
from django.db.models.functions import Cast

from core.models import AuditEvent
from core.scope import Scope
from memory.models import Candidate, Evidence, ReviewPolicy
from memory.models.candidate import CandidateQuerySet
from memory.policy import TRUSTED, Facts, Rule

LAST_ACTS = 20


def rule_of(policy: ReviewPolicy) -> Rule:
    return Rule(policy.min_sessions, policy.min_confidence, policy.min_age_hours, tuple(policy.kinds))


def within(*, scope: Scope, rule: Rule) -> CandidateQuerySet:
    """Candidates that the rule could be about, whatever became of them; the cheap half of the test."""
    return (
        Candidate.objects.in_namespaces(scope)
        .filter(kind__in=rule.kinds, confidence__gte=rule.min_confidence, trust__in=TRUSTED)
        .defer("vector", "blocks")
    )


def untouched(rows: CandidateQuerySet) -> CandidateQuerySet:
    """Those on which no person has acted. What a person undid, edited or put back stays that person's to decide."""
    acted = AuditEvent.objects.filter(
        object_type="candidate", object_id=Cast(OuterRef("pk"), CharField()), actor_type=AuditEvent.PERSON
    )
    return rows.filter(~Exists(acted))


def facts_of(rows: Sequence[Candidate]) -> dict[uuid.UUID, Facts]:
    """Facts of each candidate, in two queries.

    Evidence counts when a person typed it or adopted it, in a session whose key speaks for its person or that a
    signed-in person handed over (no key). Where the session is gone nobody can tell any more: it does not count.
    """
    ids = [row.pk for row in rows]
    spoken = (
        Evidence.objects.filter(candidate__in=ids, origin="human", role__in=["statement", "adoption"])
        .filter(session__isnull=False)
        .filter(Q(session__agent_key=None) | Q(session__agent_key__speaks_for_person=True))
        .values("candidate_id", "session_id")
        .annotate(first=Min("at"))
    )
    sessions: dict[uuid.UUID, list[datetime]] = defaultdict(list)
    for row in spoken:
        sessions[row["candidate_id"]].append(row["first"])
    filed = _filed(ids)
    return {
        row.pk: Facts(
            kind=row.kind,
            confidence=row.confidence,
            trust=row.trust,
            flags=tuple(row.flags),
            rewritten=row.content != row.original,
            filed_at=filed.get(row.pk, row.touched_at),
            sessions=tuple(sorted(sessions[row.pk])),
        )
        for row in rows
    }


def _filed(ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, datetime]:
    """When each entered the queue: the time of the evidence may lie months before, as in an import."""
    events = AuditEvent.objects.filter(
        object_type="candidate", object_id__in=[str(pk) for pk in ids], verb="candidate.created"
    )
    return {uuid.UUID(pk): at for pk, at in events.values_list("object_id", "at")}


def undone_among_last(*, policy: ReviewPolicy) -> int:
    """How many of the policy's last acts since it was switched on were taken back by a person."""
    acts = AuditEvent.objects.filter(
        stream=f"ns:{policy.namespace_id}",
        verb="candidate.approved",
        actor_type=AuditEvent.POLICY,
        actor_id=str(policy.pk),
        at__gte=policy.enabled_at or policy.changed_at,
    ).order_by("-id")[:LAST_ACTS]
    undone = AuditEvent.objects.filter(
        object_type="candidate",
        object_id=OuterRef("object_id"),
        id__gt=OuterRef("id"),
        verb="candidate.undone",
    )
    return AuditEvent.objects.filter(pk__in=acts.values("pk")).filter(Exists(undone)).count()


def undone_of(rows: Sequence[Candidate]) -> set[uuid.UUID]:
    """Which of these were approved once and then taken back."""
    events = AuditEvent.objects.filter(
        object_type="candidate",
        object_id__in=[str(row.pk) for row in rows],
        verb="candidate.undone",
        from_state="approved",
    )
    return {uuid.UUID(pk) for pk in events.values_list("object_id", flat=True)}
