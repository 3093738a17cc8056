"""“All 128 matching”, frozen: what arrives later is not swept in (review-ux lines 20 and 21)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import CharField, Exists, OuterRef, Q
from django.db.models.functions import Cast

from core.models import AuditEvent
from memory.models import Candidate
from review.selectors.wanted import QueueFilter, condition, narrowing

MOST = 500  # one act is one transaction of some seconds: a longer one would keep other reviewers waiting
# Events that bring a candidate into the queue; all others happen to one that was there.
ARRIVALS = ("candidate.created", "candidate.reopened", "candidate.undone", "candidate.brought_back")


@dataclass(frozen=True)
class ItemRef:
    """A candidate as the person saw it."""

    id: uuid.UUID
    version: int


@dataclass(frozen=True)
class Selection:
    """Everything that matched ``wanted`` at ``as_of``, the moment the person's list was made, but for ``excluded``."""

    wanted: QueueFilter
    as_of: datetime
    excluded: frozenset[uuid.UUID] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Resolved:
    """``items``: untouched since then, what expires first on top. ``changed``: touched since then.

    ``remaining``: how many untouched ones lie beyond the most that one act takes.
    """

    items: Sequence[ItemRef]
    changed: Sequence[uuid.UUID]
    remaining: int


def resolve(*, user: User, selection: Selection) -> Resolved:
    """The ids behind a selection, for a reviewer. A sighting counts as a touch: the row says more than it did."""
    as_of = selection.as_of
    own = Candidate.objects.reviewable_by(user).exclude(pk__in=selection.excluded)
    since = AuditEvent.objects.filter(
        object_type="candidate", object_id=Cast(OuterRef("pk"), CharField()), at__gt=as_of
    )
    still = own.open().filter(condition(selection.wanted, now=as_of), ~Exists(since), touched_at__lte=as_of)
    rows = list(still.order_by("touched_at", "pk").values_list("pk", "version"))
    touched = Q(Exists(since)) | Q(status__in=["pending", "needs_attention"], touched_at__gt=as_of)
    changed = own.filter(
        touched, narrowing(selection.wanted, now=as_of), ~Exists(since.filter(verb__in=ARRIVALS))
    )
    return Resolved(
        items=[ItemRef(pk, version) for pk, version in rows[:MOST]],
        changed=list(changed.order_by("pk").values_list("pk", flat=True)[:MOST]),
        remaining=max(len(rows) - MOST, 0),
    )
