"""How proposals change state, and who may change them (design section 1, rule 4)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.actor import Actor, Decider
from core.services.transitions import row_for_review, transition
from knowledge.models import Proposal


def proposal_for_review(*, proposal_id: uuid.UUID, user: Decider) -> Proposal:
    """The proposal, if this person may decide about it. A stranger learns nothing; a reader may only look."""
    return row_for_review(
        rows=Proposal.objects.all(),
        pk=proposal_id,
        who=user,
        missing=_("There is no such proposal."),
        reader=_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."),
    )


def change(
    proposal: Proposal,
    *,
    version: int,
    allowed: Sequence[str],
    verb: str,
    actor: Actor,
    now: datetime,
    group: uuid.UUID | None = None,
    **fields: Any,
) -> None:
    """Apply ``fields`` if the row still has ``version`` and an allowed state; else raise Conflict."""
    transition(
        proposal,
        column="state",
        version=version,
        allowed=allowed,
        verb=verb,
        actor=actor,
        now=now,
        group=group,
        equal=_("The same change is proposed already."),
        data=lambda: {"kind": proposal.kind, "fingerprint": proposal.fingerprint},
        fields=fields,
    )
