"""Which option truly leads: P(theta_leader is the largest) under a Dirichlet posterior, by exact integration.

A Dirichlet is a normalised set of independent gammas, so the largest share is the largest gamma:

    P(leader) = integral of g(x; a_leader) * product over the others of P(a_j, x) dx

with g the gamma density and P the regularised lower incomplete gamma function. In t = log x the integrand is smooth and
vanishes at both ends, where the trapezoidal rule converges faster than any power of its step. The absolute error is
below 1e-9 for weights from 0.01 to 10,000 (the tests compare with closed forms and finer grids).
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
_NODES, _STEP = 121, 0.3  # at least so many nodes, and in t no further apart than this
_RAISED = 8.0  # below it the gamma density is too wide in t for one quadrature; a recurrence lifts it
_GL_X, _GL_W = np.polynomial.legendre.leggauss(64)


def lead_probability(weights: Sequence[float], leader: int, *, refine: int = 1) -> float:
    """P(option `leader` has the largest share), 0..1. `weights`: the Dirichlet parameters, all positive.

    `refine` multiplies the number of nodes, to measure the error.
    """
    if len(weights) == 1:
        return 1.0
    a = weights[leader]
    left, right = _reach(a)
    # P(a, x) <= x^a / gamma(a + 1): a second bound from below, far better where all weights are tiny.
    bound = (sum(lgamma(w + 1) for w in weights) - log(a) - _TAIL) / sum(weights)
    low, high = max(log(a) + left, min(bound, log(a) - 1)), log(a) + right
    t = np.linspace(low, high, refine * max(_NODES, ceil((high - low) / _STEP)))
    integrand = np.exp(a * t - np.exp(t) - lgamma(a))
    others = Counter(weight for j, weight in enumerate(weights) if j != leader)
    for weight, times in others.items():  # options never chosen share one weight
        integrand *= incomplete_gamma(weight, t) ** times
    return float(min(1.0, max(0.0, (t[1] - t[0]) * integrand.sum())))


def incomplete_gamma(a: float, log_x: Floats) -> Floats:
    """Regularised lower incomplete gamma function P(a, x), absolute error below 1e-10. Takes log x: x may underflow."""
    raised, x, total = a, np.exp(log_x), np.zeros_like(log_x)
    while raised < _RAISED:  # P(a, x) = P(a + 1, x) + x^a e^-x / gamma(a + 1): only positive terms
        total += np.exp(raised * log_x - x - lgamma(raised + 1))
        raised += 1
    left, right = _reach(raised)
    start = log(raised) + left
    half = (np.clip(log_x, start, log(raised) + right) - start) / 2
    t = start + half[:, None] * (1 + _GL_X)
    return total + half * (np.exp(raised * t - np.exp(t) - lgamma(raised)) @ _GL_W)


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
