"""How candidates and memories change state, and who may change them (design section 1, rule 4)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.actor import Actor, Decider, account_of
from core.locks import lock
from core.services.transitions import row_for_review, transition
from core.text import sha256
from memory.models import Candidate, Memory

OPEN = ("pending", "needs_attention")
UNDECIDED: dict[str, Any] = {"decided_at": None, "decided_by": None, "decision_reason": ""}


def candidate_for_review(*, candidate_id: uuid.UUID, user: Decider) -> Candidate:
    """The candidate, if this person may decide about it. A stranger learns nothing; a reader may only look."""
    return row_for_review(
        rows=Candidate.objects.all(),
        pk=candidate_id,
        who=user,
        missing=_("There is no such candidate."),
        reader=_("Readers of a namespace cannot decide. Ask an owner for the reviewer role."),
    )


def memory_for_review(*, memory_id: uuid.UUID, user: Decider) -> Memory:
    """The memory, if this person may change it."""
    return row_for_review(
        rows=Memory.objects.all(),
        pk=memory_id,
        who=user,
        missing=_("There is no such memory."),
        reader=_("Readers of a namespace cannot change memories. Ask an owner for the reviewer role."),
    )


def decided(*, by: Decider, now: datetime, reason: str = "") -> dict[str, Any]:
    """The columns that say who decided; ``UNDECIDED`` empties them."""
    return {"decided_at": now, "decided_by": account_of(by), "decision_reason": reason}


def candidate_decide(
    *,
    candidate_id: uuid.UUID,
    version: int,
    user: Decider,
    now: datetime,
    verb: str,
    allowed: Sequence[str] = OPEN,
    group: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
    **fields: Any,
) -> Candidate:
    """What most decisions begin with: find it for this person, take the gate of its namespace, change it as seen."""
    candidate = candidate_for_review(candidate_id=candidate_id, user=user)
    lock(f"gate:{candidate.namespace_id}")
    change(
        candidate,
        version=version,
        allowed=allowed,
        verb=verb,
        actor=Actor.of(user),
        now=now,
        group=group,
        data=data,
        **fields,
    )
    return candidate


def gates_lock(candidate_ids: Collection[uuid.UUID], *, also: Collection[uuid.UUID] = ()) -> None:
    """Take the gates of these candidates' namespaces, and those of the namespaces in ``also``, at once.

    A transaction that changes several candidates calls this first. One gate after the other, in the order of a list,
    would let two people who decide in two orders wait for each other.
    """
    homes = Candidate.objects.filter(pk__in=candidate_ids).values_list("namespace_id", flat=True)
    lock(*(f"gate:{namespace_id}" for namespace_id in {*homes, *also}))


def change(
    row: Candidate | Memory,
    *,
    version: int,
    allowed: Sequence[str],
    verb: str,
    actor: Actor,
    now: datetime,
    group: uuid.UUID | None = None,
    data: dict[str, Any] | None = None,
    **fields: Any,
) -> None:
    """Apply ``fields`` if the row still has ``version`` and an allowed status; else raise Conflict.

    Writes the audit event in the same transaction, with hashes of the text before and after, and refreshes ``row``.
    """
    text_before = row.content

    def details() -> dict[str, Any]:
        after = {"sha256_after": sha256(row.content)} if row.content != text_before else {}
        return {**(data or {}), "sha256": sha256(text_before), **after}

    transition(
        row,
        column="status",
        version=version,
        allowed=allowed,
        verb=verb,
        actor=actor,
        now=now,
        group=group,
        equal=_("The same text already waits in this namespace."),
        data=details,
        fields=fields,
    )
