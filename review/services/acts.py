"""Decide about one or many at once, and undo it as a whole (design section 4; review-ux lines 4 and 19 to 22)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, DomainError, NotFound
from core.ids import new_id
from memory.models import Candidate
from memory.services import gate
from review.models import Act

HEAVY = frozenset({"decision", "postmortem"})


@dataclass(frozen=True)
class ItemRef:
    """A candidate as the person saw it."""

    id: uuid.UUID
    version: int


@dataclass(frozen=True)
class ActResult:
    """What happened: items done, left out (heavy kinds in a bulk approval), and changed meanwhile (with why)."""

    act: Act | None
    done: list[uuid.UUID] = field(default_factory=list)
    left_out: list[uuid.UUID] = field(default_factory=list)
    changed: dict[uuid.UUID, DomainError] = field(default_factory=dict)


@transaction.atomic
def act_approve(
    *, user: User, items: Sequence[ItemRef], now: datetime, replaces: uuid.UUID | None = None
) -> ActResult:
    """Approve. In a bulk act decisions and postmortems are left out: they deserve a look each."""
    heavy: set[uuid.UUID] = set()
    if len(items) > 1:
        rows = Candidate.objects.reviewable_by(user).filter(pk__in=[i.id for i in items], kind__in=HEAVY)
        heavy = set(rows.values_list("pk", flat=True))

    def approve(item: ItemRef, group: uuid.UUID) -> None:
        gate.candidate_approve(
            candidate_id=item.id, version=item.version, user=user, now=now, group=group, replaces=replaces
        )

    return _act(
        user, "approve", [i for i in items if i.id not in heavy], approve, now, left_out=sorted(heavy)
    )


@transaction.atomic
def act_reject(*, user: User, items: Sequence[ItemRef], now: datetime, reason: str = "") -> ActResult:
    """Reject, with an optional reason."""

    def reject(item: ItemRef, group: uuid.UUID) -> None:
        gate.candidate_reject(
            candidate_id=item.id, version=item.version, user=user, reason=reason, now=now, group=group
        )

    return _act(user, "reject", items, reject, now)


def _act(
    user: User,
    verb: str,
    items: Sequence[ItemRef],
    do: Callable[[ItemRef, uuid.UUID], None],
    now: datetime,
    left_out: Sequence[uuid.UUID] = (),
) -> ActResult:
    group = new_id()
    done: list[uuid.UUID] = []
    changed: dict[uuid.UUID, DomainError] = {}
    for item in items:
        try:
            with transaction.atomic():
                try:
                    do(item, group)
                except gate.PromotionFailed as failed:
                    # Caught inside: its "needs attention" must be kept, not rolled back.
                    changed[item.id] = failed
                    continue
            done.append(item.id)
        except DomainError as error:
            changed[item.id] = error
    act = None
    if done:
        rows = Candidate.objects.filter(pk__in=done).only("pk", "version", "content")
        act = Act.objects.create(
            id=group,
            user=user,
            verb=verb,
            label=next(iter(rows)).content[:200] if len(done) == 1 else "",
            items=[{"type": "candidate", "id": str(row.pk), "version": row.version} for row in rows],
            at=now,
        )
    return ActResult(act, done, list(left_out), changed)


@transaction.atomic
def act_undo_last(*, user: User, now: datetime) -> ActResult:
    """Undo the latest act of this person that still stands."""
    act = Act.objects.visible_to(user).filter(undone_at=None).order_by("-at", "-id").first()
    if act is None:
        raise NotFound(_("There is nothing to undo."))
    return act_undo(user=user, act_id=act.pk, now=now)


@transaction.atomic
def act_undo(*, user: User, act_id: uuid.UUID, now: datetime) -> ActResult:
    """Undo a whole act. Items that somebody touched since are left alone and named in ``changed``."""
    act = Act.objects.visible_to(user).filter(pk=act_id).first()
    if act is None:
        raise NotFound(_("There is no such act."))
    if not Act.objects.filter(pk=act.pk, undone_at=None).update(undone_at=now):
        raise Conflict(_("This was undone already."), code="already_undone")
    done: list[uuid.UUID] = []
    changed: dict[uuid.UUID, DomainError] = {}
    for item in act.items:
        item_id = uuid.UUID(item["id"])
        try:
            with transaction.atomic():
                gate.candidate_undo(
                    candidate_id=item_id, version=item["version"], user=user, now=now, group=act.pk
                )
            done.append(item_id)
        except DomainError as error:
            changed[item_id] = error
    act.refresh_from_db()
    return ActResult(act, done, [], changed)
