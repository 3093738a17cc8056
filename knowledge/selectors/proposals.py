"""Proposals for a reviewer: what waits, one with what it is about, what was decided."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from knowledge import payloads
from knowledge.models import Knowledge, Proposal, Summary
from knowledge.models.proposal import ProposalQuerySet
from knowledge.note_payloads import KINDS, Summarise, Update
from memory.models import Memory


@dataclass(frozen=True)
class Shown:
    """A proposal with its payload read and the memories it names, in the payload's order; for a draft of a note or of
    the summary those that it was made from.

    ``outdated``: one of them is not as the proposer saw it, so that it cannot be accepted any more; of a draft, the
    note or summary that it would change. ``note`` is that note, or the one that accepting made; ``before`` its text,
    or the summary's.
    """

    proposal: Proposal
    payload: payloads.Payload
    memories: Sequence[Memory]
    outdated: bool
    note: Knowledge | None = None
    before: str = ""


def waiting(*, user: User) -> ProposalQuerySet:
    """What this person can decide now, the oldest first; in no page yet."""
    rows = Proposal.objects.reviewable_by(user).waiting()
    return rows.select_related("namespace__owner", "report").order_by("created_at", "pk")


def shown(proposals: Sequence[Proposal]) -> list[Shown]:
    """Each with what it is about: three queries for all. The caller has checked that its reader may see them."""
    read = {each.pk: payloads.read(each.kind, each.payload) for each in proposals}
    ids = {ref.id for payload in read.values() for ref in payloads.refs(payload)}
    drafts = [each for each in proposals if each.kind in KINDS]
    ids |= {pk for each in drafts for pk in _sources(each)}
    memories = {row.pk: row for row in Memory.objects.filter(pk__in=ids).defer("blocks")}
    notes, summaries = _notes(drafts), _summaries(drafts)
    found: list[Shown] = []
    for each in proposals:
        if each.kind in KINDS:
            made_from = [memories[pk] for pk in _sources(each) if pk in memories]
            held = [row for row in made_from if row.namespace_id == each.namespace_id and row.content]
            note = notes.get(_note_id(each))
            found.append(_draft(each, read[each.pk], held, note, summaries.get(each.namespace_id)))
            continue
        refs = payloads.refs(read[each.pk])
        # One that was moved away is not this namespace's to read.
        rows = [
            memories[ref.id]
            for ref in refs
            if ref.id in memories and memories[ref.id].namespace_id == each.namespace_id
        ]
        stale = len(rows) != len(refs) or any(
            row.version != ref.version or row.status != "active" for row, ref in zip(rows, refs, strict=False)
        )
        found.append(Shown(each, read[each.pk], rows, stale))
    return found


def _draft(
    proposal: Proposal,
    payload: payloads.Payload,
    memories: Sequence[Memory],
    note: Knowledge | None,
    summary: Summary | None,
) -> Shown:
    if note is not None and note.namespace_id != proposal.namespace_id:
        note = None
    if isinstance(payload, Update):
        stale = note is None or note.status != "active" or note.version != payload.note.version
        return Shown(proposal, payload, memories, stale, note, note.body if note else "")
    if isinstance(payload, Summarise):
        stale = (summary.version if summary else 0) != payload.version
        return Shown(proposal, payload, memories, stale, None, summary.body if summary else "")
    return Shown(proposal, payload, memories, False, note)


def _sources(proposal: Proposal) -> list[uuid.UUID]:
    return [uuid.UUID(each["id"]) for each in proposal.sources if each.get("type") == "memory"]


def _note_id(proposal: Proposal) -> str:
    """Of the note that it would change, or that accepting it made."""
    if proposal.kind == "update":
        return str(proposal.payload["note"]["id"])
    made = [str(step["id"]) for step in proposal.outcome if step.get("do") == "make"]
    return made[0] if made else ""


def _notes(drafts: Sequence[Proposal]) -> dict[str, Knowledge]:
    ids = {_note_id(each) for each in drafts} - {""}
    return {str(row.pk): row for row in Knowledge.objects.filter(pk__in=ids)} if ids else {}


def _summaries(drafts: Sequence[Proposal]) -> dict[uuid.UUID, Summary]:
    homes = {each.namespace_id for each in drafts if each.kind == "summary"}
    rows = Summary.objects.filter(namespace__in=homes) if homes else ()
    return {row.namespace_id: row for row in rows}


def proposal_for(*, user: User, proposal_id: uuid.UUID) -> Shown:
    """One, for somebody who may review it. Raises Forbidden for readers, NotFound for strangers."""
    rows = Proposal.objects.reviewable_by(user).select_related("namespace__owner", "report", "decided_by")
    found = rows.filter(pk=proposal_id).first()
    if found is not None:
        return shown([found])[0]
    if Proposal.objects.visible_to(user).filter(pk=proposal_id).exists():
        raise Forbidden(_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."))
    raise NotFound(_("There is no such proposal."))


def decided(*, user: User) -> ProposalQuerySet:
    """Accepted, refused and withdrawn ones, the latest first."""
    rows = Proposal.objects.reviewable_by(user).filter(decided_at__isnull=False)
    return rows.select_related("namespace__owner", "decided_by").order_by("-decided_at", "-pk")
