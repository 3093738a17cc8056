"""One repair over many rows: each by itself, so that one refusal does not undo the others."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.errors import DomainError
from core.ids import new_id, parse_id
from core.statuses import TRANSIENT, busy


@dataclass(frozen=True)
class Item:
    """A row and the version of it that the operator saw."""

    id: uuid.UUID
    version: int


@dataclass(frozen=True)
class Repaired:
    """Ids that were changed, and why the others were not."""

    done: list[uuid.UUID] = field(default_factory=list)
    refused: dict[uuid.UUID, DomainError] = field(default_factory=dict)


def item_of(spelled: str) -> Item | None:
    """``<id>.<version>`` as forms carry it; None for anything else."""
    pk, _dot, version = spelled.partition(".")
    found = parse_id(pk)
    return Item(found, int(version)) if found and version.isdecimal() and len(version) <= 9 else None


def each(*, items: Sequence[Item], do: Callable[[Item, uuid.UUID], object]) -> Repaired:
    """Call ``do`` with each item and the id that joins their audit events."""
    group, repaired = new_id(), Repaired()
    for item in {item.id: item for item in items}.values():
        try:
            do(item, group)
        except DomainError as error:
            repaired.refused[item.id] = error
        except TRANSIENT as error:
            repaired.refused[item.id] = busy(error)
        else:
            repaired.done.append(item.id)
    return repaired
