"""Approved memories, grouped by namespace, and one with its history."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from core.errors import NotFound
from core.models import Namespace
from memory.models import Candidate, Memory
from memory.models.memory import MemoryQuerySet
from review.selectors.paging import Cursor, Page, page

PAGE = 50
IN_A_GROUP = 10


@dataclass(frozen=True)
class MemoryFilter:
    """``status`` is active, superseded, retracted or all; deleted ones hold no text and are never listed."""

    status: str = "active"
    namespace: str = ""
    kind: str = ""
    actor: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return any((self.status != "active", self.namespace, self.kind, self.actor, self.text))


@dataclass(frozen=True)
class Group:
    """A namespace with its latest memories and how many there are in all."""

    namespace: Namespace
    count: int
    rows: Sequence[Memory]


def narrow(rows: MemoryQuerySet, wanted: MemoryFilter) -> MemoryQuerySet:
    rows = rows.exclude(status="deleted") if wanted.status == "all" else rows.filter(status=wanted.status)
    if wanted.namespace:
        rows = rows.filter(namespace_id=wanted.namespace)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.actor:
        rows = rows.filter(actor=wanted.actor)
    if wanted.text:
        rows = rows.filter(content__icontains=wanted.text)
    return rows


def groups(*, user: User, wanted: MemoryFilter) -> list[Group]:
    """Each namespace with its latest memories: three queries, however many namespaces there are."""
    rows = narrow(Memory.objects.visible_to(user), wanted)
    counts = dict(rows.order_by().values_list("namespace_id").annotate(count=Count("pk")))
    numbered = rows.annotate(
        place=Window(
            RowNumber(), partition_by=F("namespace_id"), order_by=[F("valid_from").desc(), F("pk").desc()]
        )
    )
    latest: dict[uuid.UUID, list[Memory]] = {}
    for row in numbered.filter(place__lte=IN_A_GROUP).defer("blocks").order_by("-valid_from", "-pk"):
        latest.setdefault(row.namespace_id, []).append(row)
    namespaces = Namespace.objects.visible_to(user).filter(pk__in=counts).select_related("owner")
    return [Group(item, counts[item.pk], latest.get(item.pk, [])) for item in namespaces]


def memories_of(*, user: User, wanted: MemoryFilter, after: Cursor | None, size: int = PAGE) -> Page[Memory]:
    """One namespace, page by page, the latest first."""
    rows = narrow(Memory.objects.visible_to(user), wanted).select_related("namespace__owner").defer("blocks")
    return page(rows, field="valid_from", after=after, size=size, at=lambda row: row.valid_from, down=True)


def member_namespaces(*, user: User) -> list[Namespace]:
    return list(Namespace.objects.visible_to(user).select_related("owner"))


def memory_for(*, user: User, memory_id: uuid.UUID) -> Memory:
    """The memory, for any member of its namespace. Raises NotFound for all others."""
    rows = Memory.objects.visible_to(user).select_related("namespace__owner", "superseded_by").defer("blocks")
    found = rows.filter(pk=memory_id).first()
    if found is None:
        raise NotFound(_("There is no such memory."))
    return found


def may_change(*, user: User, memory: Memory) -> bool:
    return Namespace.objects.reviewable_by(user).filter(pk=memory.namespace_id).exists()


def history_of(memory: Memory) -> list[Any]:
    """Former texts, the latest first; the first row is the present one."""
    return list(memory.history.select_related("pgh_context").order_by("-pgh_id")[:50])  # type: ignore[attr-defined]


def candidate_of(memory: Memory) -> Candidate | None:
    """The candidate that led to it; loads, typed imports and old data have none."""
    rows = memory.candidates.filter(status="approved").defer("vector", "blocks")
    return rows.order_by("-decided_at").first()
