"""Observations as columns: 10,000 of them are summed in a millisecond, so that `recommend` can afford them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from .types import OTHER, Observation, Settings

DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Table:
    """Columns of equal length, oldest first. Build it with `table_of`, or with `Table.of` straight from rows.

    ``code``: index into ``sets`` (the distinct sets of chosen keys). ``context``: one mapping a row, or none at all.
    """

    ids: tuple[str, ...]
    at: NDArray[np.float64]  # seconds since the epoch
    code: NDArray[np.int64]
    sets: tuple[tuple[str, ...], ...]
    session: NDArray[np.object_]
    labelled: NDArray[np.bool_]
    followed: NDArray[np.bool_]
    reported: NDArray[np.bool_]
    context: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        *,
        ids: Iterable[str],
        at: Sequence[datetime],
        chosen: Iterable[tuple[str, ...]],
        session: Sequence[str],
        labelled: Sequence[bool],
        followed: Sequence[bool],
        reported: Sequence[bool],
        context: Sequence[Mapping[str, str]] = (),
    ) -> Table:
        """From columns in any order of time; `at` are aware. Auto-resolved questions must not be among them."""
        seconds = np.array([moment.timestamp() for moment in at], dtype=np.float64)
        codes: dict[tuple[str, ...], int] = {}
        code = np.array([codes.setdefault(keys, len(codes)) for keys in chosen], dtype=np.int64)
        order = np.argsort(seconds, kind="stable")
        names = list(ids)
        return cls(
            ids=tuple(names[i] for i in order),
            at=seconds[order],
            code=code[order],
            sets=tuple(codes),
            session=np.array(session, dtype=np.object_)[order],
            labelled=np.array(labelled, dtype=np.bool_)[order],
            followed=np.array(followed, dtype=np.bool_)[order],
            reported=np.array(reported, dtype=np.bool_)[order],
            context=tuple(context[i] for i in order) if any(context) else (),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: NDArray[np.bool_]) -> Table:
        """The rows where the mask is true, in the same order."""
        if bool(rows.all()):
            return self
        where = np.flatnonzero(rows)
        return Table(
            ids=tuple(self.ids[i] for i in where),
            at=self.at[where],
            code=self.code[where],
            sets=self.sets,
            session=self.session[where],
            labelled=self.labelled[where],
            followed=self.followed[where],
            reported=self.reported[where],
            context=tuple(self.context[i] for i in where) if self.context else (),
        )

    def before(self, moment: datetime) -> Table:
        """The rows strictly earlier than a moment."""
        end = int(np.searchsorted(self.at, moment.timestamp(), side="left"))
        return self if end == len(self) else self.take(np.arange(len(self)) < end)

    def live(self, now: datetime, settings: Settings) -> Table:
        """Without what is archived: a choice of exactly ``archive_days`` × 24 h is, a microsecond younger is not."""
        seconds = settings.archive_after.total_seconds()
        return self.take(now.timestamp() - self.at < seconds)

    def offered(self, keys: Sequence[str]) -> Table:
        """Without choices of which nothing is offered now (and which were no free text): they say nothing here."""
        allowed = {*keys, OTHER}
        known = np.array([bool(allowed.intersection(chosen)) for chosen in self.sets], dtype=np.bool_)
        return self.take(known[self.code]) if len(self) else self

    def weights(self, now: datetime, settings: Settings) -> NDArray[np.float64]:
        """exp(-rate × days), fractional days, per row; what lies in the future weighs 1."""
        days = np.maximum(now.timestamp() - self.at, 0.0) / DAY_SECONDS
        return np.exp(-settings.decay_rate * days)

    def matrix(self, keys: Sequence[str]) -> NDArray[np.float64]:
        """sets × keys: how one choice is shared out. A multi-select of three counts a third for each."""
        place = {key: i for i, key in enumerate(keys)}
        matrix = np.zeros((len(self.sets), len(keys)))
        for row, chosen in enumerate(self.sets):
            columns = [place[key] for key in chosen if key in place]
            matrix[row, columns] = 1 / max(len(columns), 1)
        return matrix


def table_of(observations: Sequence[Observation] | Table) -> Table:
    """Columns of observations; auto-resolved ones (nobody was asked) are left out."""
    if isinstance(observations, Table):
        return observations
    asked = [o for o in observations if not o.resolved]
    return Table.of(
        ids=[o.id for o in asked],
        at=[o.at for o in asked],
        chosen=[o.chosen for o in asked],
        session=[o.session for o in asked],
        labelled=[o.labelled for o in asked],
        followed=[o.followed for o in asked],
        reported=[o.source != "hook" for o in asked],
        context=[o.context for o in asked],
    )
