"""A policy that people keep correcting has lost their trust and turns itself off (design section 4, Auto-approve)."""

from __future__ import annotations

import uuid
from datetime import datetime

from core.actor import Actor
from core.models import Namespace
from core.services import audit
from memory.models import ReviewPolicy
from memory.selectors.policy import LAST_ACTS, undone_among_last

TOO_MANY_UNDONE = 3


def policy_actor(policy: ReviewPolicy, namespace: Namespace) -> Actor:
    """Who an audit event names when the policy acts."""
    return Actor.policy(policy.pk, f"auto-approve {namespace}")


def policy_distrust(*, namespace_id: uuid.UUID, now: datetime) -> bool:
    """Switch the namespace's policy off when three of its last twenty acts were undone; True when it did.

    Runs inside the undoing transaction, so that nothing is approved between the third undo and the switch.
    """
    policy = (
        ReviewPolicy.objects.select_for_update(of=("self",))
        .select_related("namespace")
        .filter(namespace_id=namespace_id, enabled=True)
        .first()
    )
    if policy is None:
        return False
    undone = undone_among_last(policy=policy)
    if undone < TOO_MANY_UNDONE:
        return False
    policy.enabled = False
    policy.disabled_at = now
    policy.disabled_reason = "undone"
    policy.save(update_fields=["enabled", "disabled_at", "disabled_reason", "changed_at"])
    audit.record(
        stream=audit.stream_of(namespace_id),
        verb="policy.disabled",
        actor=policy_actor(policy, policy.namespace),
        object_type="review_policy",
        object_id=policy.pk,
        from_state="on",
        to_state="off",
        data={"because": "undone", "undone": undone, "of_last": LAST_ACTS},
        now=now,
    )
    return True
