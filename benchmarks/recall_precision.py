"""Does an agent get what answers, and nothing beside it? ``python -m benchmarks.recall_precision [--model NAME]``.

60 questions over 40 memories (``data/recall``): direct, short forms, corrected facts, two scopes with rival answers,
near misses, and ten that have nothing to do with any memory; half of them Japanese. Asked over the REST view at the
default floor. ``terse`` is in telegram style with typing errors; ``across`` asks nearly every question in the other
language than its answer. The first four sets helped to choose the floor; ``fresh`` was written afterwards. ``studio``
asks in two or three keywords, ``insurer`` in polite sentences, ``firmware`` in prompts with code; ``orbit``,
``fitapp`` and ``stream`` mix all of that; ``checkout``, ``clinic`` and ``ledgerly`` are asked as a coding agent asks.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import stack
from benchmarks.asking import Ask, asker, owner

DATA = ROOT / "benchmarks/data/recall"
Scores = tuple[
    float | None, float | None, float | None
]  # recall, precision, silence; None where it says nothing
SETS = (
    "precision",
    "precision_held",
    "precision_terse",
    "precision_across",
    "precision_fresh",
    "precision_studio",
    "precision_insurer",
    "precision_firmware",
    "precision_orbit",
    "precision_fitapp",
    "precision_stream",
    "precision_checkout",
    "precision_clinic",
    "precision_ledgerly",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", choices=["auto", "e5", "use", "none"], default="auto")
    parser.add_argument(
        "--errors",
        nargs="+",
        choices=SETS,
        default=[],
        help="name the questions that went wrong in these sets",
    )
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}, model {options.model}")
    print(f"{'set':16} {'type':12} questions  recall  precision  silent")
    for name in options.sets:
        load(name)
        errors = report(name, asker(k=8))
        if name in options.errors:
            print("\n".join(errors))


def load(name: str) -> None:
    from django.utils import timezone

    from core.actor import Actor
    from memory.services.loading import memories_load
    from memory.services.vectors import fill_due

    lines = (DATA / f"{name}_memories.jsonl").read_text(encoding="utf-8").splitlines()
    done = memories_load(user=owner(), lines=lines, actor=Actor.operator("benchmark"), now=timezone.now())
    assert not done.problems, done.problems
    while fill_due():
        pass


def report(name: str, ask: Ask) -> list[str]:
    """Print a line for each type of question and one for all; returns what went wrong, in words."""
    rows: dict[str, list[Scores]] = {}
    errors: list[str] = []
    for raw in (DATA / f"{name}_questions.jsonl").read_text(encoding="utf-8").splitlines():
        question: dict[str, Any] = json.loads(raw)
        gold = set(question["gold"])
        hits = [hit["external_id"] for hit in ask(question["question"], question["scope"])]
        right = len(gold & set(hits))
        scores: Scores
        if gold:
            scores = (right / len(gold), right / len(hits) if hits else 0.0, None)
        else:
            scores = (None, None, float(not hits))
        rows.setdefault(question["type"], []).append(scores)
        if set(hits) != gold:
            errors.append(f"  {question['question']}: wanted {sorted(gold)}, got {hits}")
    for kind, scored in [*rows.items(), ("all", [each for some in rows.values() for each in some])]:
        means = [_mean(column) for column in zip(*scored, strict=True)]
        print(f"{name:16} {kind:12} {len(scored):9}  {means[0]:>6}  {means[1]:>9}  {means[2]:>6}")
    return errors


def _mean(column: tuple[float | None, ...]) -> str:
    known = [value for value in column if value is not None]
    return f"{statistics.fmean(known):.3f}" if known else "–"


if __name__ == "__main__":
    main()
