"""Which option truly leads: P(theta_leader is the largest) under a Dirichlet posterior, by exact integration.

A Dirichlet is a normalised set of independent gammas, so the largest share is the largest gamma:

    P(leader) = integral of g(x; a_leader) * product over the others of P(a_j, x) dx

with g the gamma density and P the regularised lower incomplete gamma function. In t = log x the integrand is smooth and
vanishes at both ends, where the trapezoidal rule converges faster than any power of its step; each P is summed up along
the same grid, by Gauss-Legendre from node to node. The absolute error is below 1e-9 for weights from 0.01 to 10,000
(the tests compare with closed forms and finer grids).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, expm1, lgamma, log, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TAIL = 32.0  # integrands are cut where they are below e^-32 of their peak, about 1e-14
_NODES, _STEP = 73, 0.3  # at least so many nodes, and in t no further apart than this
_RAISED = 8.0  # below it the gamma density is too wide in t for one quadrature; a recurrence lifts it
_WIDE_X, _WIDE_W = np.polynomial.legendre.leggauss(64)  # from a density's beginning to any point
_CELL_X, _CELL_W = np.polynomial.legendre.leggauss(8)  # between two nodes


def lead_probability(weights: Sequence[float], leader: int, *, refine: int = 1) -> float:
    """P(option `leader` has the largest share), 0..1. `weights`: the Dirichlet parameters, all positive.

    `refine` multiplies the number of nodes, to measure the error.
    """
    if len(weights) == 1:
        return 1.0
    a = weights[leader]
    others = Counter(
        weight for j, weight in enumerate(weights) if j != leader
    )  # unchosen ones share one weight
    left, right = _reach(a)
    # P(a, x) <= x^a / gamma(a + 1): a second bound from below, far better where all weights are tiny.
    bound = (sum(lgamma(w + 1) for w in weights) - log(a) - _TAIL) / sum(weights)
    low, high = max(log(a) + left, min(bound, log(a) - 1)), log(a) + right
    # Below its own reach one of the others has nothing, and the product neither.
    low = max(low, *(log(other) + _reach(other)[0] for other in others))
    if high <= low:
        return 0.0
    nodes = refine * max(_NODES, ceil((high - low) / _STEP))
    t: Floats = low + (high - low) / (nodes - 1) * np.arange(nodes, dtype=np.float64)
    integrand = np.exp(a * t - np.exp(t) - lgamma(a))
    for chances, times in zip(incomplete_gamma(list(others), t), others.values(), strict=True):
        integrand *= chances**times
    return float(min(1.0, max(0.0, (t[1] - t[0]) * integrand.sum())))


def incomplete_gamma(shapes: Sequence[float], log_x: Floats) -> Floats:
    """Regularised lower incomplete gamma function P(a, x), one row a shape, absolute error below 1e-10.

    Takes log x, evenly spaced and rising by at most 0.4: x may underflow.
    """
    step = float(log_x[1] - log_x[0])
    t = log_x[:-1, None] + step / 2 * (1 + _CELL_X)
    falling = np.exp(t)
    found = np.empty((len(shapes), len(log_x)))
    for row, a in zip(found, shapes, strict=True):
        row[0] = _up_to(a, float(log_x[0]))
        row[1:] = np.exp(a * t - falling - lgamma(a)) @ (step / 2 * _CELL_W)
    return np.cumsum(found, axis=1)


def _up_to(a: float, log_x: float) -> float:
    """P(a, x) at one point."""
    raised, total = a, 0.0
    while raised < _RAISED:  # P(a, x) = P(a + 1, x) + x^a e^-x / gamma(a + 1): only positive terms
        total += exp(raised * log_x - exp(log_x) - lgamma(raised + 1))
        raised += 1
    left, right = _reach(raised)
    start = log(raised) + left
    half = (min(max(log_x, start), log(raised) + right) - start) / 2
    if not half:
        return total
    t = start + half * (1 + _WIDE_X)
    return total + half * float(np.exp(raised * t - np.exp(t) - lgamma(raised)) @ _WIDE_W)


@lru_cache(maxsize=1024)
def _reach(a: float) -> tuple[float, float]:
    """How far from its peak at t = log a the density of log Gamma(a) matters: both roots of e^u - 1 - u = TAIL / a.

    Newton's method from outside: the function is convex, so it never oversteps.
    """
    c = _TAIL / a
    right = min(sqrt(2 * c), 2 + log(1 + c))
    left = -(c + 1)
    for _ in range(60):
        step = (expm1(right) - right - c) / expm1(right)
        right -= step
        back = (expm1(left) - left - c) / (exp(left) - 1)
        left -= back
        if abs(step) + abs(back) < 1e-6:
            break
    return left, right
