"""Fit the numbers of the formula to some people, by a rule that looks at nobody else.

Those settings are taken that cost least in cross-validation among the people given: each fifth of them is predicted
with everyone's share from the other four fifths. "Cost" is log loss + Brier, summed over choices, and a little for the
distance from the agreed numbers, which tells where few people decide. How long a choice counts stays as agreed, unless
these people clearly say otherwise: dated choices may lie months apart.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import log, sqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from decisions.learning.posterior import base_weights
from decisions.learning.replay import Floats, Series, last_of
from decisions.learning.scoring import SPREAD
from decisions.learning.types import DEFAULTS, Settings

# Wide enough to hold each rival: 1,000 leaves counts without weight, 0.9 leaves nearly all to the last choice.
RATES: Final = (0.01, 0.02, 0.04, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 1.0)  # per day
SLOW: Final = (0.0, 0.001, 0.003)  # with choices that count for ever
STRENGTHS: Final = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 6.0, 10.0, 1000.0)
INERTIAS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
FOR_EVER: Final = 10**6  # days
FOLDS: Final = 5
_SLOWEST: Final = 0.001  # per day: rates below it are all the same
_ALL: Final = 30.0  # strengths from which nearly all is left to the base
_SURE: Final = 1.645  # standard errors over people, by which another age must be better


@dataclass(frozen=True)
class Stack:
    """The choices of many series with the same options, as arrays of one row a choice.

    ``decayed``: by rate and days until archived, the weight of each option before it. ``last``: by those days, the
    latest earlier choice that counts, one-hot, or zeros. ``hit``: what was chosen, one-hot. ``open``: what was offered,
    as ones and zeros. ``owner``: index of the person.
    """

    keys: tuple[str, ...]
    decayed: Mapping[tuple[float, float], Floats]
    last: Mapping[float, Floats]
    hit: Floats
    open: Floats
    owner: NDArray[np.int64]


def base_of(people: Sequence[Sequence[Series]]) -> dict[str, float]:
    """Everyone's marginal, one added to each option."""
    counts = Counter(series.keys[i] for one in people for series in one for i in series.chosen)
    keys = {key for one in people for series in one for key in series.keys}
    total = sum(counts.values()) + len(keys)
    return {key: (counts[key] + 1) / total for key in keys}


Ages = Mapping[float, Sequence[float]]  # days until archived: the rates tried with it


def ages_of(people: Sequence[Sequence[Series]], settings: Settings) -> Ages:
    """For ever is tried only where somebody's choices span more days than count."""
    ages: dict[float, Sequence[float]] = {settings.archive_days: sorted({*RATES, settings.decay_rate})}
    if any(s.days[-1] - s.days[0] >= settings.archive_days for one in people for s in one):
        ages[FOR_EVER] = (*SLOW, *RATES)
    return ages


def stacks_of(
    people: Sequence[Sequence[Series]], settings: Settings = DEFAULTS, ages: Ages | None = None
) -> list[Stack]:
    """All that fitting needs, computed once."""
    groups: dict[tuple[str, ...], list[tuple[int, Series]]] = {}
    for index, one in enumerate(people):
        for series in one:
            groups.setdefault(series.keys, []).append((index, series))
    ages = ages or ages_of(people, settings)
    return [_stack(keys, owned, ages) for keys, owned in groups.items()]


def _stack(keys: tuple[str, ...], owned: Sequence[tuple[int, Series]], ages: Ages) -> Stack:
    decayed: dict[tuple[float, float], list[Floats]] = {
        (r, d): [] for d, rates in ages.items() for r in rates
    }
    last: dict[float, list[Floats]] = {days: [] for days in ages}
    for _index, series in owned:
        one_hot = np.eye(len(keys))[series.chosen]
        age = series.days[:, None] - series.days[None, :]
        for (rate, days), made in decayed.items():
            counts = (age > 0) & (age < days)
            weight = np.where(counts, np.exp(-rate * np.maximum(age, 0.0)), 0.0)
            made.append((weight @ one_hot) * series.open)
        for days, found in last.items():
            found.append(last_of(series, days))
    return Stack(
        keys=keys,
        decayed={place: np.vstack(made) for place, made in decayed.items()},
        last={days: np.vstack(found) for days, found in last.items()},
        hit=np.vstack([np.eye(len(keys))[series.chosen] for _, series in owned]),
        open=np.vstack([series.open for _, series in owned]),
        owner=np.repeat([index for index, _ in owned], [len(series.days) for _, series in owned]),
    )


def told(stack: Stack, base: Mapping[str, float], settings: Settings) -> Floats:
    """The predictions of `replay.replayed` (a test holds that), for all series of the stack."""
    ground = base_weights(stack.keys, base, replace(settings, prior_strength=1.0)) * stack.open
    ground *= settings.prior_strength / ground.sum(axis=1, keepdims=True)
    weights = stack.decayed[settings.decay_rate, settings.archive_days] + ground
    last = stack.last[settings.archive_days]
    share = settings.inertia * last.sum(axis=1, keepdims=True)
    mixed: Floats = (1 - share) * weights / weights.sum(axis=1, keepdims=True) + share * last
    return mixed


def costs(stack: Stack, base: Mapping[str, float], settings: Settings) -> Floats:
    """Log loss + Brier of each choice."""
    even = stack.open / stack.open.sum(axis=1, keepdims=True)
    spread = (1 - SPREAD) * told(stack, base, settings) + SPREAD * even
    cost: Floats = -np.log((spread * stack.hit).sum(axis=1)) + ((spread - stack.hit) ** 2).sum(axis=1)
    return cost


def fit(people: Sequence[Sequence[Series]], *, settings: Settings = DEFAULTS) -> Settings:
    """Decay rate, prior strength, inertia and age by the rule above; the rest as given, as all is with few people."""
    if len(people) < FOLDS:
        return settings
    ages = ages_of(people, settings)
    folds = []
    for k in range(FOLDS):
        inside = [one for i, one in enumerate(people) if i % FOLDS == k]
        base = base_of([one for i, one in enumerate(people) if i % FOLDS != k])
        keys = {key for one in inside for series in one for key in series.keys}
        folds.append(({key: base.get(key, 0.0) for key in keys}, stacks_of(inside, settings, ages)))

    def by_person(tried: Settings) -> Floats:
        found: list[float] = []
        for base, stacks in folds:
            cost = np.zeros(1 + max(int(stack.owner.max()) for stack in stacks))
            for stack in stacks:
                cost += np.bincount(stack.owner, costs(stack, base, tried), len(cost))
            found += cost.tolist()
        return np.array(found)

    def total(tried: Settings) -> float:
        cost = sum(float(costs(stack, base, tried).sum()) for base, stacks in folds for stack in stacks)
        return round(cost, 6)  # what is equal must not differ by how it was added up

    def best(grid: Sequence[Settings]) -> Settings:
        return min(dict.fromkeys(grid), key=lambda tried: total(tried) + far(tried, settings))

    # As given first, so that a tie leaves the numbers alone.
    agreed = best([settings, *_grid(settings, RATES)])
    if FOR_EVER not in ages:
        return agreed
    ageless = best(_grid(replace(settings, archive_days=FOR_EVER), ages[FOR_EVER]))
    gain = by_person(agreed) - by_person(ageless)
    return ageless if gain.sum() > _SURE * sqrt(len(gain)) * gain.std(ddof=1) else agreed


def far(tried: Settings, given: Settings) -> float:
    """What settings cost beyond what they predict: half the squared distance from those given, in widths of the grid.

    A dozen people have done something by chance that settings far away predict better; hundreds outweigh this. Rates
    and strengths are compared by their logarithms, all strengths that leave choices without weight alike.
    """
    apart = (
        log(max(tried.decay_rate, _SLOWEST) / max(given.decay_rate, _SLOWEST)) / 2.5,
        log(min(tried.prior_strength, _ALL) / min(given.prior_strength, _ALL)) / 2.0,
        (tried.inertia - given.inertia) / 0.6,
    )
    return sum(each**2 for each in apart) / 2


def _grid(settings: Settings, rates: Sequence[float]) -> list[Settings]:
    return [
        replace(settings, decay_rate=rate, prior_strength=strength, inertia=inertia)
        for rate, strength, inertia in product(rates, STRENGTHS, INERTIAS)
    ]


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
