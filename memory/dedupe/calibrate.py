"""Cosines of different models on one scale: 0 = unrelated, 0.5 = as near as the loosest true repeats, 1 = identical."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

# Knots (cosine, similarity), fitted by `python -m benchmarks.dedupe --fit`: median and 99th percentile of random pairs,
# then the 5th and 50th percentile of true repeats.
_E5 = ((0.814, 0.0), (0.922, 0.3), (0.927, 0.5), (0.971, 0.8), (1.0, 1.0))
_SPACES: dict[str, tuple[tuple[float, float], ...]] = {
    "use-multilingual-v3/512": ((0.076, 0.0), (0.427, 0.3), (0.602, 0.5), (0.837, 0.8), (1.0, 1.0)),
    "multilingual-e5-small/384": _E5,
    "multilingual-e5-small-q4/384": _E5,
}
# A model nobody measured: only near identity counts, so it can support a merge but hardly cause a mistake.
_UNKNOWN = ((0.5, 0.0), (0.9, 0.5), (1.0, 1.0))


def calibrate(cosine: float, space: str) -> float:
    """Similarity from 0 to 1 of a raw cosine in `space` ("model/dimensions"); monotone; unknown spaces get caution."""
    knots = _SPACES.get(space, _UNKNOWN)
    if cosine <= knots[0][0]:
        return 0.0
    if cosine >= knots[-1][0]:
        return 1.0
    i = bisect_right([c for c, _ in knots], cosine) - 1
    (c0, s0), (c1, s1) = list(pairwise(knots))[i]
    return s0 + (s1 - s0) * (cosine - c0) / (c1 - c0)
