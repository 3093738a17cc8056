"""Take back a whole act, whatever it did (review-ux lines 4, 5 and 22)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Conflict, DomainError, NotFound
from knowledge.models import Proposal
from knowledge.services import proposals
from memory.models import Memory
from memory.services import arranging, gate, memories
from memory.services.transitions import gates_lock
from review.models import Act
from review.services.results import ActResult


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
    back_to = {uuid.UUID(item["was"]["namespace"]) for item in act.items if "was" in item}
    ids = {uuid.UUID(item["id"]) for item in act.items}
    homes: set[uuid.UUID] = set()
    for kind in (Proposal, Memory):
        homes |= set(kind._default_manager.filter(pk__in=ids).values_list("namespace_id", flat=True))
    gates_lock(ids, also=back_to | homes)
    # Backwards: where one item of the act made room for the next, the next one leaves first.
    for item in reversed(act.items):
        item_id = uuid.UUID(item["id"])
        try:
            with transaction.atomic():
                _undo(act, item, user, now)
            done.append(item_id)
        except DomainError as error:
            changed[item_id] = error
    act.refresh_from_db()
    return ActResult(act, done[::-1], [], changed)


def _undo(act: Act, item: dict[str, Any], user: User, now: datetime) -> None:
    """Each verb's own way back; all of them refuse a row that has another version than the act left it with."""
    seen: dict[str, Any] = {"version": item["version"], "user": user, "now": now, "group": act.pk}
    item_id = uuid.UUID(item["id"])
    if item["type"] == "proposal":
        proposals.proposal_undo(proposal_id=item_id, **seen)
        return
    if item["type"] == "memory":
        memories.memory_restore(memory_id=item_id, **seen)
        return
    seen["candidate_id"] = item_id
    if act.verb == "set_aside":
        arranging.candidate_bring_back(**seen)
    elif act.verb == "move":
        was = item["was"]
        conflict = was["conflicts_with"]
        arranging.candidate_move(
            **seen,
            namespace_id=uuid.UUID(was["namespace"]),
            conflicts_with=uuid.UUID(conflict) if conflict else None,
        )
    else:
        gate.candidate_undo(**seen)
