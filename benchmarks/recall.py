"""How well and how fast recall finds: ``python -m benchmarks.recall --data FILE … [--mode turn|observation]``.

Loads each data set as an operator would (``load_memories``), then asks over the REST API with ``floor=none`` and prints
recall@5, recall@10 and MRR beside what others reached on the same files. ``--model e5|use|none`` chooses the embedding,
``--json OUT`` keeps the numbers, ``--scale 1000 10000`` times invented namespaces of those sizes instead.

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

from benchmarks import recall_scale, stack
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
    parser.add_argument("--mode", choices=["turn", "observation"], default="observation")
    parser.add_argument("--model", choices=["auto", "e5", "use", "none"], default="auto")
    parser.add_argument("--questions", type=int, default=600, help="of JSQuAD, at most (seeded sample)")
    parser.add_argument("--scale", nargs="+", type=int, default=[])
    parser.add_argument("--json", type=Path, dest="out")
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}")
    result: dict[str, Any] = {"machine": stack.machine(), "model": options.model, "mode": options.mode}
    if options.data:
        sets = [read(path, mode=options.mode, most=options.questions) for path in options.data]
        row = quality(sets, name=f"Hikae ({options.model})")
        result["quality"] = asdict(row)
        table(row, options.mode, japanese=all("squad" in each.name for each in sets))
    if options.scale:
        timings = [scale(count) for count in options.scale]
        result["scale"] = [asdict(timing) for timing in timings]
        scale_table(timings)
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def quality(sets: list[Collection], *, name: str) -> Row:
    """One workspace a data set; every question is asked there alone."""
    client, user = _client()
    started = time.perf_counter()
    for each in sets:
        _load(user, each)
    _embed_all()
    memories = sum(len(each.items) for each in sets)
    load = memories / (time.perf_counter() - started)
    scores: list[tuple[float, float, float, float]] = []
    times: list[float] = []
    for each in sets:
        for place, question in enumerate(each.questions):
            begun = time.perf_counter()
            found = _ask(client, question.text, each.name)
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


def scale(count: int) -> recall_scale.Timing:
    from memory.embedder import current_space
    from memory.models import MemoryVector

    client, user = _client()
    namespace = _workspace(user, f"scale-{count}")
    MemoryVector.objects.filter(namespace=namespace).delete()
    load = recall_scale.fill(namespace, count, current_space() or "none/384")
    asked = recall_scale.questions(100)
    whole = [_timed(client, question, namespace.name) for question in asked]
    words = [_timed_words(question, namespace) for question in asked]
    return recall_scale.Timing(
        count,
        *_percentiles(whole[WARM_UP:]),
        *_percentiles(words[WARM_UP:]),
        load,
        recall_scale.megabytes(),
    )


def _timed(client: Any, question: str, namespace: str) -> float:
    begun = time.perf_counter()
    _ask(client, question, namespace, floor="default")
    return (time.perf_counter() - begun) * 1000


def _timed_words(question: str, namespace: Any) -> float:
    from core.scope import Scope
    from memory.recall.lexical import lexical, wanted_terms

    begun = time.perf_counter()
    lexical(scope=Scope.of([namespace.pk]), terms=wanted_terms(question), limit=50)
    return (time.perf_counter() - begun) * 1000


def _ask(client: Any, question: str, namespace: str, floor: str = "none") -> list[str]:
    body = {"q": question, "namespace": f"workspace:{namespace}", "k": K, "floor": floor}
    response = client.post("/api/v1/recall/", body, format="json")
    assert response.status_code == 200, response.content
    return [hit["external_id"] for hit in response.json()["hits"]]


def _client() -> tuple[Any, Any]:
    from django.contrib.auth.models import User
    from django.utils import timezone
    from rest_framework.test import APIClient

    from core.actor import Actor
    from core.services.keys import agent_key_create

    user, _made = User.objects.get_or_create(username="bench")
    key = agent_key_create(user=user, name="bench", actor=Actor.person(user), now=timezone.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key.secret}", HTTP_HOST="127.0.0.1")
    return client, user


def _workspace(user: Any, name: str) -> Any:
    from django.utils import timezone

    from core.actor import Actor
    from core.services.namespaces import namespace_create

    return namespace_create(
        owner=user, type="workspace", name=name, actor=Actor.operator("benchmark"), now=timezone.now()
    )


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


def scale_table(timings: list[recall_scale.Timing]) -> None:
    print("memories   REST p50 / p95 ms   words alone p50 / p95 ms   loaded/s   index MB (all sizes so far)")
    for t in timings:
        print(
            f"{t.memories:8}   {t.p50:7.1f} / {t.p95:<7.1f}   {t.p50_words:10.1f} / {t.p95_words:<10.1f}"
            f"   {t.load:8.0f}   {t.megabytes:.0f}"
        )


if __name__ == "__main__":
    main()
