"""Key-set paging: page 200 costs what page 1 costs, and rows that vanish shift nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Cursor:
    """The last row of the page before: its moment and id."""

    at: datetime
    id: uuid.UUID

    def __str__(self) -> str:
        return f"{self.at.isoformat()}_{self.id}"

    @classmethod
    def parse(cls, raw: str | None) -> Cursor | None:
        """None for the first page, and for an address that somebody mangled."""
        at, _sep, pk = (raw or "").replace(" ", "+").partition("_")  # a "+00:00" pasted unescaped
        try:
            cursor = cls(datetime.fromisoformat(at), uuid.UUID(pk))
        except ValueError:
            return None
        return cursor if cursor.at.tzinfo else None


@dataclass(frozen=True)
class Page(Generic[M]):
    """Rows and where the next page starts (empty: this is the last)."""

    rows: Sequence[M]
    next: str


def page(
    rows: QuerySet[M], *, field: str, after: Cursor | None, size: int, at: Callable[[M], datetime], down: bool
) -> Page[M]:
    """Rows ordered by ``field`` and id; ``down`` is latest first."""
    word, sign = ("lt", "-") if down else ("gt", "")
    if after is not None:
        rows = rows.filter(
            Q(**{f"{field}__{word}": after.at}) | Q(**{field: after.at, f"pk__{word}": after.id})
        )
    found = list(rows.order_by(f"{sign}{field}", f"{sign}pk")[: size + 1])
    more = len(found) > size
    found = found[:size]
    return Page(found, str(Cursor(at(found[-1]), found[-1].pk)) if more else "")
