"""What a person decides about a candidate (design section 4, "Who may decide").

Every function takes the signed-in person and the version that person saw; agent keys have no way here. Somebody with
rights in the admin comes as a ``core.actor.Operator``, with a reason.
"""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext as _

from core import text
from core.actor import Actor, Decider
from core.errors import DomainError, Invalid, NotFound
from core.locks import lock
from core.models import Namespace
from core.statuses import TRANSIENT, busy
from memory.inputs import Vector
from memory.models import Candidate, Memory
from memory.services import candidates, flags
from memory.services.blocks import blocks_of
from memory.services.merging import merge_take_back
from memory.services.policy_trust import policy_distrust
from memory.services.promotion import demote, promote, promotion_failed
from memory.services.tombstones import tombstone_for_candidate, tombstones_lift
from memory.services.transitions import (
    OPEN,
    UNDECIDED,
    candidate_decide,
    candidate_for_review,
    change,
    decided,
)
from transcripts.services.pins import turn_unpin

REJECT_REASONS = ("", "wrong", "outdated", "private", "trivial", "duplicate")


class PromotionFailed(DomainError):
    """The candidate could not become a memory; it now needs attention and keeps the error."""

    code = "promotion_failed"


def candidate_approve(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    group: uuid.UUID | None = None,
    replaces: uuid.UUID | None = None,
) -> Memory:
    """Make the candidate a memory that agents recall at once. ``replaces`` is superseded in the same transaction.

    One that needs attention is simply tried again: whatever stood in the way may be gone.

    Raises Conflict (decided or changed meanwhile), NotFound, Forbidden, PromotionFailed (the text itself was refused,
    so trying again alone would not help), Busy (the database is away, full or locked: nothing changed, try again).
    """
    actor = Actor.of(user)
    try:
        with transaction.atomic():
            candidate = candidate_decide(
                candidate_id=candidate_id,
                version=version,
                user=user,
                verb="candidate.approved",
                status="approved",
                **decided(by=user, now=now),
                error="",
                set_aside_until=None,
                now=now,
                group=group,
            )
            return promote(candidate=candidate, actor=actor, replaces=replaces, group=group, now=now)
    except TRANSIENT as error:
        raise busy(error) from error
    except (IntegrityError, DataError) as error:
        candidate = candidate_for_review(candidate_id=candidate_id, user=user)
        promotion_failed(candidate, version=version, actor=actor, error=error, group=group, now=now)
        raise PromotionFailed(
            _("The memory could not be stored. The candidate now needs attention and shows the error."),
            id=str(candidate_id),
        ) from error


@transaction.atomic
def candidate_edit(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    content: str,
    kind: str,
    namespace_id: uuid.UUID,
    now: datetime,
    vector: Vector | None = None,
    group: uuid.UUID | None = None,
) -> Candidate:
    """Change text, kind or namespace before deciding; the clock restarts and the original stays."""
    candidate = candidate_for_review(candidate_id=candidate_id, user=user)
    candidates.validate(kind=kind, content=content, confidence=candidate.confidence)
    namespace = Namespace.objects.reviewable_by(user).filter(pk=namespace_id).first()
    if namespace is None:
        raise NotFound(_("There is no namespace that you can review there."), field="namespace")
    lock(f"gate:{candidate.namespace_id}", f"gate:{namespace.pk}")
    marks = set(candidate.flags) - {"url", "imperative"} | set(flags.flags_of(content))
    rival = candidate.conflicts_with
    if namespace.pk != candidate.namespace_id:  # members of the new one may not read the old one's memories
        rival, marks = None, marks - {"conflicts"}
    change(
        candidate,
        version=version,
        allowed=OPEN,
        verb="candidate.edited",
        actor=Actor.of(user),
        status="pending",
        content=content,
        kind=kind,
        namespace=namespace,
        language=text.language(content),
        normal_hash=text.normal_hash(content),
        blocks=blocks_of(namespace_id=namespace.pk, kind=kind, content=content),
        space=vector.space if vector else "",
        vector=vector.values if vector else None,
        flags=sorted(marks),
        conflicts_with=rival,
        touched_at=now,
        error="",
        now=now,
        group=group,
    )
    return candidate


@transaction.atomic
def candidate_reject(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    reason: str = "",
    group: uuid.UUID | None = None,
) -> Candidate:
    """Refuse it and leave a tombstone. As ``private`` the tombstone keeps keyed hashes only."""
    if reason not in REJECT_REASONS:
        raise Invalid(_("Unknown reason."), field="reason", allowed=[r for r in REJECT_REASONS if r])
    candidate = candidate_decide(
        candidate_id=candidate_id,
        version=version,
        user=user,
        verb="candidate.rejected",
        status="rejected",
        **decided(by=user, now=now, reason=reason),
        set_aside_until=None,
        now=now,
        group=group,
        data={"reason": reason} if reason else None,
    )
    tombstone_for_candidate(candidate=candidate, reason=reason, now=now)
    turn_unpin(holder=f"candidate:{candidate.pk}")
    return candidate


@transaction.atomic
def candidate_undo(
    *, candidate_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Candidate:
    """Take back an approval or a rejection: pending again, with the clock where it was.

    An approval whose memory somebody changed since is left alone (Conflict ``changed_since``).
    """
    candidate = candidate_for_review(candidate_id=candidate_id, user=user)
    lock(f"gate:{candidate.namespace_id}")
    was = candidate.status
    memory = candidate.memory
    if was == "rejected":
        merge_take_back(candidate)
    change(
        candidate,
        version=version,
        allowed=["approved", "rejected"],
        verb="candidate.undone",
        actor=Actor.of(user),
        status="pending",
        **UNDECIDED,
        memory=None,
        merged_into=None,
        merge_trail={},
        now=now,
        group=group,
    )
    if was == "approved" and memory is not None:
        demote(memory=memory, actor=Actor.of(user), group=group, now=now)
        if memory.actor == "policy":
            policy_distrust(namespace_id=candidate.namespace_id, now=now)
    if was == "rejected":
        tombstones_lift(candidate_id=candidate.pk, now=now)
        candidates.repin(candidate)
    return candidate


@transaction.atomic
def candidate_archive(
    *, candidate_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Candidate:
    """Put it away without judging it; a new sighting or a person reopens it."""
    return candidate_decide(
        candidate_id=candidate_id,
        version=version,
        user=user,
        verb="candidate.archived",
        allowed=["pending"],
        status="archived",
        **decided(by=user, now=now),
        now=now,
        group=group,
    )


@transaction.atomic
def candidate_reopen(
    *, candidate_id: uuid.UUID, version: int, user: Decider, now: datetime, group: uuid.UUID | None = None
) -> Candidate:
    """Bring an archived candidate back; its thirty days start again."""
    return candidate_decide(
        candidate_id=candidate_id,
        version=version,
        user=user,
        verb="candidate.reopened",
        allowed=["archived"],
        status="pending",
        **UNDECIDED,
        touched_at=now,
        now=now,
        group=group,
    )
