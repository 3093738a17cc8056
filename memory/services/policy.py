"""Auto-approve: off by default, switched by owners alone, tried on the past first (design section 4, Auto-approve)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.actor import Actor
from core.allowed import between
from core.errors import Conflict, Invalid
from core.locks import lock
from core.models import Namespace
from core.scope import Scope
from core.selectors.access import namespace_owned
from core.services import audit
from memory.models import KINDS, Candidate, Memory, ReviewPolicy
from memory.policy import Rule, qualifies_at
from memory.selectors.policy import facts_of, rule_of, undone_of, untouched, within
from memory.services.archive import CANDIDATE_ARCHIVE_DAYS
from memory.services.policy_trust import policy_actor
from memory.services.promotion import promote, promotion_failed
from memory.services.transitions import change

DRY_RUN_DAYS = 30
MAX_SESSIONS = 50
MAX_AGE_HOURS = CANDIDATE_ARCHIVE_DAYS * 24  # an older one has left the queue by itself
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class DryRun:
    """What a rule would have let in over the last 30 days, had nobody decided first; newest first.

    ``of_those_rejected`` and ``of_those_undone`` are parts of ``would_approve`` on which a person said otherwise.
    """

    would_approve: list[Candidate] = field(default_factory=list)
    of_those_rejected: list[Candidate] = field(default_factory=list)
    of_those_undone: list[Candidate] = field(default_factory=list)


@transaction.atomic
def policy_set(
    *,
    namespace: Namespace,
    user: User,
    enabled: bool,
    min_sessions: int,
    min_confidence: float,
    min_age_hours: int,
    kinds: Sequence[str],
    typed_name: str = "",
    now: datetime,
) -> ReviewPolicy:
    """Set the policy of a namespace. A policy that is on afterwards needs the namespace's name, typed.

    Raises NotFound (stranger), Forbidden (not an owner), Invalid with the field.
    """
    namespace = namespace_owned(user=user, namespace_id=namespace.pk)
    rule = Rule(min_sessions, min_confidence, min_age_hours, tuple(k for k in KINDS if k in kinds))
    _check(rule, kinds)
    if enabled and typed_name.strip() not in (namespace.name, str(namespace)):
        raise Invalid(
            _("Type %(name)s to confirm that memories may be approved there without a person.")
            % {"name": namespace},
            code="name_mismatch",
            field="typed_name",
            allowed=str(namespace),
        )
    # As an undo does, which may switch the policy off: else the two could wait for each other.
    lock(f"gate:{namespace.pk}")
    policy, _created = ReviewPolicy.objects.select_for_update().get_or_create(namespace=namespace)
    was = policy.enabled
    policy.min_sessions = rule.min_sessions
    policy.min_confidence = rule.min_confidence
    policy.min_age_hours = rule.min_age_hours
    policy.kinds = list(rule.kinds)
    policy.enabled = enabled
    policy.changed_by = user
    if enabled and not was:
        policy.enabled_at, policy.disabled_at, policy.disabled_reason = now, None, ""
    if was and not enabled:
        policy.disabled_at, policy.disabled_reason = now, "person"
    policy.save()
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="policy.changed" if was == enabled else "policy.enabled" if enabled else "policy.disabled",
        actor=Actor.person(user),
        object_type="review_policy",
        object_id=policy.pk,
        from_state="on" if was else "off",
        to_state="on" if enabled else "off",
        data={
            "min_sessions": rule.min_sessions,
            "min_confidence": rule.min_confidence,
            "min_age_hours": rule.min_age_hours,
            "kinds": list(rule.kinds),
        },
        now=now,
    )
    return policy


def _check(rule: Rule, kinds: Sequence[str]) -> None:
    if not 1 <= rule.min_sessions <= MAX_SESSIONS:
        raise Invalid(
            _("Times seen must lie between 1 and %(most)s.") % {"most": MAX_SESSIONS},
            field="min_sessions",
            allowed=between(1, MAX_SESSIONS),
        )
    if not 0 <= rule.min_confidence <= 1:
        raise Invalid(_("Confidence lies between 0 and 1."), field="min_confidence", allowed=between(0, 1))
    if not 0 <= rule.min_age_hours <= MAX_AGE_HOURS:
        raise Invalid(
            _("The age must lie between 0 and %(most)s hours.") % {"most": MAX_AGE_HOURS},
            field="min_age_hours",
            allowed=between(0, MAX_AGE_HOURS),
        )
    if not rule.kinds or len(rule.kinds) != len(set(kinds)):
        raise Invalid(_("Choose at least one of the six kinds."), field="kinds", allowed=list(KINDS))


def policy_dry_run(
    *,
    namespace: Namespace,
    user: User,
    min_sessions: int,
    min_confidence: float,
    min_age_hours: int,
    kinds: Sequence[str],
    now: datetime,
) -> DryRun:
    """Try a rule on the last 30 days; nothing is changed. Raises as ``policy_set``."""
    namespace = namespace_owned(user=user, namespace_id=namespace.pk)
    rule = Rule(min_sessions, min_confidence, min_age_hours, tuple(k for k in KINDS if k in kinds))
    _check(rule, kinds)
    since = now - timedelta(days=DRY_RUN_DAYS)
    # What was neither seen nor filed since then cannot have come to qualify since then.
    lately = Q(last_seen_at__gte=since) | Q(touched_at__gte=since - timedelta(hours=min_age_hours))
    rows = list(
        within(scope=Scope.of([namespace.pk]), rule=rule).filter(lately).order_by("-last_seen_at", "-pk")
    )
    facts = facts_of(rows)
    hits = []
    for row in rows:
        moment = qualifies_at(rule, facts[row.pk])
        if moment is not None and since <= moment <= now:
            hits.append(row)
    undone = undone_of(hits)
    return DryRun(
        would_approve=hits,
        of_those_rejected=[row for row in hits if row.status == "rejected"],
        of_those_undone=[row for row in hits if row.pk in undone and row.status != "rejected"],
    )


def policy_run(*, now: datetime) -> int:
    """Let every policy that is on approve what qualifies; returns how many memories were made.

    Paused namespaces are passed over. Each approval is a transaction of its own; one whose text is refused is logged
    and the candidate needs attention, as when a person's approval fails. A database that is away or busy ends the run
    and marks nothing: the next run goes on.
    """
    made = 0
    policies = ReviewPolicy.objects.filter(enabled=True, namespace__paused_at=None)
    for policy in policies.select_related("namespace").order_by("pk"):
        for candidate_id in _due(policy, now):
            try:
                made += policy_approve(policy_id=policy.pk, candidate_id=candidate_id, now=now) is not None
            except (IntegrityError, DataError) as error:
                _log.exception("policy_approval_failed", candidate=str(candidate_id))
                _needs_attention(policy, candidate_id, error, now)
    return made


def _due(policy: ReviewPolicy, now: datetime) -> list[uuid.UUID]:
    rule = rule_of(policy)
    rows = untouched(within(scope=Scope.of([policy.namespace_id]), rule=rule)).filter(status="pending")
    found = list(rows.order_by("touched_at", "pk"))
    facts = facts_of(found)
    moments = {row.pk: qualifies_at(rule, facts[row.pk]) for row in found}
    return [pk for pk, moment in moments.items() if moment is not None and moment <= now]


@transaction.atomic
def policy_approve(*, policy_id: int, candidate_id: uuid.UUID, now: datetime) -> Memory | None:
    """Approve one candidate as the policy; None when the policy or the candidate no longer agrees.

    Everything is looked at again under the gate's lock: an owner may have switched off, a person may have decided.
    """
    known = ReviewPolicy.objects.filter(pk=policy_id).values_list("namespace_id", flat=True).first()
    if known is None:
        return None
    lock(f"gate:{known}")  # before the policy's row: an undo takes them in this order too
    policy = (
        ReviewPolicy.objects.select_for_update(of=("self",))
        .select_related("namespace")
        .filter(pk=policy_id, namespace_id=known, enabled=True, namespace__paused_at=None)
        .first()
    )
    if policy is None:
        return None
    rule = rule_of(policy)
    rows = untouched(within(scope=Scope.of([policy.namespace_id]), rule=rule))
    candidate = rows.filter(pk=candidate_id, status="pending").first()
    if candidate is None:
        return None
    moment = qualifies_at(rule, facts_of([candidate])[candidate.pk])
    if moment is None or moment > now:
        return None
    actor = policy_actor(policy, policy.namespace)
    try:
        change(
            candidate,
            version=candidate.version,
            allowed=["pending"],
            verb="candidate.approved",
            actor=actor,
            status="approved",
            decided_at=now,
            decided_by=None,
            decision_reason="",
            error="",
            set_aside_until=None,
            now=now,
            data={"policy": policy.pk},
        )
    except Conflict:
        return None
    return promote(candidate=candidate, actor=actor, replaces=None, group=None, now=now)


def _needs_attention(policy: ReviewPolicy, candidate_id: uuid.UUID, error: Exception, now: datetime) -> None:
    rows = Candidate.objects.filter(pk=candidate_id, namespace_id=policy.namespace_id, status="pending")
    candidate = rows.first()
    if candidate is None:
        return
    actor = policy_actor(policy, policy.namespace)
    with suppress(Conflict):  # a person was faster
        promotion_failed(candidate, version=candidate.version, actor=actor, error=error, now=now)
