"""How fast recall stays as it grows: ``python -m benchmarks.recall_scale --memories 100000 [--model e5|use]``.

Invented memories (``recall_corpus``) over many namespaces, the largest of 50,000; indexes are built after loading. Then
questions are asked over the REST view, of the largest namespace beside a small one and of small ones, with the
question's embedding computed and with it at hand. Every question is asked ``--rounds`` times; its median counts, so
that other work on the machine weighs less. What weighs least on a busy machine is the processor time of a question,
of this process and of the database's that serves it.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks import recall_corpus, stack
from benchmarks.asking import asker, workspace

LARGEST = 50_000
WARM_UP = 10


@dataclass(frozen=True)
class Timing:
    """Milliseconds of a whole request to the view; ``where``: which namespaces were asked.

    ``cpu``: mean processor time of a question, here and in the database; 0 where the system does not tell (not Linux).
    ``megabytes``: of the tables that recall reads, indexes included.
    """

    memories: int
    where: str
    embedding: str
    p50: float
    p95: float
    cpu: float
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--model", choices=["auto", "e5", "use"], default="auto")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, dest="out")
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}")
    timings = run(options.memories, options.questions, options.rounds)
    if options.out:
        options.out.write_text(json.dumps([asdict(each) for each in timings], indent=1) + "\n")


def run(memories: int, count: int = 100, rounds: int = 3) -> list[Timing]:
    """Load into emptied tables, print what that took and the sizes, ask, print the table."""
    from memory.embedder import current_space, embed
    from memory.services.growth import growth_tend

    made = embed(list(recall_corpus.contents(recall_corpus.MODELS)))
    assert made is not None, "an embedding model is needed"
    recall_corpus.clear()
    growth_tend()
    homes = [(workspace(f"scale-{memories}-{place}"), size) for place, size in enumerate(shares(memories))]
    loaded = recall_corpus.store(
        [(home.pk, size) for home, size in homes], space=current_space(), models=np.array(made[1])
    )
    begun = time.perf_counter()
    growth_tend()
    print(f"{memories} memories over {len(homes)} namespaces: loaded in {loaded.rows:.0f} s", end=", ")
    print(
        f"indexes in {loaded.indexes:.0f} s, those of large namespaces in {time.perf_counter() - begun:.0f} s"
    )
    stored = recall_corpus.megabytes()
    print("MB         " + ", ".join(f"{name} {size:.0f}" for name, size in stored.items()))
    total = sum(stored[table] for table in recall_corpus.TABLES)
    asked = recall_corpus.questions(count)
    names = [home.name for home, _size in homes]
    both = {"largest and a small one": lambda place: [names[0], names[-1]]} if len(names) > 1 else {}
    where: dict[str, Callable[[int], list[str]]] = {
        **both,
        "largest": lambda place: names[:1],
        "a small one": lambda place: [names[-1 - place % max(len(names) - 1, 1)]],
    }
    timings = []
    for name, chosen in where.items():
        for embedding in ("at hand", "computed"):
            with at_hand(asked) if embedding == "at hand" else _as_is():
                times, cpu = _times(asked, chosen, rounds)
            timings.append(Timing(memories, name, embedding, *_percentiles(times), cpu, total))
            print(
                f"{name:24} embedding {embedding:9} p50 {timings[-1].p50:6.1f}  p95 {timings[-1].p95:6.1f} ms"
                f"  cpu {cpu:5.1f} ms"
            )
    print(f"this process' peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"load averages: {Path('/proc/loadavg').read_text().split()[:3]}")
    return timings


def shares(memories: int) -> list[int]:
    """Sizes of namespaces: half of all first, at most 50,000, then some of 20,000, the rest over up to 500 or 990."""
    largest = min(LARGEST, (memories + 1) // 2)
    middle = [20_000] * 9 if memories >= 1_000_000 else []
    left = memories - largest - sum(middle)
    small = max(min(left // 100, 990 if middle else 500), 1)
    return [largest, *middle, *(left // small + (place < left % small) for place in range(small))]


def _times(asked: list[str], chosen: Callable[[int], list[str]], rounds: int) -> tuple[list[float], float]:
    """The median of each question's rounds, and the mean processor time of one asking; in milliseconds."""
    ask = asker()
    for question in asked[:WARM_UP]:
        ask(question, chosen(0))
    rows = []
    used = processor_time()
    for place, question in enumerate(asked):
        taken = []
        for _round in range(rounds):
            begun = time.perf_counter()
            ask(question, chosen(place))
            taken.append((time.perf_counter() - begun) * 1000)
        rows.append(statistics.median(taken))
    return rows, (processor_time() - used) / (len(asked) * rounds)


def processor_time() -> float:
    """Milliseconds that this process and its connection's server process have computed; 0 where nobody tells."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    if not server.is_file():
        return 0.0
    return time.process_time() * 1000 + int(server.read_text().split()[0]) / 1e6


@contextmanager
def at_hand(asked: list[str]) -> Iterator[None]:
    """Recall with the questions' vectors looked up instead of computed."""
    from memory import embedder
    from memory.recall import halves

    known: dict[str, Any] = {question: embedder.embed([question], query=True) for question in asked}
    with mock.patch.object(halves, "embed", lambda texts, *, query: known[texts[0]]):
        yield


@contextmanager
def _as_is() -> Iterator[None]:
    yield


def _percentiles(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
