"""Proposals for a reviewer: what waits, one with the memories it is about, what was decided."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from core.errors import Forbidden, NotFound
from knowledge import payloads
from knowledge.models import Proposal
from knowledge.models.proposal import ProposalQuerySet
from memory.models import Memory


@dataclass(frozen=True)
class Shown:
    """A proposal with its payload read and the memories it names, in the payload's order.

    ``outdated``: one of them is not as the proposer saw it, so that it cannot be accepted any more.
    """

    proposal: Proposal
    payload: payloads.Payload
    memories: Sequence[Memory]
    outdated: bool


def waiting(*, user: User) -> ProposalQuerySet:
    """What this person can decide now, the oldest first; in no page yet."""
    rows = Proposal.objects.reviewable_by(user).waiting()
    return rows.select_related("namespace__owner", "report").order_by("created_at", "pk")


def shown(proposals: Sequence[Proposal]) -> list[Shown]:
    """Each with its memories: one query for all. The caller has checked that its reader may see them."""
    read = {each.pk: payloads.read(each.kind, each.payload) for each in proposals}
    ids = {ref.id for payload in read.values() for ref in payloads.refs(payload)}
    memories = {row.pk: row for row in Memory.objects.filter(pk__in=ids).defer("blocks")}
    found: list[Shown] = []
    for each in proposals:
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
