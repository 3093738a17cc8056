"""What accepting a proposal does, and how it is taken back; inside the deciding transaction.

Here for memories; ``note_applying`` does it for notes and summaries.
Each step is written down as ``{"do", "id", "version", ...}``: what was done to which memory, and the version that it
has since. Taking back goes through the same services as a person's own acts and refuses what somebody touched later.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.actor import Actor
from core.errors import Conflict
from core.redact import redact
from knowledge.note_payloads import NotePayload
from knowledge.payloads import Merge, Payload, Ref, Supersede, refs
from knowledge.services.deciding import Deciding
from knowledge.services.note_applying import STEPS, apply_note, take_back_note
from memory.models import Memory
from memory.services.memories import memory_edit, memory_restore, memory_retire
from memory.services.promotion import supersede
from memory.services.transitions import memory_for_review


def apply(payload: Payload, by: Deciding) -> list[dict[str, Any]]:
    """Do it and return the steps. Raises Conflict (``outdated``: a memory is not as the proposer saw it)."""
    if isinstance(payload, NotePayload):
        return apply_note(payload, by)
    found = {ref.id: _as_seen(ref, by) for ref in refs(payload)}
    if isinstance(payload, Merge):
        steps = _reword(found[payload.keep.id], _wording(payload.content, by), by)
        kept = Memory.objects.get(pk=payload.keep.id)
        return steps + [_close(found[ref.id], kept, by) for ref in payload.drop]
    if isinstance(payload, Supersede):
        return [_close(found[payload.old.id], found[payload.new.id], by)]
    memory = found[payload.memory.id]
    if by.content is not None:  # a report may be right, and the memory worth correcting rather than retiring
        return _reword(memory, _wording("", by), by)
    retired = memory_retire(
        memory_id=memory.pk,
        version=memory.version,
        user=by.user,
        reason=payload.how,
        now=by.now,
        group=by.group,
    )
    return [_step("restore", retired)]


def take_back(steps: Sequence[Mapping[str, Any]], by: Deciding) -> None:
    """Undo the steps, the last one first. Raises Conflict when a memory was touched since."""
    for step in reversed(steps):
        if step["do"] in STEPS:
            take_back_note(step, by)
            continue
        memory = memory_for_review(memory_id=uuid.UUID(step["id"]), user=by.user)
        if step["do"] == "restore":
            memory_restore(
                memory_id=memory.pk, version=step["version"], user=by.user, now=by.now, group=by.group
            )
            continue
        former = memory.history.filter(version=step["was"]).order_by("-pgh_id").first()  # type: ignore[attr-defined]
        if former is None:
            raise Conflict(_("The former text is no longer known."), code="changed_since")
        memory_edit(
            memory_id=memory.pk,
            version=step["version"],
            user=by.user,
            content=former.content,
            kind=former.kind,
            now=by.now,
            reason="undo",
            group=by.group,
        )


def _as_seen(ref: Ref, by: Deciding) -> Memory:
    memory = memory_for_review(memory_id=ref.id, user=by.user)
    if memory.version != ref.version or memory.status != "active":
        raise Conflict(
            _("A memory was changed after this was proposed; refuse it, or change the memory yourself."),
            code="outdated",
            memory=str(memory.pk),
            status=memory.status,
            version=memory.version,
        )
    return memory


def _wording(proposed: str, by: Deciding) -> str:
    return redact(proposed if by.content is None else by.content).text.strip()


def _reword(memory: Memory, content: str, by: Deciding) -> list[dict[str, Any]]:
    if content in ("", memory.content):
        return []
    was = memory.version
    edited = memory_edit(
        memory_id=memory.pk,
        version=was,
        user=by.user,
        content=content,
        kind=memory.kind,
        now=by.now,
        reason="proposal",
        group=by.group,
    )
    return [{**_step("reword", edited), "was": was}]


def _close(old: Memory, new: Memory, by: Deciding) -> dict[str, Any]:
    closed = supersede(old_id=old.pk, new=new, actor=Actor.of(by.user), group=by.group, now=by.now)
    return _step("restore", closed)


def _step(do: str, memory: Memory) -> dict[str, Any]:
    return {"do": do, "id": str(memory.pk), "version": memory.version}
