"""Several settings at once, weighed by how well each has served this person so far.

One decay rate and one prior strength fit nobody exactly: some people never change, some try everything. Settings
learnt from other people's logs are averaged with weights that start at how often a setting fitted, and follow the
person's own choices by Bayes' rule. The product's `predict` keeps the one published formula and lets nothing cross
persons; this serves `benchmarks/choices.py`, where half of a panel may teach settings for the other half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from .posterior import Floats
from .replay import Series, briers, losses, replayed
from .types import Settings

RATES = (0.0, 0.02, 0.04, 0.07, 0.1, 0.14, 0.2, 0.3)
STRENGTHS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
LAST = (0.0, 0.05, 0.1, 0.15, 0.2)  # share of probability for the last choice: some of a habit is inertia
_ROUNDS = 40
_HEDGE = (
    0.03  # of the weight stays spread over all settings: another person may need one that nobody needed here
)


@dataclass(frozen=True)
class Mixture:
    """Settings, how much each counts before a person has chosen anything (sum 1), and the last choice's extra share."""

    settings: tuple[Settings, ...]
    weights: tuple[float, ...]
    last: float = 0.0

    def likeliest(self, n: int) -> list[tuple[Settings, float]]:
        """The n settings that count most."""
        return sorted(zip(self.settings, self.weights, strict=True), key=lambda pair: -pair[1])[:n]


def fit_mixture(
    people: Sequence[Sequence[Series]], *, base: Mapping[str, float] | None, settings: Settings
) -> Mixture:
    """Weights by expectation-maximisation over people: which settings explain how many of them. Deterministic."""
    grid = tuple(
        replace(settings, decay_rate=rate, prior_strength=strength)
        for rate, strength in product(RATES, STRENGTHS)
    )
    weights = np.full(len(grid), 1 / len(grid))
    fits = np.array(
        [
            [-sum(float(losses(s, replayed(s, base=base, settings=g)).sum()) for s in person) for g in grid]
            for person in people
            if person
        ]
    )
    for _ in range(_ROUNDS if len(fits) else 0):
        served = _normalised(np.log(weights) + fits)
        weights = (1 - _HEDGE) * served.mean(axis=0) + _HEDGE / len(grid)
    plain = Mixture(grid, tuple(weights.tolist()))
    told = [(s, mixed(s, plain, base=base)) for person in people for s in person]

    def cost(last: float) -> float:
        mixes = ((s, _with_last(s, p, last)) for s, p in told)
        return sum(float(losses(s, p).sum() + briers(s, p).sum()) for s, p in mixes)

    return replace(plain, last=min(LAST, key=cost))


def mixed(series: Series, mixture: Mixture, *, base: Mapping[str, float] | None) -> Floats:
    """Probabilities (choices × options) before each choice; a setting's weight follows the choices before it."""
    said = np.array([replayed(series, base=base, settings=g) for g in mixture.settings])
    lost = np.array([losses(series, p) for p in said])
    before = np.cumsum(lost, axis=1) - lost
    weights = _normalised((np.log(np.array(mixture.weights))[:, None] - before).T)
    probabilities: Floats = np.einsum("ng,gnk->nk", weights, said)
    return _with_last(series, probabilities, mixture.last)


def _with_last(series: Series, probabilities: Floats, share: float) -> Floats:
    """Moves a share of each prediction but the first to the choice before it."""
    told = probabilities.copy()
    told[1:] = (1 - share) * told[1:] + share * np.eye(len(series.keys))[series.chosen[:-1]]
    return told


def _normalised(logs: Floats) -> Floats:
    """Rows of logarithms as weights that sum to 1."""
    weights: Floats = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights
