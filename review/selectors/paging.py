"""Key-set paging: page 200 costs what page 1 costs, and rows that vanish shift nothing."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from core.moments import in_utc

M = TypeVar("M", bound=Model)
_NUMBER = re.compile(r"\d{1,9}\.\d{1,17}(?:e-\d{1,3})?")


@dataclass(frozen=True)
class Cursor:
    """The last row of the page before: what it is ordered by (a moment or a number) and its id."""

    at: datetime | float
    id: uuid.UUID

    def __str__(self) -> str:
        at = self.at.isoformat() if isinstance(self.at, datetime) else repr(float(self.at))
        return f"{at}_{self.id}"

    @classmethod
    def parse(cls, raw: str | None) -> Cursor | None:
        """None for the first page, and for an address that somebody mangled."""
        at, _sep, pk = (raw or "").replace(" ", "+").partition("_")  # a "+00:00" pasted unescaped
        try:
            place = float(at) if _NUMBER.fullmatch(at) else in_utc(datetime.fromisoformat(at))
            return cls(place, uuid.UUID(pk))
        except ValueError:
            return None


@dataclass(frozen=True)
class Page(Generic[M]):
    """Rows and where the next page starts (empty: this is the last)."""

    rows: Sequence[M]
    next: str


def page(
    rows: QuerySet[M],
    *,
    field: str,
    after: Cursor | None,
    size: int,
    at: Callable[[M], datetime | float],
    down: bool,
    numeric: bool = False,
) -> Page[M]:
    """Rows ordered by ``field`` and id; ``down`` is latest first. A cursor of another order starts from the top."""
    if after is not None and isinstance(after.at, datetime) == numeric:
        after = None
    word, sign = ("lt", "-") if down else ("gt", "")
    if after is not None:
        rows = rows.filter(
            Q(**{f"{field}__{word}": after.at}) | Q(**{field: after.at, f"pk__{word}": after.id})
        )
    found = list(rows.order_by(f"{sign}{field}", f"{sign}pk")[: size + 1])
    more = len(found) > size
    found = found[:size]
    return Page(found, str(Cursor(at(found[-1]), found[-1].pk)) if more else "")
