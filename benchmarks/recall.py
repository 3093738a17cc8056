"""How well and how fast recall finds: ``python -m benchmarks.recall --data FILE … [--mode turn|observation]``.

Loads each data set as an operator would (``load_memories``), then asks over the REST API with ``floor=none`` and prints
recall@5, recall@10 and MRR beside what others reached on the same files. ``--model e5|use|none`` chooses the embedding,
``--halves`` adds what each half would rank alone, ``--json OUT`` keeps the numbers. ``--mode scale --memories 10000
100000`` times invented memories instead, and ``--plot OUT.svg`` draws how the time grows.

The data sets are not part of this repository: LoCoMo may only be used to measure (CC BY-NC 4.0), JSQuAD is CC BY-SA.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import recall_halves, recall_plot, recall_scale, stack
from benchmarks.asking import Ask, asker, owner
from benchmarks.recall_data import Collection, Question, read
from benchmarks.recall_rivals import RIVALS, RIVALS_JA

K = 10
WARM_UP = 10


@dataclass(frozen=True)
class Row:
    """Means over questions; times in milliseconds for a whole REST request, the question's embedding included."""

    name: str
    questions: int
    memories: int
    r1: float
    r5: float
    r10: float
    mrr: float
    p50: float
    p95: float
    load: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", type=Path, default=[])
    parser.add_argument("--mode", choices=["turn", "observation", "scale"], default="observation")
    parser.add_argument("--model", choices=["auto", "e5", "use", "none"], default="auto")
    parser.add_argument(
        "--questions",
        type=int,
        default=600,
        help="of JSQuAD, sampled; of mode scale up to 100",
    )
    parser.add_argument("--halves", action="store_true", help="also by words and by meaning alone")
    parser.add_argument("--memories", nargs="+", type=int, default=[10_000, 100_000], help="of mode scale")
    parser.add_argument("--plot", type=Path, help="an SVG of mode scale: time and size")
    parser.add_argument("--json", type=Path, dest="out")
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}")
    result: dict[str, Any] = {"machine": stack.machine(), "model": options.model, "mode": options.mode}
    if options.mode == "scale":
        asked = min(options.questions, 100)
        timings = [timing for count in options.memories for timing in recall_scale.run(count, asked)]
        result["scale"] = [asdict(timing) for timing in timings]
        if options.plot:
            about = f"{stack.machine()}; embedding model {options.model}"
            options.plot.write_text(recall_plot.curves(timings, subtitle=about), encoding="utf-8")
    else:
        sets = [read(path, mode=options.mode, most=options.questions) for path in options.data]
        row = quality(sets, name=f"Hikae ({options.model})")
        result["quality"] = asdict(row)
        table(row, options.mode, japanese=all("squad" in each.name for each in sets))
        if options.halves:
            means = recall_halves.halves(sets, _score, user=owner())
            result["halves"] = means
            recall_halves.table(means)
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def quality(sets: list[Collection], *, name: str) -> Row:
    """One workspace a data set; every question is asked there alone."""
    ask = asker(k=K)
    started = time.perf_counter()
    for each in sets:
        _load(owner(), each)
    _embed_all()
    memories = sum(len(each.items) for each in sets)
    load = memories / (time.perf_counter() - started)
    scores: list[tuple[float, float, float, float]] = []
    times: list[float] = []
    for each in sets:
        for place, question in enumerate(each.questions):
            begun = time.perf_counter()
            found = _ask(ask, question.text, each.name)
            if place >= WARM_UP:
                times.append((time.perf_counter() - begun) * 1000)
            scores.append(_score([each.items[int(key)].covers for key in found], question))
    r1, r5, r10, mrr = (statistics.fmean(column) for column in zip(*scores, strict=True))
    return Row(name, len(scores), memories, r1, r5, r10, mrr, *_percentiles(times), load)


def _score(covered: list[frozenset[str]], question: Question) -> tuple[float, float, float, float]:
    def recall(depth: int) -> float:
        return len(frozenset().union(*covered[:depth]) & question.gold) / len(question.gold)

    first = next((place for place, covers in enumerate(covered, start=1) if covers & question.gold), None)
    return recall(1), recall(5), recall(10), 1 / first if first else 0.0


def _ask(ask: Ask, question: str, namespace: str) -> list[str]:
    return [hit["external_id"] for hit in ask(question, [namespace], floor="none")]


def _load(user: Any, each: Collection) -> None:
    from django.utils import timezone

    from core.actor import Actor
    from memory.services.loading import memories_load

    lines = (
        json.dumps(
            {
                "external_id": str(place),
                "namespace": f"workspace:{each.name}",
                "kind": "fact",
                "content": item.content,
                **({"at": item.at} if item.at else {}),
            }
        )
        for place, item in enumerate(each.items)
    )
    report = memories_load(user=user, lines=lines, actor=Actor.operator("benchmark"), now=timezone.now())
    for number, reason in report.problems:
        print(f"{each.name}: line {number} was not loaded: {reason}")


def _embed_all() -> None:
    from memory.services.vectors import fill_due

    while fill_due():
        pass


def _percentiles(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def table(row: Row, mode: str, *, japanese: bool) -> None:
    print(f"{row.questions} questions over {row.memories} memories, loaded with vectors at {row.load:.0f}/s")
    print(f"{'':44} R@1   R@5   R@10  MRR    p50 / p95 ms")
    numbers = f"{row.r1:.3f} {row.r5:.3f} {row.r10:.3f} {row.mrr:.3f}  {row.p50:.0f} / {row.p95:.0f}"
    print(f"{row.name:43} {numbers}")
    if japanese:
        for name, r1, r5, r10, mrr in RIVALS_JA:
            print(f"{name:43} {r1:.3f} {r5:.3f} {r10:.3f} {mrr:.3f}")
        return
    for rival in RIVALS:
        reached = rival.turns if mode == "turn" else rival.observations
        if reached is not None:
            print(f"{rival.name:43} {'':11} {reached:.3f}")


if __name__ == "__main__":
    main()
