"""Decide about one or many at once, and undo it as a whole (design section 4; review-ux lines 4 and 19 to 22)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, DomainError, Invalid
from core.ids import new_id
from knowledge.models import Proposal
from knowledge.notes.fields import Note
from knowledge.services import proposals
from memory.models import Candidate, Memory
from memory.services import arranging, gate, memories, merging
from memory.services.transitions import gates_lock
from review.models import Act
from review.selectors.selection import ItemRef, Selection, resolve
from review.services.results import ActResult
from review.services.undoing import act_undo, act_undo_last

HEAVY = frozenset({"decision", "postmortem"})
BULK_VERBS = ("approve", "reject", "set_aside", "move")
__all__ = [
    "HEAVY",
    "ActResult",
    "ItemRef",
    "act_accept",
    "act_approve",
    "act_bulk",
    "act_merge",
    "act_move",
    "act_refuse",
    "act_reject",
    "act_retire",
    "act_set_aside",
    "act_undo",
    "act_undo_last",
]


Do = Callable[[ItemRef, uuid.UUID], dict[str, Any] | None]


@transaction.atomic
def act_approve(
    *,
    user: User,
    items: Sequence[ItemRef],
    now: datetime,
    replaces: uuid.UUID | None = None,
    bulk: bool = False,
) -> ActResult:
    """Approve. In a bulk act decisions and postmortems are left out: they deserve a look each."""
    heavy: set[uuid.UUID] = set()
    if bulk or len(items) > 1:
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


@transaction.atomic
def act_set_aside(*, user: User, items: Sequence[ItemRef], now: datetime) -> ActResult:
    """Out of sight for a day; the thirty days go on."""

    def set_aside(item: ItemRef, group: uuid.UUID) -> None:
        arranging.candidate_set_aside(
            candidate_id=item.id, version=item.version, user=user, now=now, group=group
        )

    return _act(user, "set_aside", items, set_aside, now)


@transaction.atomic
def act_merge(*, user: User, items: Sequence[ItemRef], into: merging.Into, now: datetime) -> ActResult:
    """Close as duplicates of one candidate or memory of the same namespace."""

    def merge(item: ItemRef, group: uuid.UUID) -> None:
        merging.candidate_merge(
            candidate_id=item.id, version=item.version, user=user, into=into, now=now, group=group
        )

    return _act(user, "merge", items, merge, now)


@transaction.atomic
def act_move(*, user: User, items: Sequence[ItemRef], namespace_id: uuid.UUID, now: datetime) -> ActResult:
    """Into another namespace that the person reviews."""

    def move(item: ItemRef, group: uuid.UUID) -> dict[str, Any]:
        was = arranging.candidate_move(
            candidate_id=item.id,
            version=item.version,
            user=user,
            namespace_id=namespace_id,
            now=now,
            group=group,
        )
        conflict = str(was.conflicted_with) if was.conflicted_with else None
        return {"was": {"namespace": str(was.was_in), "conflicts_with": conflict}}

    return _act(user, "move", items, move, now, into=namespace_id)


@transaction.atomic
def act_accept(
    *,
    user: User,
    items: Sequence[ItemRef],
    now: datetime,
    content: str | None = None,
    note: Note | None = None,
) -> ActResult:
    """Accept proposals; ``content`` or ``note`` is the person's own wording, for one."""

    def accept(item: ItemRef, group: uuid.UUID) -> None:
        proposals.proposal_accept(
            proposal_id=item.id,
            version=item.version,
            user=user,
            now=now,
            group=group,
            content=content,
            note=note,
        )

    return _act(user, "accept", items, accept, now, of=Proposal)


@transaction.atomic
def act_refuse(*, user: User, items: Sequence[ItemRef], now: datetime, reason: str = "") -> ActResult:
    """Refuse proposals, with an optional reason."""

    def refuse(item: ItemRef, group: uuid.UUID) -> None:
        proposals.proposal_refuse(
            proposal_id=item.id, version=item.version, user=user, reason=reason, now=now, group=group
        )

    return _act(user, "refuse", items, refuse, now, of=Proposal)


@transaction.atomic
def act_retire(*, user: User, items: Sequence[ItemRef], now: datetime, reason: str) -> ActResult:
    """Take memories out of recall: ``reason`` is wrong or outdated."""

    def retire(item: ItemRef, group: uuid.UUID) -> None:
        memories.memory_retire(
            memory_id=item.id, version=item.version, user=user, reason=reason, now=now, group=group
        )

    return _act(user, "retire", items, retire, now, of=Memory)


@transaction.atomic
def act_bulk(
    *,
    user: User,
    verb: str,
    selection: Selection,
    now: datetime,
    reason: str = "",
    namespace_id: uuid.UUID | None = None,
) -> ActResult:
    """One act over everything that matched when the person looked: approve, reject, set_aside or move.

    Items that arrived later stay; those touched since are named in ``changed``. Raises Invalid.
    """
    if verb not in BULK_VERBS:
        raise Invalid(_("Unknown act."), field="verb", allowed=list(BULK_VERBS))
    found = resolve(user=user, selection=selection)
    if verb == "approve":
        result = act_approve(user=user, items=found.items, now=now, bulk=True)
    elif verb == "reject":
        result = act_reject(user=user, items=found.items, now=now, reason=reason)
    elif verb == "set_aside":
        result = act_set_aside(user=user, items=found.items, now=now)
    elif namespace_id is None:
        raise Invalid(_("Choose where to move them."), field="namespace")
    else:
        result = act_move(user=user, items=found.items, namespace_id=namespace_id, now=now)
    since = Conflict(_("Somebody or something changed this since you looked."), code="changed_since")
    return replace(
        result, changed={**dict.fromkeys(found.changed, since), **result.changed}, remaining=found.remaining
    )


def _act(
    user: User,
    verb: str,
    items: Sequence[ItemRef],
    do: Do,
    now: datetime,
    left_out: Sequence[uuid.UUID] = (),
    into: uuid.UUID | None = None,
    of: type[Candidate] | type[Memory] | type[Proposal] = Candidate,
) -> ActResult:
    group = new_id()
    done: dict[uuid.UUID, dict[str, Any]] = {}
    changed: dict[uuid.UUID, DomainError] = {}
    once = {each.id: each for each in items}  # a form may name a row twice
    homes = set(of._default_manager.filter(pk__in=once).values_list("namespace_id", flat=True))
    gates_lock(once, also=homes | ({into} if into else set()))
    for item in once.values():
        try:
            with transaction.atomic():
                try:
                    extra = do(item, group)
                except gate.PromotionFailed as failed:
                    # Caught inside: its "needs attention" must be kept, not rolled back.
                    changed[item.id] = failed
                    continue
            done[item.id] = extra or {}
        except DomainError as error:
            changed[item.id] = error
    act = None
    if done:
        versions = dict(of._default_manager.filter(pk__in=done).values_list("pk", "version"))
        act = Act.objects.create(
            id=group,
            user=user,
            verb=verb,
            items=[
                {"type": of._meta.model_name, "id": str(pk), "version": versions[pk], **extra}
                for pk, extra in done.items()
            ],
            at=now,
        )
    return ActResult(act, list(done), list(left_out), changed)
