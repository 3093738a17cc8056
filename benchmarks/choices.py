"""Predict real people's next choice from their own earlier ones, against simple predictors.

    python benchmarks/choices.py --data FILE… --json OUT

Lines: ``benchmarks/choice_lines.py``. People are split in two halves by a hash of their name; each half is predicted
with the base (everyone's marginal) and the settings fitted on the other, so that every choice is scored once and
nobody is scored on settings that saw them. Every predictor gets the same base. See design section 5.

"hikae" is the formula of the product's `predict` (`decisions/learning/replay.py` says what it says, a test holds that)
with the numbers that ``benchmarks/fitting.py`` fits to the other half alone, by a rule that was written down before any
panel but the first two was looked at; "hikae (defaults)" with the default numbers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.choice_lines import load
from benchmarks.fitting import FOR_EVER, base_of, fit
from decisions.learning.replay import (
    Floats,
    Series,
    bases_of,
    guesses_of,
    last_of,
    losses,
    replayed,
)
from decisions.learning.scoring import Guess, score
from decisions.learning.types import DEFAULTS, Score, Settings

Base = Mapping[str, float]
LAST_SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BAR_ECE = 0.05


@dataclass(frozen=True)
class Half:
    """What one half of the people gives: the base, and settings fitted on them."""

    base: Base
    settings: Settings
    last_share: float  # of the baseline "last choice"
    extra_last: float  # of the baseline "decayed + prior + last choice"


def side(person: str) -> int:
    return hashlib.sha256(person.encode()).digest()[0] % 2


def last_choice(series: Series, base: Base, share: float) -> Floats:
    """`share` for the last choice, the rest by the base; the base alone before the first."""
    ground, last = bases_of(series, base, DEFAULTS), last_of(series, FOR_EVER)
    told = share * last + (1 - share * last.sum(axis=1, keepdims=True)) * ground
    normalised: Floats = told / told.sum(axis=1, keepdims=True)
    return normalised


def without_prior(settings: Settings) -> Settings:
    return replace(settings, prior_strength=1e-9)


def predictors(half: Half) -> dict[str, Callable[[Series], Floats]]:
    """Ours and its rivals, with what the other half gave."""
    base, plain = half.base, DEFAULTS

    def said(settings: Settings) -> Callable[[Series], Floats]:
        return lambda series: replayed(series, base=base, settings=settings)

    def with_last(series: Series) -> Floats:
        decayed = replayed(series, base=base, settings=plain)
        return (1 - half.extra_last) * decayed + half.extra_last * last_choice(series, base, 1.0)

    never = replace(plain, decay_rate=0.0, archive_days=FOR_EVER)
    return {
        "hikae (fitted)": said(half.settings),
        "hikae (defaults) = decayed + prior from others": said(plain),
        "the same + a share for the last choice": with_last,
        "decayed share, no prior": said(without_prior(plain)),
        "own majority": said(without_prior(never)),
        "last choice": lambda series: last_choice(series, base, half.last_share),
        "everyone's majority": lambda series: last_choice(series, base, 0.0),
    }


def learn(people: Sequence[list[Series]]) -> Half:
    """Base and settings from one half of the people."""
    every = [series for one in people for series in one]
    base = base_of(people)

    def best(predict: Callable[[Series, float], Floats]) -> float:
        return min(LAST_SHARES, key=lambda x: sum(float(losses(s, predict(s, x)).sum()) for s in every))

    def and_last(series: Series, share: float) -> Floats:
        decayed = replayed(series, base=base, settings=DEFAULTS)
        return (1 - share) * decayed + share * last_choice(series, base, 1.0)

    return Half(
        base=base,
        settings=fit(people),
        last_share=best(lambda series, share: last_choice(series, base, share)),
        extra_last=best(and_last),
    )


def rate_losses(people: Sequence[list[Series]], half: Half) -> dict[str, float]:
    """Mean log loss of the defaults with another decay rate: where 0.1 a day loses."""
    every = [series for one in people for series in one]

    def mean(rate: float) -> float:
        tried = replace(DEFAULTS, decay_rate=rate)
        return float(
            np.concatenate([losses(s, replayed(s, base=half.base, settings=tried)) for s in every]).mean()
        )

    return {str(rate): mean(rate) for rate in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)}


def run(path: Path) -> dict[str, Any]:
    people = load(path)
    halves = [[series for person, series in people.items() if side(person) == s] for s in (0, 1)]
    learnt = [learn(halves[1 - s]) for s in (0, 1)]
    guesses: dict[str, list[Guess]] = {}
    for s in (0, 1):
        for name, predict in predictors(learnt[s]).items():
            made = guesses.setdefault(name, [])
            for one in halves[s]:
                for series in one:
                    made.extend(guesses_of(series, predict(series)))
    scores = [score(name, made) for name, made in guesses.items()]
    by_rate = [rate_losses(halves[s], learnt[s]) for s in (0, 1) if halves[s]]
    return {
        "data": path.stem,
        "people": len(people),
        "choices": scores[0].n,
        "fitted": [
            {
                "decay_rate": half.settings.decay_rate,
                "prior_strength": half.settings.prior_strength,
                "inertia": half.settings.inertia,
                "archive_days": half.settings.archive_days,
                "rival_last_share": half.last_share,
                "rival_extra_last": half.extra_last,
            }
            for half in learnt
        ],
        "scores": [asdict(s) for s in scores],
        "log_loss_by_rate": {rate: sum(half[rate] for half in by_rate) / len(by_rate) for rate in by_rate[0]},
        "verdict": verdict(scores),
    }


def verdict(scores: Sequence[Score]) -> dict[str, Any]:
    """Compared as printed, in three decimals."""
    ours, rivals = scores[0], scores[1:]
    return {
        "log_loss": ours.log_loss,
        "best_rival_log_loss": min(s.log_loss for s in rivals),
        "brier": ours.brier,
        "best_rival_brier": min(s.brier for s in rivals),
        "no_worse": round(ours.log_loss, 3) <= min(round(s.log_loss, 3) for s in rivals)
        and round(ours.brier, 3) <= min(round(s.brier, 3) for s in rivals),
        "ece": ours.ece,
        "ece_within_bar": ours.ece <= BAR_ECE,
    }


def show(result: Mapping[str, Any]) -> None:
    print(f"\n## {result['data']}: {result['people']} people, {result['choices']} choices\n")
    for half in result["fitted"]:
        print(f"fitted on one half: {', '.join(f'{name} {value}' for name, value in half.items())}")
    print("\n| predictor | accuracy | log loss | Brier | ECE |\n| --- | --- | --- | --- | --- |")
    for s in result["scores"]:
        print(
            f"| {s['predictor']} | {s['accuracy']:.3f} | {s['log_loss']:.3f} | {s['brier']:.3f} | {s['ece']:.3f} |"
        )
    by_rate = result["log_loss_by_rate"]
    print(
        "\nLog loss of the defaults by decay rate: " + ", ".join(f"{r}: {x:.3f}" for r, x in by_rate.items())
    )
    best = min(by_rate, key=by_rate.__getitem__)
    print(f"Best rate here: {best} a day" + ("." if best == "0.1" else "; the default 0.1 loses."))
    print(
        f"No worse than every rival on log loss and Brier: {'yes' if result['verdict']['no_worse'] else 'NO'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = [run(path) for path in options.data]
    for result in results:
        show(result)
    mean = {
        name: sum(r["verdict"][name] for r in results) / len(results)
        for name in ("log_loss", "best_rival_log_loss", "brier", "best_rival_brier", "ece")
    }
    print("\nMean over the panels: " + ", ".join(f"{name} {value:.3f}" for name, value in mean.items()))
    if options.json:
        options.json.write_text(json.dumps({"panels": results, "mean": mean}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
