"""What an operator may do to proposals and notes: what members do, with a reason (design section 7)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.actor import Operator
from core.errors import Invalid
from core.services.repairs import Item, Repaired, each
from knowledge.services.notes import knowledge_restore, knowledge_retire
from knowledge.services.proposals import proposal_accept, proposal_refuse, proposal_undo


def proposals_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``verb``: accept, refuse (``code``: one of ``gate.REJECT_REASONS``), reopen (take back). Raises Invalid."""
    acts: Mapping[str, Callable[..., object]] = {
        "accept": proposal_accept,
        "refuse": proposal_refuse,
        "reopen": proposal_undo,
    }
    if verb not in acts:
        raise Invalid(_("Unknown act."), field="verb", allowed=list(acts))
    more: dict[str, Any] = {"reason": code} if verb == "refuse" else {}

    def do(item: Item, group: uuid.UUID) -> None:
        acts[verb](proposal_id=item.id, version=item.version, user=operator, now=now, group=group, **more)

    return each(items=items, do=do)


def notes_repair(
    *, operator: Operator, verb: str, items: Sequence[Item], now: datetime, code: str = ""
) -> Repaired:
    """``verb``: retire, restore. Raises Invalid. Whether sessions start with a note is not an operator's to say."""
    acts: Mapping[str, Callable[..., object]] = {"retire": knowledge_retire, "restore": knowledge_restore}
    if verb not in acts:
        raise Invalid(_("Unknown act."), field="verb", allowed=list(acts))

    def do(item: Item, group: uuid.UUID) -> None:
        acts[verb](knowledge_id=item.id, version=item.version, user=operator, now=now, group=group)

    return each(items=items, do=do)
