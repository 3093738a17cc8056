"""Observations as columns: 10,000 of them are summed in a millisecond, so that `recommend` can afford them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .types import OTHER, Observation, Settings

DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Table:
    """Columns of equal length, oldest first. Build it with `table_of`, or with `Table.of` straight from rows.

    ``code``: index into ``sets`` (the distinct sets of chosen keys). ``around``: index into ``contexts`` (the distinct
    ones); no row has one where ``contexts`` is empty.
    ``count``: choices behind a row. A row of several equal ones has no id, stands at the moment that gives each of them
    their mean weight, and says nothing about contexts (`Table.bundles`).
    """

    ids: tuple[str, ...]
    at: NDArray[np.float64]  # seconds since the epoch
    code: NDArray[np.int64]
    sets: tuple[tuple[str, ...], ...]
    session: NDArray[np.object_]
    labelled: NDArray[np.bool_]
    followed: NDArray[np.bool_]
    reported: NDArray[np.bool_]
    count: NDArray[np.int64]
    around: NDArray[np.int64]
    contexts: tuple[Mapping[str, str], ...] = ()

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
        contexts, around = _distinct(context, len(names))
        return cls(
            ids=tuple(names[i] for i in order),
            at=seconds[order],
            code=code[order],
            sets=tuple(codes),
            session=np.array(session, dtype=np.object_)[order],
            labelled=np.array(labelled, dtype=np.bool_)[order],
            followed=np.array(followed, dtype=np.bool_)[order],
            reported=np.array(reported, dtype=np.bool_)[order],
            count=np.ones(len(names), dtype=np.int64),
            around=around[order],
            contexts=contexts,
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def n(self) -> int:
        """How many choices, not rows."""
        return int(self.count.sum())

    def take(self, rows: NDArray[np.bool_]) -> Table:
        """The rows where the mask is true, in the same order."""
        where = np.flatnonzero(rows)
        if len(where) == len(rows):
            return self
        return Table(
            ids=tuple(self.ids[i] for i in where.tolist()),
            at=self.at[where],
            code=self.code[where],
            sets=self.sets,
            session=self.session[where],
            labelled=self.labelled[where],
            followed=self.followed[where],
            reported=self.reported[where],
            count=self.count[where],
            around=self.around[where],
            contexts=self.contexts,
        )

    def single(self) -> Table:
        """Without the rows that stand for several choices at once."""
        if "" not in self.ids:
            return self
        return self.take(np.array([bool(name) for name in self.ids], dtype=np.bool_))

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
        known = [not allowed.isdisjoint(chosen) for chosen in self.sets]
        return self if all(known) else self.take(np.array(known, dtype=np.bool_)[self.code])

    def weights(self, now: datetime, settings: Settings) -> NDArray[np.float64]:
        """exp(-rate × days), fractional days, times the choices of the row; what lies in the future weighs 1."""
        days = np.maximum(now.timestamp() - self.at, 0.0) / DAY_SECONDS
        return self.count.astype(np.float64) * np.exp(-settings.decay_rate * days)

    def matrix(self, keys: Sequence[str]) -> NDArray[np.float64]:
        """sets × keys, read-only: how one choice is shared out. A multi-select of three counts a third for each."""
        return _matrix(self.sets, tuple(keys))


@lru_cache(maxsize=64)  # layers and contexts of one question share it
def _matrix(sets: tuple[tuple[str, ...], ...], keys: tuple[str, ...]) -> NDArray[np.float64]:
    place = {key: i for i, key in enumerate(keys)}
    matrix = np.zeros((len(sets), len(keys)))
    for row, chosen in enumerate(sets):
        columns = [place[key] for key in chosen if key in place]
        matrix[row, columns] = 1 / max(len(columns), 1)
    matrix.flags.writeable = False
    return matrix


def bundles(
    *,
    chosen: Sequence[tuple[str, ...]],
    count: Sequence[int],
    weight: Sequence[float],
    session: Sequence[str],
    followed: Sequence[bool],
    reported: Sequence[bool],
    now: datetime,
    settings: Settings,
) -> Table:
    """Sums instead of rows: ``count`` choices of one kind that weigh ``weight`` together at ``now``.

    They count as our own advice would for runs (as labelled), since nobody knows their order.
    """
    if not count:
        return EMPTY
    many = np.array(count, dtype=np.float64)
    mean = np.maximum(np.array(weight, dtype=np.float64) / np.maximum(many, 1), np.finfo(np.float64).tiny)
    most = settings.archive_after.total_seconds() - 1
    age = (
        np.zeros(len(many)) if settings.decay_rate == 0 else -np.log(mean) / settings.decay_rate * DAY_SECONDS
    )
    codes = {keys: i for i, keys in enumerate(dict.fromkeys(chosen))}
    order = np.argsort(-age, kind="stable")
    return Table(
        ids=("",) * len(many),
        at=(now.timestamp() - np.clip(age, 0.0, most))[order],
        code=np.array([codes[keys] for keys in chosen], dtype=np.int64)[order],
        sets=tuple(codes),
        session=np.array(session, dtype=np.object_)[order],
        labelled=np.ones(len(many), dtype=np.bool_),
        followed=np.array(followed, dtype=np.bool_)[order],
        reported=np.array(reported, dtype=np.bool_)[order],
        count=np.array(count, dtype=np.int64)[order],
        around=np.zeros(len(many), dtype=np.int64),
    )


def joined(older: Table, newer: Table) -> Table:
    """Both, the ``newer`` last; contexts are the newer one's alone."""
    if not len(older):
        return newer
    codes = {keys: i for i, keys in enumerate(dict.fromkeys((*older.sets, *newer.sets)))}
    moved = [
        np.array([codes[keys] for keys in each.sets], dtype=np.int64)[each.code] for each in (older, newer)
    ]
    # Sums know no context: they get one of their own, behind the newer one's.
    nowhere = len(newer.contexts)
    return Table(
        ids=(*older.ids, *newer.ids),
        at=np.concatenate((older.at, newer.at)),
        code=np.concatenate(moved),
        sets=tuple(codes),
        session=np.concatenate((older.session, newer.session)),
        labelled=np.concatenate((older.labelled, newer.labelled)),
        followed=np.concatenate((older.followed, newer.followed)),
        reported=np.concatenate((older.reported, newer.reported)),
        count=np.concatenate((older.count, newer.count)),
        around=np.concatenate((np.full(len(older), nowhere, dtype=np.int64), newer.around)),
        contexts=(*newer.contexts, {}) if newer.contexts else (),
    )


def _distinct(
    contexts: Sequence[Mapping[str, str]], rows: int
) -> tuple[tuple[Mapping[str, str], ...], NDArray[np.int64]]:
    if not any(contexts):
        return (), np.zeros(rows, dtype=np.int64)
    codes: dict[tuple[tuple[str, str], ...], int] = {}
    around = [codes.setdefault(tuple(sorted(each.items())), len(codes)) for each in contexts]
    return tuple(dict(items) for items in codes), np.array(around, dtype=np.int64)


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


EMPTY = Table.of(ids=(), at=(), chosen=(), session=(), labelled=(), followed=(), reported=())
