"""What an operator may do to candidates and memories: what members do, with a reason (design section 7)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Invalid
from core.services.repairs import Item, Repaired, each
from memory.models import Candidate
from memory.services import gate, memories


def candidates_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``verb``: approve, reject (``code``: one of ``gate.REJECT_REASONS``), archive, reopen. Raises Invalid.

    To reopen takes back whatever was decided: an archived one gets a new clock, an approval or rejection is undone.
    """
    acts: Mapping[str, Callable[..., object]] = {
        "approve": gate.candidate_approve,
        "reject": gate.candidate_reject,
        "archive": gate.candidate_archive,
        "reopen": _reopen,
    }
    if verb not in acts:
        raise Invalid(_("Unknown act."), field="verb", allowed=list(acts))
    more: dict[str, Any] = {"reason": code} if verb == "reject" else {}

    def do(item: Item, group: uuid.UUID) -> None:
        acts[verb](candidate_id=item.id, version=item.version, user=operator, now=now, group=group, **more)

    return each(items=items, do=do)


def memories_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``verb``: retire (``code``: wrong or outdated), restore. Raises Invalid."""
    acts: Mapping[str, Callable[..., object]] = {
        "retire": memories.memory_retire,
        "restore": memories.memory_restore,
    }
    if verb not in acts:
        raise Invalid(_("Unknown act."), field="verb", allowed=list(acts))
    more: dict[str, Any] = {"reason": code} if verb == "retire" else {}

    def do(item: Item, group: uuid.UUID) -> None:
        acts[verb](memory_id=item.id, version=item.version, user=operator, now=now, group=group, **more)

    return each(items=items, do=do)


def _reopen(
    *, candidate_id: uuid.UUID, version: int, user: Operator, now: datetime, group: uuid.UUID
) -> Candidate:
    archived = Candidate.objects.reviewable_by(user).filter(pk=candidate_id, status="archived").exists()
    act = gate.candidate_reopen if archived else gate.candidate_undo
    return act(candidate_id=candidate_id, version=version, user=user, now=now, group=group)
