"""What holds for a drafted note or summary before it is put before a person (design section 6, night shift)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid
from core.models import Namespace
from decisions.models import DecisionPoint
from knowledge.models import Knowledge, KnowledgeUse, Proposal, Summary
from knowledge.night.protection import may_rewrite
from knowledge.note_payloads import NotePayload, Summarise, Update
from knowledge.payloads import Payload
from memory.models import Memory, Request


def used_at(*, knowledge_id: uuid.UUID) -> datetime | None:
    """When somebody last called or read it on purpose."""
    last: datetime | None = KnowledgeUse.objects.filter(knowledge=knowledge_id).aggregate(last=Max("at"))[
        "last"
    ]
    return last


def check_draft(*, namespace: Namespace, payload: NotePayload, now: datetime) -> None:
    """Refuse what a machine may not even propose.

    Raises Invalid (``unknown_note``, ``protected``) and Conflict (``outdated``: it was changed while this was drafted).
    """
    if isinstance(payload, Summarise):
        version = Summary.objects.filter(namespace=namespace).values_list("version", flat=True).first() or 0
        if version != payload.version:
            raise Conflict(_("The summary was changed meanwhile. Look at it again."), code="outdated")
        return
    if not isinstance(payload, Update):
        return
    note = Knowledge.objects.active().filter(namespace=namespace, pk=payload.note.id).first()
    if note is None:
        raise Invalid(
            _("A change of a note is about an active one of the namespace."),
            code="unknown_note",
            field="payload",
        )
    if note.version != payload.note.version:
        raise Conflict(_("The note was changed meanwhile. Look at it again."), code="outdated")
    if not may_rewrite(old=note.body, new=payload.body, used_at=used_at(knowledge_id=note.pk), now=now):
        raise Invalid(
            _("The note was used in the last 30 days: no rewrite may drop over half of it."),
            code="protected",
            field="payload",
        )


def check_sources(*, namespace: Namespace, sources: Sequence[Mapping[str, Any]]) -> set[uuid.UUID]:
    """The memories among the sources, all of which must exist in the namespace. Raises Invalid (``unknown_source``)."""
    named: dict[str, set[str]] = {}
    for source in sources:
        named.setdefault(str(source.get("type")), set()).add(str(source.get("id")))
    memories = {uuid.UUID(each) for each in named.pop("memory", set()) if _is_uuid(each)}
    missing = {
        "memory": len({str(each.get("id")) for each in sources if each.get("type") == "memory"})
        - Memory.objects.active().filter(namespace=namespace, pk__in=memories).count()
    }
    rows: dict[str, Any] = {
        "request": Request.objects.filter(namespace=namespace),
        "point": DecisionPoint.objects.filter(workspace=namespace),
        "knowledge": Knowledge.objects.filter(namespace=namespace),
        "summary": Summary.objects.filter(namespace=namespace),
    }
    for kind, ids in named.items():
        keys: Iterable[str] = [
            each for each in ids if (each.isdecimal() if kind == "request" else _is_uuid(each))
        ]
        found = rows[kind].filter(pk__in=keys).count() if kind in rows else 0
        missing[kind] = len(ids) - found
    if any(missing.values()) or not sources:
        raise Invalid(
            _("A draft names what it was made from, and all of it exists in the namespace."),
            code="unknown_source",
            field="sources",
            missing={kind: count for kind, count in missing.items() if count},
        )
    return memories


def superseded_drafts(*, namespace: Namespace, payload: Payload) -> list[Proposal]:
    """Open proposals whose place a newer draft takes: of the same note, or of the summary."""
    rows = Proposal.objects.filter(namespace=namespace, state="open")
    if isinstance(payload, Summarise):
        return list(rows.filter(kind="summary"))
    if isinstance(payload, Update):
        return list(rows.filter(kind="update", payload__note__id=str(payload.note.id)))
    return []


def _is_uuid(value: str) -> bool:
    try:
        uuid.UUID(value)
    except ValueError:
        return False
    return True
