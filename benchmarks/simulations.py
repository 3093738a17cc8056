"""Two questions to the learning that only made-up people can answer (seeded; small versions run in the tests).

    python benchmarks/simulations.py [--runs 1000] [--only one|five|calibration] [--json OUT]

* Self-reinforcement: people without any preference who follow a label of ours four times in five. After 200 questions
  nothing may be mature: the system must not learn its own advice.
* Calibration: people with a favourite (share ≥ 0.6) who change it once. What is said to be p must come true p of the
  time, and the new favourite must lead within 15 choices in the median.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from decisions.learning import advise, joined, predict, table_of
from decisions.learning.scoring import Guess, score
from decisions.learning.types import Observation, OptionIn, Policy, Question

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
KEYS = ("alpha", "beta", "gamma", "delta")
SESSIONS = 20  # strength "medium": labels are shown
FOLLOWS = 0.8


def question(options: int) -> Question:
    return Question("Which way?", tuple(OptionIn(label) for label in KEYS[:options]))


@dataclass(frozen=True)
class Follower:
    """What became of one person without a preference."""

    mature_at_end: bool
    ever_mature: bool
    labelled: int


def follower(seed: int, *, per_day: int, questions: int = 200) -> Follower:
    """Each question is predicted, advised, shown with or without a label, and answered; five questions a session."""
    draw = random.Random(seed)
    asked = question(3)
    seen = table_of([])
    labelled_so_far = labelled = 0
    ever = mature = False
    for i in range(questions + 1):
        now = START + timedelta(days=i / per_day)
        session = str(i // 5)
        before = [str(i // 5 - back) for back in (1, 2, 3)]
        said = predict(asked, seen, now=now, session=session, previous=before)
        mature = said.state == "mature"
        ever |= mature
        advice = advise(asked, said, policy=Policy(sessions=SESSIONS, labelled_before=labelled_so_far))
        labelled_so_far += advice.labelled or advice.probe
        labelled += advice.labelled
        follows = advice.labelled and draw.random() < FOLLOWS
        choice = advice.leader if follows and advice.leader else draw.choice(KEYS[:3])
        made = Observation(
            id=str(i),
            at=now,
            chosen=(choice,),
            session=session,
            labelled=advice.labelled,
            followed=advice.labelled and choice == advice.leader,
        )
        seen = joined(seen, table_of([made]))
    return Follower(mature, ever, labelled)


@dataclass(frozen=True)
class Changer:
    """What was said to one person before and after the change, and when the new favourite led."""

    options: int
    guesses: list[Guess]
    found_after: int | None


def changer(seed: int, *, days: int = 60) -> Changer:
    """One choice a day, a session a day, two to four options as agents offer them.

    The favourite's share is drawn from 0.6 to 1 before and again after the change, the rest is split at random.
    """
    draw = random.Random(seed)
    options = draw.choice((2, 3, 4))
    asked, keys = question(options), KEYS[:options]
    old, new = draw.sample(keys, 2)
    habits = [_shares(draw, keys, favourite) for favourite in (old, new)]
    seen = table_of([])
    guesses: list[Guess] = []
    found = None
    for day in range(2 * days):
        now = START + timedelta(days=day)
        before = [str(day - i) for i in (1, 2, 3)]
        said = predict(asked, seen, now=now, session=str(day), previous=before)
        if day >= days and found is None and said.leader == new:
            found = day - days
        choice = draw.choices(keys, habits[day >= days])[0]
        guesses.append(Guess(said.probabilities, choice))
        made = Observation(id=str(day), at=now, chosen=(choice,), session=str(day))
        seen = joined(seen, table_of([made]))
    return Changer(options, guesses, found)


def _shares(draw: random.Random, keys: tuple[str, ...], favourite: str) -> list[float]:
    lead = draw.uniform(0.6, 1.0)
    parts = {key: draw.random() for key in keys if key != favourite}
    return [lead if key == favourite else (1 - lead) * parts[key] / sum(parts.values()) for key in keys]


def self_reinforcement(runs: int, *, per_day: int) -> dict[str, float]:
    people = [follower(seed, per_day=per_day) for seed in range(runs)]
    return {
        "not_mature_at_200": sum(not p.mature_at_end for p in people) / runs,
        "never_mature": sum(not p.ever_mature for p in people) / runs,
        "labelled_questions_mean": statistics.fmean(p.labelled for p in people),
    }


def calibration(runs: int) -> dict[str, float]:
    """ECE of p as it is told, without the spread that log loss needs; also for each number of options."""
    people = [changer(seed) for seed in range(runs)]
    found = [float("inf") if p.found_after is None else p.found_after for p in people]
    result = {"ece": _ece(people), "found_after_median": statistics.median(found)}
    for options in sorted({person.options for person in people}):
        result[f"ece_{options}_options"] = _ece([p for p in people if p.options == options])
    return result


def _ece(people: Sequence[Changer]) -> float:
    return score("hikae", [guess for person in people for guess in person.guesses], spread=0.0).ece


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument(
        "--only", choices=["one", "five", "calibration"], help="one a day, five a day, or this"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    parts = {
        "one": lambda: self_reinforcement(options.runs, per_day=1),
        "five": lambda: self_reinforcement(options.runs, per_day=5),
        "calibration": lambda: calibration(options.runs),
    }
    wanted = [options.only] if options.only else list(parts)
    result = {"runs": options.runs, **{name: parts[name]() for name in wanted}}
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
