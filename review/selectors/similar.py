"""What a candidate resembles in its namespace: waiting, approved and rejected (review-ux lines 9, 14 and 15)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from memory.inputs import Vector
from memory.models import Candidate, Memory, Tombstone
from memory.services import likeness

MOST = 12
OPEN = ("pending", "needs_attention")


@dataclass(frozen=True)
class Similar:
    """One resembling text.

    ``into`` ("candidate", "memory" or "") says what a duplicate may be merged into; ``memory`` is set for an active
    memory, which may be replaced. ``percent`` is likeness from 0 to 100 (None: found by typing, not measured).
    """

    id: uuid.UUID
    text: str
    language: str
    status: str
    tone: str
    percent: int | None
    relation: str
    reasons: Sequence[str]
    url: str
    into: str
    replaces: bool


def similar_to(candidate: Candidate) -> list[Similar]:
    """The likeliest first. The caller has checked that its reader may review the candidate, hence its namespace."""
    vector = None
    if candidate.vector is not None and candidate.space:
        vector = Vector(candidate.space, [float(each) for each in candidate.vector])
    likes = likeness.find(
        namespace_id=candidate.namespace_id,
        kind=candidate.kind,
        content=candidate.content,
        vector=vector,
        any_kind=True,
        exclude=candidate.pk,
    )
    memories = {like.item.pk for like in likes if isinstance(like.item, Memory)}
    found: list[Similar] = []
    said: set[tuple[str, str]] = set()
    for like in likes:
        if isinstance(like.item, Candidate) and like.item.memory_id in memories:
            continue  # the memory that it became says the same
        shown = _shown(like.item, round(like.score * 100), like.relation, like.reasons)
        if (shown.tone, shown.text) not in said:  # a rejected candidate and the stone it left
            said.add((shown.tone, shown.text))
            found.append(shown)
    rival = candidate.conflicts_with
    if rival is not None and rival.status == "active" and rival.pk not in {each.id for each in found}:
        found.insert(0, _shown(rival, None, "conflict", ()))  # whatever the likeness says today
    return found[:MOST]


def picked(candidate: Candidate, *, text: str) -> list[Similar]:
    """What could be the original of a duplicate, looked up by words: open candidates and active memories."""
    own = {"namespace_id": candidate.namespace_id, "content__icontains": text}
    memories = Memory.objects.active().filter(**own).defer("blocks").order_by("-valid_from")
    open_ones = Candidate.objects.open().filter(**own).exclude(pk=candidate.pk).defer("vector", "blocks")
    rows: list[Memory | Candidate] = [*memories[:MOST], *open_ones.order_by("-last_seen_at")[:MOST]]
    return [_shown(row, None, "", ()) for row in rows]


def _shown(
    item: Candidate | Memory | Tombstone, percent: int | None, relation: str, reasons: Sequence[str]
) -> Similar:
    if isinstance(item, Tombstone):
        return Similar(
            item.pk,
            item.text,
            "",
            _("rejected"),
            "bad",
            percent,
            relation,
            reasons,
            "",
            into="",
            replaces=False,
        )
    memory = isinstance(item, Memory)
    tone = {"active": "good", "approved": "good", "rejected": "bad", "retracted": "bad"}.get(item.status, "")
    may_take = item.status in ("active", "approved", *OPEN)
    return Similar(
        item.pk,
        item.content,
        item.language,
        item.get_status_display(),
        tone,
        percent,
        relation,
        reasons,
        reverse("memory" if memory else "candidate", args=[item.pk]),
        into=("memory" if memory else "candidate") if may_take else "",
        replaces=memory and item.status == "active",
    )
