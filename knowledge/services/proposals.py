"""File, accept, refuse, undo and withdraw proposals (design sections 2 and 6). Only people accept."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.errors import Invalid, Paused
from core.locks import lock
from core.models import Namespace
from core.services import audit
from knowledge import payloads
from knowledge.models import Knowledge, Proposal, Summary
from knowledge.note_payloads import NotePayload
from knowledge.notes.fields import Note
from knowledge.services.applying import apply, take_back
from knowledge.services.deciding import Deciding
from knowledge.services.drafts import check_draft, check_sources, superseded_drafts
from knowledge.services.transitions import change, proposal_for_review
from memory.models import Memory, MemoryReport
from memory.services.gate import REJECT_REASONS
from memory.services.reports import report_close, report_reopen
from memory.services.transitions import UNDECIDED, decided


@dataclass(frozen=True)
class Filed:
    """The proposal, and whether it is new: the same change is filed once, also after a person refused it."""

    proposal: Proposal
    created: bool


@transaction.atomic
def proposal_file(
    *,
    namespace: Namespace,
    kind: str,
    payload: Mapping[str, Any],
    reason: str,
    now: datetime,
    confidence: float = 0.5,
    sources: Sequence[Mapping[str, Any]] = (),
    actor: Actor | None = None,
    batch: uuid.UUID | None = None,
    report: MemoryReport | None = None,
) -> Filed:
    """Put a change before a person; nothing else happens. Raises Invalid (``payload``, ``sources``), Paused.

    Every memory named must be an active one of this namespace, and every source must exist there. A newer draft of a
    note or of the summary takes the place of one that still waits.
    """
    change_, memories = _checked(namespace=namespace, kind=kind, payload=payload, sources=sources, now=now)
    stored = payloads.write(change_)
    mark = payloads.fingerprint(kind, {**stored, "report": str(report.pk)} if report else stored)
    lock(f"proposals:{namespace.pk}")
    rows = Proposal.objects.filter(namespace=namespace, fingerprint=mark).exclude(state="withdrawn")
    known = rows.first()
    if known is not None:
        return Filed(known, created=False)
    actor = actor or Actor.system()
    for older in superseded_drafts(namespace=namespace, payload=change_):
        proposal_withdraw(proposal=older, now=now, actor=actor, group=batch)
    proposal = Proposal.objects.create(
        namespace=namespace,
        kind=kind,
        payload=stored,
        reason=reason[:500],
        confidence=confidence,
        sources=list(sources),
        report=report,
        fingerprint=mark,
        batch=batch,
        filed_by=actor.label,
        created_at=now,
    )
    proposal.memories.set(memories)
    audit.record(
        stream=audit.stream_of(namespace.pk),
        verb="proposal.filed",
        actor=actor,
        object_type="proposal",
        object_id=proposal.pk,
        to_state="open",
        group=batch,
        data={"kind": kind, "fingerprint": mark, "memories": sorted(str(each.pk) for each in memories)},
        now=now,
    )
    return Filed(proposal, created=True)


def _checked(
    *,
    namespace: Namespace,
    kind: str,
    payload: Mapping[str, Any],
    sources: Sequence[Mapping[str, Any]],
    now: datetime,
) -> tuple[payloads.Payload, list[Memory]]:
    """The change, and the memories that it is about. Raises as ``proposal_file``, before anything is locked."""
    if namespace.is_paused:
        raise Paused(
            _("%(name)s is paused: nothing is stored there.") % {"name": namespace}, field="namespace"
        )
    try:
        found = payloads.read(kind, payload)
    except ValueError as error:
        raise Invalid(str(error), code="invalid_payload", field="payload") from error
    ids = {ref.id for ref in payloads.refs(found)}
    if isinstance(found, NotePayload):
        check_draft(namespace=namespace, payload=found, now=now)
        ids = check_sources(namespace=namespace, sources=sources)
    memories = list(Memory.objects.active().filter(namespace=namespace, pk__in=ids))
    if len(memories) != len(ids):
        raise Invalid(
            _("A proposal is about active memories of one namespace."),
            code="unknown_memory",
            field="payload",
        )
    return found, memories


@transaction.atomic
def proposal_accept(
    *,
    proposal_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    group: uuid.UUID | None = None,
    content: str | None = None,
    note: Note | None = None,
) -> Proposal:
    """Do what is proposed. ``content`` is the person's wording instead of the proposed one: of the kept memory in a
    merge, of the summary; in a report it corrects the memory instead of retiring it. ``note`` is that of a note.

    Raises Conflict (decided meanwhile, or ``outdated``), NotFound, Forbidden, Paused, Invalid (the wording).
    """
    proposal = proposal_for_review(proposal_id=proposal_id, user=user)
    lock(f"gate:{proposal.namespace_id}")
    change(
        proposal,
        version=version,
        allowed=["open"],
        verb="proposal.accepted",
        actor=Actor.of(user),
        state="accepted",
        **decided(by=user, now=now),
        now=now,
        group=group,
    )
    by = Deciding(user, now, group, proposal.namespace_id, proposal.sources, content, note)
    steps = apply(payloads.read(proposal.kind, proposal.payload), by)
    Proposal.objects.filter(pk=proposal.pk).update(outcome=steps)
    proposal.outcome = steps
    if proposal.report_id:
        report_close(report_id=proposal.report_id, now=now)
    return proposal


@transaction.atomic
def proposal_refuse(
    *,
    proposal_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    reason: str = "",
    group: uuid.UUID | None = None,
) -> Proposal:
    """Leave everything as it is; the same change is not proposed again."""
    if reason not in REJECT_REASONS:
        raise Invalid(_("Unknown reason."), field="reason", allowed=[r for r in REJECT_REASONS if r])
    proposal = proposal_for_review(proposal_id=proposal_id, user=user)
    change(
        proposal,
        version=version,
        allowed=["open"],
        verb="proposal.refused",
        actor=Actor.of(user),
        state="refused",
        **decided(by=user, now=now, reason=reason),
        now=now,
        group=group,
    )
    if proposal.report_id:
        report_close(report_id=proposal.report_id, now=now)
    return proposal


@transaction.atomic
def proposal_undo(
    *,
    proposal_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    group: uuid.UUID | None = None,
) -> Proposal:
    """Open again, and the memories as they were. Raises Conflict when one of them was touched since."""
    proposal = proposal_for_review(proposal_id=proposal_id, user=user)
    lock(f"gate:{proposal.namespace_id}")
    steps = proposal.outcome
    change(
        proposal,
        version=version,
        allowed=["accepted", "refused"],
        verb="proposal.undone",
        actor=Actor.of(user),
        state="open",
        **UNDECIDED,
        outcome=[],
        now=now,
        group=group,
    )
    take_back(steps, Deciding(user, now, group, proposal.namespace_id))
    _see_again(proposal)
    if proposal.report_id:
        report_reopen(report_id=proposal.report_id)
    return proposal


def _see_again(proposal: Proposal) -> None:
    """Undo has raised the versions of what it is about: name those, so that it can be accepted again."""
    versions = dict(proposal.memories.values_list("pk", "version"))
    notes = Knowledge.objects.filter(namespace=proposal.namespace_id, pk__in=_named_notes(proposal))
    versions |= dict(notes.values_list("pk", "version"))

    def renewed(value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {"id", "version"}:
            return {"id": value["id"], "version": versions.get(uuid.UUID(value["id"]), value["version"])}
        if isinstance(value, list):
            return [renewed(each) for each in value]
        return value

    proposal.payload = {name: renewed(value) for name, value in proposal.payload.items()}
    if proposal.kind == "summary":
        summary = Summary.objects.filter(namespace=proposal.namespace_id).first()
        proposal.payload["version"] = summary.version if summary else 0
    Proposal.objects.filter(pk=proposal.pk).update(payload=proposal.payload)


def _named_notes(proposal: Proposal) -> list[str]:
    return [proposal.payload["note"]["id"]] if proposal.kind == "update" else []


@transaction.atomic
def proposal_withdraw(
    *, proposal: Proposal, now: datetime, actor: Actor | None = None, group: uuid.UUID | None = None
) -> Proposal:
    """Take an open one back, as who filed it. Raises Conflict when somebody decided meanwhile."""
    change(
        proposal,
        version=proposal.version,
        allowed=["open"],
        verb="proposal.withdrawn",
        actor=actor or Actor.system(),
        state="withdrawn",
        decided_at=now,
        now=now,
        group=group,
    )
    return proposal
