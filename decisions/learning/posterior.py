"""Dirichlet posterior of one layer: decayed counts over a base (design section 5, "Posterior")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import lgamma

import numpy as np
from numpy.typing import NDArray

from .dirichlet import lead_probability
from .table import Table
from .types import Settings

Floats = NDArray[np.float64]

_FLOOR = 0.001  # of the base for an option that the base leaves out: nothing is impossible
_TIE = 1e-9


@dataclass(frozen=True)
class Prior:
    """Weights before anything was seen here, per option: for `p`, and for `lead` (without followed choices)."""

    for_p: Floats
    for_lead: Floats


@dataclass(frozen=True)
class Posterior:
    """One layer's counts and what follows from them. Arrays are in the order of the option keys."""

    n: int
    n_own: int
    n_effective: float
    raw: Floats  # choices that contain the option
    p: Floats  # predictive probabilities
    own: Floats  # Dirichlet parameters behind lead
    leader: int  # largest p, ties to the most recent

    def lead(self, option: int | None = None) -> float:
        return lead_probability(self.own.tolist(), self.leader if option is None else option)


def base_weights(keys: Sequence[str], base: Mapping[str, float] | None, settings: Settings) -> Floats:
    """The base's share per option, scaled to PRIOR_STRENGTH; uniform where no base is given."""
    if not base or not sum(base.get(key, 0.0) for key in keys) > 0:
        return np.full(len(keys), settings.prior_strength / len(keys))
    shares = np.array([max(base.get(key, 0.0), 0.0) for key in keys])
    shares = np.maximum(shares / shares.sum(), _FLOOR / len(keys))
    scaled: Floats = settings.prior_strength * shares / shares.sum()
    return scaled


def prior_of(
    keys: Sequence[str],
    elsewhere: Table,
    *,
    now: datetime,
    base: Mapping[str, float] | None,
    settings: Settings,
) -> Prior:
    """The base, and the same template elsewhere scaled to at most ``person_prior_max`` in total."""
    ground = base_weights(keys, base, settings)
    if not len(elsewhere):
        return Prior(ground, ground)
    seen = elsewhere.live(now, settings).offered(keys)
    counts, own = _decayed(seen, keys, now, settings)
    return Prior(ground + _capped(counts, settings), ground + _capped(own, settings))


def posterior(
    rows: Table, keys: Sequence[str], prior: Prior, *, now: datetime, settings: Settings
) -> Posterior:
    """`rows` must be live and offered."""
    counts, own = _decayed(rows, keys, now, settings)
    matrix = rows.matrix(keys)
    once: Floats = (matrix > 0).astype(np.float64)
    raw: Floats = np.bincount(rows.code, rows.count, len(rows.sets)) @ once
    p = stayed(prior.for_p + counts, matrix[rows.code[-1:]], settings)
    return Posterior(
        n=rows.n,
        n_own=int(rows.count[~rows.followed].sum()),
        n_effective=float(counts.sum()),
        raw=raw,
        p=p,
        own=prior.for_lead + own,
        leader=_leader(rows, keys, p),
    )


def stayed(weights: Floats, last: Floats, settings: Settings) -> Floats:
    """Dirichlet weights as probabilities, of which INERTIA goes to the last choice (one row, or none)."""
    p: Floats = weights / weights.sum()
    if len(last) and settings.inertia:
        p = (1 - settings.inertia) * p + settings.inertia * last[0]
    return p


def split_evidence(one: Floats, two: Floats) -> float:
    """Log Bayes factor that two groups of decayed counts come from two habits and not from one (uniform base of 1)."""
    return _log_evidence(one) + _log_evidence(two) - _log_evidence(one + two)


def _decayed(rows: Table, keys: Sequence[str], now: datetime, settings: Settings) -> tuple[Floats, Floats]:
    weight = rows.weights(now, settings)
    size, matrix = len(rows.sets), rows.matrix(keys)
    in_p = np.where(rows.followed, weight * settings.follow_weight, weight)
    own = np.where(rows.followed, 0.0, weight)
    return (
        np.bincount(rows.code, in_p, size) @ matrix,
        np.bincount(rows.code, own, size) @ matrix,
    )


def _capped(counts: Floats, settings: Settings) -> Floats:
    total = counts.sum()
    return counts * (settings.person_prior_max / total) if total > settings.person_prior_max else counts


def _leader(rows: Table, keys: Sequence[str], p: Floats) -> int:
    tied = [i for i, each in enumerate(p) if each >= p.max() * (1 - _TIE)]
    if len(tied) > 1:
        names = {keys[i]: i for i in tied}
        for code in rows.code[::-1]:
            for key in rows.sets[code]:
                if key in names:
                    return names[key]
    return tied[0]


def _log_evidence(counts: Floats) -> float:
    alpha = 1 / len(counts)
    inner = sum(lgamma(alpha + c) - lgamma(alpha) for c in counts)
    return inner - lgamma(1 + float(counts.sum()))
