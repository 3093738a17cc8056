"""From which size on is an index of its own cheaper than a scan? ``python -m benchmarks.recall_border [--model NAME]``.

For each size two namespaces of invented memories (``recall_corpus``): one is scanned, the other has its vector index
and its common terms counted. The same questions go to both in turn over the REST view, with the question's vector at
hand, so that other work on the machine weighs alike on both. Prints the processor time of a question, here and in the
database, the median of its time, and which share of the nearest 8 and 50 by an exact scan the index names.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks import recall_corpus, stack
from benchmarks.asking import asker, workspace
from benchmarks.recall_scale import at_hand, processor_time

SIZES = (1_000, 2_000, 3_000, 4_500, 6_000)
BESIDE = 100  # namespaces
OF = 200  # memories each, beside those that are measured
WAYS = ("scanned", "indexed")


@dataclass
class Taken:
    """Milliseconds of each asking: by the clock, and of processors."""

    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", choices=["auto", "e5", "use"], default="auto")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}, model {options.model}")
    homes = {(size, way): workspace(f"{way}-{size}") for size in options.sizes for way in WAYS}
    _fill(homes)
    asked = recall_corpus.questions(options.questions)
    print("memories   way       processor ms: mean   median ms   nearest 8   nearest 50")
    with at_hand(asked):
        for size in options.sizes:
            taken = _ask(size, homes, asked, options.rounds)
            shares = _shares(homes[size, "indexed"], asked)
            for way in WAYS:
                mean, median = statistics.fmean(taken[way].cpu), statistics.median(taken[way].clock)
                found = shares if way == "indexed" else (1.0, 1.0)
                print(f"{size:8}   {way:8} {mean:19.1f} {median:11.1f} {found[0]:11.3f} {found[1]:12.3f}")
    print(f"load averages: {Path('/proc/loadavg').read_text().split()[:3]}")


def _fill(homes: dict[tuple[int, str], Any]) -> None:
    from memory.embedder import current_space, embed
    from memory.models import CommonTerm
    from memory.recall import semantic
    from memory.services.growth import growth_tend

    made = embed(list(recall_corpus.contents(recall_corpus.MODELS)))
    assert made is not None, "an embedding model is needed"
    wanted = [(home.pk, size) for (size, _way), home in homes.items()]
    wanted += [(workspace(f"beside-{place}").pk, OF) for place in range(BESIDE)]
    recall_corpus.store(wanted, space=current_space(), models=np.array(made[1]))
    with mock.patch.object(semantic, "EXACT_UP_TO", min(size for size, _way in homes) - 1):
        growth_tend()
    scanned = [home.pk for (_size, way), home in homes.items() if way == "scanned"]
    CommonTerm.objects.filter(namespace__in=scanned).delete()


def _ask(size: int, homes: dict[tuple[int, str], Any], asked: list[str], rounds: int) -> dict[str, Taken]:
    from memory.recall import semantic

    ask = asker(k=8)
    taken = {way: Taken() for way in WAYS}
    for turn in range(rounds + 1):
        for question in asked:
            for way in WAYS:
                border = size if way == "scanned" else size - 1
                with mock.patch.object(semantic, "EXACT_UP_TO", border):
                    begun, used = time.perf_counter(), processor_time()
                    ask(question, [homes[size, way].name])
                    took, used = time.perf_counter() - begun, processor_time() - used
                if turn:  # the first round warms up
                    taken[way].clock.append(took * 1000)
                    taken[way].cpu.append(used)
    return taken


def _shares(home: Any, asked: list[str]) -> tuple[float, float]:
    """Means over questions, turned as recall turns them."""
    from core.scope import Scope
    from memory.embedder import embed
    from memory.recall import semantic
    from memory.recall.sizes import sizes_of
    from memory.recall.spaces import space_of

    shares: list[tuple[float, float]] = []
    for question in asked:
        made = embed([question], query=True)
        assert made is not None
        scope = Scope.of([home.pk])
        sizes = sizes_of(scope=scope, space=made[0])
        centre, count = semantic.centroid(scope=scope, space=made[0], vectors=sizes.vectors)
        turned = space_of(made[0]).turned(made[1][0], centroid=centre, count=count)
        named: list[list[Any]] = []
        for border in (sizes.vectors, 0):
            with mock.patch.object(semantic, "EXACT_UP_TO", border):
                near = semantic.semantic(sizes=sizes.with_vector, space=made[0], vector=turned, limit=50)
            named.append(list(near))
        exact, found = named
        shares.append((len({*exact[:8]} & {*found[:8]}) / 8, len({*exact} & {*found}) / 50))
    eight, fifty = zip(*shares, strict=True)
    return statistics.fmean(eight), statistics.fmean(fifty)


if __name__ == "__main__":
    main()
