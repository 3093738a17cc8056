"""The predictions of L2 for a whole log at once: what `predict` would have said before each choice.

For the rate suggestion and the benchmarks, where many settings × choices are tried. The tests hold it equal to
`predict`; sessions, contexts and followed labels are left out here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from .posterior import base_weights
from .scoring import SPREAD, Guess
from .types import Asked, Settings

Floats = NDArray[np.float64]

RATES = (0.0, 0.01, 0.02, 0.04, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5)  # per day
_ROWS = 256  # of the pairwise weights at a time: memory stays linear in the length of the log
_ENOUGH = 20  # choices with a history, below which no rate is suggested
_LEAST_GAIN = log(len(RATES))  # nats: the best of so many rates looks better by chance
_SURE = 1.645  # standard errors by which another rate must be better


@dataclass(frozen=True)
class Series:
    """One person's choices on one question, in time order: days (any origin) and indices into the option keys.

    ``offered``: choices × options, what could be chosen each time (what was chosen could); None: all of them, always.
    """

    keys: tuple[str, ...]
    days: Floats
    chosen: NDArray[np.int64]
    offered: NDArray[np.bool_] | None = None

    @property
    def open(self) -> Floats:
        """``offered`` as ones and zeros, also where all options always were."""
        every = np.ones((len(self.days), len(self.keys)))
        return every if self.offered is None else self.offered.astype(np.float64)


def series_of(asked_log: Sequence[Asked]) -> list[Series]:
    """One series a question, of single choices; the options are all that were offered or chosen there."""
    groups: dict[str, list[Asked]] = {}
    for asked in sorted(asked_log, key=lambda a: a.observation.at):
        if len(asked.observation.chosen) == 1 and not asked.observation.resolved:
            groups.setdefault(asked.question, []).append(asked)
    found = []
    for group in groups.values():
        keys = tuple(dict.fromkeys(key for a in group for key in (*a.options, *a.observation.chosen)))
        place = {key: i for i, key in enumerate(keys)}
        days = np.array([a.observation.at.timestamp() / 86_400 for a in group])
        chosen = np.array([place[a.observation.chosen[0]] for a in group], dtype=np.int64)
        found.append(Series(keys, days, chosen, offered_of(keys, [a.options for a in group], chosen)))
    return found


def offered_of(
    keys: Sequence[str], options: Sequence[Sequence[str]], chosen: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """`Series.offered` from the options of each choice; None where they never changed.

    An option that was never offered (free text) counts as open from the first time that it was chosen.
    """
    sets = [frozenset(each) for each in options]
    named = frozenset().union(*sets)
    open_ = np.array([[key in each for key in keys] for each in sets], dtype=np.bool_)
    for i, key in enumerate(keys):
        if key not in named:
            open_[:, i] = np.cumsum(chosen == i) > 0
    open_[np.arange(len(chosen)), chosen] = True
    return None if bool(open_.all()) else open_


def replayed(series: Series, *, base: Mapping[str, float] | None, settings: Settings) -> Floats:
    """Probabilities (choices × options) before each choice, from strictly earlier unarchived ones."""
    one_hot = np.eye(len(series.keys))[series.chosen]
    blocks = []
    for first in range(0, len(series.days), _ROWS):
        now = series.days[first : first + _ROWS, None]
        age = now - series.days[None, : first + _ROWS]
        weight = np.where((age > 0) & (age < settings.archive_days), np.exp(-settings.decay_rate * age), 0.0)
        blocks.append(weight @ one_hot[: first + _ROWS])
    counts = np.vstack(blocks) * series.open + bases_of(series, base, settings)
    probabilities: Floats = counts / counts.sum(axis=1, keepdims=True)
    return _stayed(series, probabilities, settings) if settings.inertia else probabilities


def bases_of(series: Series, base: Mapping[str, float] | None, settings: Settings) -> Floats:
    """The base's weights before each choice (choices × options), over what was offered."""
    if series.offered is None:
        return np.tile(base_weights(series.keys, base, settings), (len(series.days), 1))
    known: dict[bytes, Floats] = {}
    for row in series.offered:
        if row.tobytes() not in known:
            weights = np.zeros(len(row))
            keys = [key for key, there in zip(series.keys, row, strict=True) if there]
            weights[row] = base_weights(keys, base, settings)
            known[row.tobytes()] = weights
    return np.array([known[row.tobytes()] for row in series.offered])


def last_of(series: Series, archive_days: float) -> Floats:
    """Before each choice the latest earlier one that still counts, one-hot, or zeros: of what is offered."""
    one_hot = np.eye(len(series.keys))[series.chosen]
    last = np.searchsorted(series.days, series.days, side="left") - 1
    if series.offered is not None:
        for i, open_ in enumerate(series.offered):
            while last[i] >= 0 and not open_[series.chosen[last[i]]]:
                last[i] -= 1
    known = (last >= 0) & (series.days - series.days[last] < archive_days)
    found: Floats = np.where(known[:, None], one_hot[last], 0.0)
    return found


def _stayed(series: Series, probabilities: Floats, settings: Settings) -> Floats:
    """INERTIA of each prediction goes to the latest earlier choice that still counts."""
    last = last_of(series, settings.archive_days)
    share = settings.inertia * last.sum(axis=1, keepdims=True)
    mixed: Floats = (1 - share) * probabilities + share * last
    return mixed


def guesses_of(series: Series, probabilities: Floats) -> list[Guess]:
    """Over what was offered."""
    return [
        Guess(
            {key: p for key, p, there in zip(series.keys, row, open_, strict=True) if there},
            series.keys[chosen],
        )
        for row, open_, chosen in zip(
            probabilities.tolist(), series.open.tolist(), series.chosen, strict=True
        )
    ]


def losses(series: Series, probabilities: Floats) -> Floats:
    """Log loss of each choice, in nats."""
    hit = probabilities[np.arange(len(series.chosen)), series.chosen]
    loss: Floats = -np.log((1 - SPREAD) * hit + SPREAD / series.open.sum(axis=1))
    return loss


def better_rate(
    choices: Sequence[Series], *, base: Mapping[str, float] | None, settings: Settings
) -> float | None:
    """The rate that would have served this person better; None where the present one is as good or data are few.

    "Better" = the gain in log loss over all choices exceeds 1.645 of its standard errors, and log(rates
    tried) nats, since the best of many looks better by chance.
    """

    def loss(rate: float) -> Floats:
        tried = replace(settings, decay_rate=rate)
        return np.concatenate([losses(s, replayed(s, base=base, settings=tried)) for s in choices])

    if sum(max(len(s.days) - 1, 0) for s in choices) < _ENOUGH:
        return None
    present = loss(settings.decay_rate)
    by_rate = {rate: loss(rate) for rate in RATES}
    best = min(RATES, key=lambda rate: float(by_rate[rate].sum()))
    gain = present - by_rate[best]
    error = float(gain.std(ddof=1)) * sqrt(len(gain))
    return best if float(gain.sum()) > max(_SURE * error, _LEAST_GAIN) else None
