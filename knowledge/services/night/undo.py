"""Undo a whole night: one batch (design section 6; lessons row 22)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict, DomainError, Forbidden, NotFound
from core.ids import new_id
from core.locks import lock
from core.services import audit
from core.text import sha256
from knowledge.models import ConsolidationRun, Proposal
from knowledge.services.proposals import proposal_undo, proposal_withdraw
from memory.models import Memory

_UNDOABLE = ("done", "failed")


@dataclass
class Undone:
    """How many open ones were withdrawn and decided ones reverted; ``kept`` are those that something later touched."""

    withdrawn: int = 0
    reverted: int = 0
    kept: list[uuid.UUID] = field(default_factory=list)


@transaction.atomic
def night_undo(*, run_id: uuid.UUID, user: User, now: datetime) -> Undone:
    """Withdraw what waits and revert what was decided, the latest decision first; what was touched since stays.

    Everything in one act: its id groups the audit events. Raises NotFound (strangers), Forbidden (readers), Conflict
    (``not_undoable``: it still runs, or is undone already).
    """
    run = _for_review(run_id, user)
    lock(f"gate:{run.namespace_id}", f"proposals:{run.namespace_id}")
    group = new_id()
    changed = ConsolidationRun.objects.filter(pk=run.pk, state__in=_UNDOABLE).update(
        state="undone", undone_at=now, undone_by=user
    )
    if not changed:
        raise Conflict(
            _("A night can be undone once, and after it has ended."), code="not_undoable", status=run.state
        )
    done = Undone()
    batch = Proposal.objects.filter(batch=run.pk, namespace=run.namespace_id).select_related("namespace")
    for proposal in batch.exclude(state="withdrawn").order_by("-decided_at", "-pk"):
        _take_back(proposal, user, now, group, done)
    report = {
        "withdrawn": done.withdrawn,
        "reverted": done.reverted,
        "kept": [str(pk) for pk in done.kept],
    }
    ConsolidationRun.objects.filter(pk=run.pk).update(undo=report)
    audit.record(
        stream=audit.stream_of(run.namespace_id),
        verb="night.undone",
        actor=Actor.person(user),
        object_type="night",
        object_id=run.pk,
        from_state=run.state,
        to_state="undone",
        group=group,
        data=report,
        now=now,
    )
    return done


def _for_review(run_id: uuid.UUID, user: User) -> ConsolidationRun:
    run = ConsolidationRun.objects.reviewable_by(user).filter(pk=run_id).first()
    if run is not None:
        return run
    if ConsolidationRun.objects.visible_to(user).filter(pk=run_id).exists():
        raise Forbidden(_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."))
    raise NotFound(_("There is no such night."))


def _take_back(proposal: Proposal, user: User, now: datetime, group: uuid.UUID, done: Undone) -> None:
    decided = proposal.state != "open"
    try:
        with transaction.atomic():
            if decided:
                if _replacement_touched(proposal):
                    raise Conflict("touched since")
                proposal = proposal_undo(
                    proposal_id=proposal.pk, version=proposal.version, user=user, now=now, group=group
                )
            proposal_withdraw(proposal=proposal, actor=Actor.person(user), group=group, now=now)
    except DomainError:  # changed, moved or gone since: that later act is a person's, and stands
        done.kept.append(proposal.pk)
        return
    done.reverted += decided
    done.withdrawn += not decided


def _replacement_touched(proposal: Proposal) -> bool:
    """Whether what took the others' place is another text now, or not recalled any more.

    The memories that left have their versions checked by ``proposal_undo``; the one that stayed has no step of its own
    unless it was reworded, and what came back beside a changed successor would be a surprise.
    """
    stays = proposal.payload.get("keep") or proposal.payload.get("new")
    if proposal.state != "accepted" or not isinstance(stays, dict):
        return False
    if any(step.get("do") == "reword" for step in proposal.outcome):
        return False
    digests = {source.get("id"): source.get("sha256") for source in proposal.sources}
    memory = Memory.objects.active().filter(pk=stays["id"], namespace=proposal.namespace_id).first()
    return memory is None or sha256(memory.content) != digests.get(stays["id"], sha256(memory.content))
