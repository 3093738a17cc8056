"""Fit the numbers of the formula to some people, by a rule that looks at nobody else.

Those settings are taken that cost least in cross-validation among the people given: each fifth of them is predicted
with everyone's share from the other four fifths. "Cost" is log loss + Brier, summed over choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decisions.learning.posterior import base_weights
from decisions.learning.replay import Floats, Series
from decisions.learning.scoring import SPREAD
from decisions.learning.types import DEFAULTS, Settings

# Wide enough to hold each rival: 1,000 leaves counts without weight, 0.9 leaves nearly all to the last choice.
RATES: Final = (0.01, 0.02, 0.04, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 1.0)  # per day
STRENGTHS: Final = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 6.0, 10.0, 1000.0)
INERTIAS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
FOLDS: Final = 5


@dataclass(frozen=True)
class Stack:
    """The choices of many series with the same options, as arrays of one row a choice.

    ``decayed``: by rate, the weight of each option before it. ``last``: the latest earlier choice that counts, one-hot,
    or a row of zeros. ``hit``: what was chosen, one-hot. ``owner``: index of the person.
    """

    keys: tuple[str, ...]
    decayed: Mapping[float, Floats]
    last: Floats
    hit: Floats
    owner: NDArray[np.int64]


def base_of(people: Sequence[Sequence[Series]]) -> dict[str, float]:
    """Everyone's marginal, one added to each option."""
    counts = Counter(series.keys[i] for one in people for series in one for i in series.chosen)
    keys = {key for one in people for series in one for key in series.keys}
    total = sum(counts.values()) + len(keys)
    return {key: (counts[key] + 1) / total for key in keys}


def stacks_of(people: Sequence[Sequence[Series]], settings: Settings = DEFAULTS) -> list[Stack]:
    """All that fitting needs, computed once."""
    groups: dict[tuple[str, ...], list[tuple[int, Series]]] = {}
    for index, one in enumerate(people):
        for series in one:
            groups.setdefault(series.keys, []).append((index, series))
    return [_stack(keys, owned, settings) for keys, owned in groups.items()]


def _stack(keys: tuple[str, ...], owned: Sequence[tuple[int, Series]], settings: Settings) -> Stack:
    rates = sorted({*RATES, settings.decay_rate})
    decayed: dict[float, list[Floats]] = {rate: [] for rate in rates}
    last, hit = [], []
    for _index, series in owned:
        one_hot = np.eye(len(keys))[series.chosen]
        age = series.days[:, None] - series.days[None, :]
        counts = (age > 0) & (age < settings.archive_days)
        for rate in rates:
            decayed[rate].append(np.where(counts, np.exp(-rate * np.maximum(age, 0.0)), 0.0) @ one_hot)
        before = np.searchsorted(series.days, series.days, side="left") - 1
        known = (before >= 0) & (series.days - series.days[before] < settings.archive_days)
        last.append(np.where(known[:, None], one_hot[before], 0.0))
        hit.append(one_hot)
    owner = np.repeat([index for index, _ in owned], [len(series.days) for _, series in owned])
    return Stack(keys, {r: np.vstack(d) for r, d in decayed.items()}, np.vstack(last), np.vstack(hit), owner)


def told(stack: Stack, base: Mapping[str, float], settings: Settings) -> Floats:
    """The predictions of `replay.replayed` (a test holds that), for all series of the stack."""
    weights = stack.decayed[settings.decay_rate] + base_weights(stack.keys, base, settings)
    p = weights / weights.sum(axis=1, keepdims=True)
    share = settings.inertia * stack.last.sum(axis=1, keepdims=True)
    mixed: Floats = (1 - share) * p + share * stack.last
    return mixed


def costs(stack: Stack, base: Mapping[str, float], settings: Settings) -> Floats:
    """Log loss + Brier of each choice."""
    spread = (1 - SPREAD) * told(stack, base, settings) + SPREAD / len(stack.keys)
    cost: Floats = -np.log((spread * stack.hit).sum(axis=1)) + ((spread - stack.hit) ** 2).sum(axis=1)
    return cost


def fit(people: Sequence[Sequence[Series]], *, settings: Settings = DEFAULTS) -> Settings:
    """Decay rate, prior strength and inertia by the rule above; the rest as given, as all is with too few people."""
    if len(people) < FOLDS:
        return settings
    stacks = stacks_of(people, settings)
    fold_of = np.arange(len(people)) % FOLDS
    bases = [
        base_of([one for one, fold in zip(people, fold_of, strict=True) if fold != k]) for k in range(FOLDS)
    ]
    rows = [[fold_of[stack.owner] == k for stack in stacks] for k in range(FOLDS)]

    def cost(tried: Settings) -> float:
        return sum(
            float(costs(stack, bases[k], tried)[rows[k][i]].sum())
            for k in range(FOLDS)
            for i, stack in enumerate(stacks)
        )

    # As given first, so that a tie leaves the numbers alone.
    return min(dict.fromkeys([settings, *_grid(settings)]), key=cost)


def _grid(settings: Settings) -> list[Settings]:
    return [
        replace(settings, decay_rate=rate, prior_strength=strength, inertia=inertia)
        for rate, strength, inertia in product(RATES, STRENGTHS, INERTIAS)
    ]
