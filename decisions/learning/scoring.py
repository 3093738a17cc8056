"""How good were predictions, and how honest? (design section 5, "Backtest")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from .types import Bin, Coverage, Score

SPREAD = 0.01  # of probability goes evenly to all options, for every predictor alike: log loss stays finite
BINS = 10
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Guess:
    """One prediction and what then happened: probabilities by option key, and the key that was chosen."""

    probabilities: Mapping[str, float]
    chosen: str


def score(predictor: str, guesses: Sequence[Guess], *, spread: float = SPREAD) -> Score:
    """Accuracy, log loss (nats), Brier (summed over options), ECE of the likeliest option in ten bins.

    ``spread``: see SPREAD. A tie of the likeliest counts as the chance to name the right one. ValueError if empty.
    """
    if not guesses:
        raise ValueError("nothing to score")
    rated = [_rate(guess, spread) for guess in guesses]
    n = len(rated)
    bins = _bins([(top, hit) for top, hit, _, _ in rated])
    return Score(
        predictor=predictor,
        n=n,
        accuracy=sum(hit for _, hit, _, _ in rated) / n,
        log_loss=sum(loss for _, _, loss, _ in rated) / n,
        brier=sum(brier for _, _, _, brier in rated) / n,
        ece=sum(b.n * abs(b.mean_confidence - b.accuracy) for b in bins) / n,
        bins=bins,
        coverage=tuple(_coverage(threshold, rated) for threshold in THRESHOLDS),
    )


def _rate(guess: Guess, spread: float) -> tuple[float, float, float, float]:
    """(confidence, hit, log loss, Brier) after the spread."""
    keys = {**guess.probabilities, guess.chosen: guess.probabilities.get(guess.chosen, 0.0)}
    total = sum(keys.values()) or 1.0
    said = {key: (1 - spread) * p / total + spread / len(keys) for key, p in keys.items()}
    top = max(said.values())
    likeliest = [key for key, p in said.items() if p >= top - 1e-12]
    hit = (guess.chosen in likeliest) / len(likeliest)
    brier = sum((p - (key == guess.chosen)) ** 2 for key, p in said.items())
    return top, hit, -log(said[guess.chosen]), brier


def _bins(rated: Sequence[tuple[float, float]]) -> tuple[Bin, ...]:
    """The bins that hold anything, lowest first."""
    filled: dict[int, list[tuple[float, float]]] = {}
    for top, hit in rated:
        filled.setdefault(min(int(top * BINS), BINS - 1), []).append((top, hit))
    return tuple(
        Bin(
            low=i / BINS,
            high=(i + 1) / BINS,
            n=len(inside),
            mean_confidence=sum(top for top, _ in inside) / len(inside),
            accuracy=sum(hit for _, hit in inside) / len(inside),
        )
        for i, inside in sorted(filled.items())
    )


def _coverage(threshold: float, rated: Sequence[tuple[float, float, float, float]]) -> Coverage:
    hits = [hit for top, hit, _, _ in rated if top >= threshold]
    return Coverage(threshold, len(hits) / len(rated), sum(hits) / len(hits) if hits else None)
