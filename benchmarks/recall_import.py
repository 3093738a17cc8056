"""From the door to recall, on the whole product: ``python -m benchmarks.recall_import [--model e5|use]``.

*Approve*: candidates are approved one after another as the queue page does, and the REST API is asked until the memory
answers, by its words and then also by its meaning. *Import*: ``memories_load`` as the command calls it, while the
product's worker fills the vectors; the clock stops when no memory waits for one.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import product, recall_corpus

PATIENCE = 60.0  # seconds for one memory
POLL = 0.01
HOME = "workspace:import"


@dataclass(frozen=True)
class Result:
    """Seconds from the press to the answer (median, worst); memories a second, stored and with their vectors."""

    model: str
    approved: int
    words: float
    words_worst: float
    meaning: float
    meaning_worst: float
    imported: int
    characters: float
    stored_rate: float
    vector_rate: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", choices=["e5", "use"], default="e5")
    parser.add_argument("--approve", type=int, default=20)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--json", type=Path, dest="out")
    options = parser.parse_args()
    with product.running(EMBED_MODEL=options.model) as hikae:
        _join(hikae, options.model)
        words, meaning = _approve(hikae, options.approve)
        characters, stored, filled = _import(options.memories)
    result = Result(
        options.model,
        options.approve,
        statistics.median(words),
        max(words),
        statistics.median(meaning),
        max(meaning),
        options.memories,
        characters,
        options.memories / stored,
        options.memories / filled,
    )
    print(f"machine  {product.machine()}")
    for name, value in asdict(result).items():
        print(f"{name:15} {value if isinstance(value, str | int) else round(value, 3)}")
    print(f"load averages: {Path('/proc/loadavg').read_text().split()[:3]}")
    if options.out:
        options.out.write_text(json.dumps(asdict(result), indent=1) + "\n", encoding="utf-8")


def _join(hikae: product.Hikae, model: str) -> None:
    """Work in this process on that installation's servers."""
    from config.embedded import locate

    addresses = locate.urls(hikae.data)
    os.environ.update(
        DATABASE_URL=addresses.database,
        REDIS_URL=addresses.redis,
        HIKAE_DATA=str(hikae.data),
        EMBED_MODEL=model,
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    import django

    django.setup()
    logging.getLogger("httpx2").setLevel(logging.WARNING)


def _approve(hikae: product.Hikae, count: int) -> tuple[list[float], list[float]]:
    from django.utils import timezone

    from core.actor import Actor
    from core.services.namespaces import namespace_create
    from memory.models import Candidate
    from review.selectors.selection import ItemRef
    from review.services.acts import act_approve

    user = _person()
    namespace_create(
        owner=user,
        type="workspace",
        name=HOME.partition(":")[2],
        actor=Actor.operator("benchmark"),
        now=timezone.now(),
    )
    words, meaning = [], []
    for number, content in enumerate(recall_corpus.contents(count + 1)):
        posted = _http(hikae, "candidates/", _proposal(content, number))
        item = Candidate.objects.get(pk=posted["id"])
        begun = time.perf_counter()
        result = act_approve(user=user, items=[ItemRef(item.pk, item.version)], now=timezone.now())
        assert result.done, result
        memory = str(Candidate.objects.get(pk=item.pk).memory_id)
        first = _until(hikae, content, memory, lambda hit: True) - begun
        second = _until(hikae, content, memory, lambda hit: hit["why"]["meaning"] is not None) - begun
        if number:  # the first one loads the worker's model
            words.append(first)
            meaning.append(second)
    return words, meaning


def _until(hikae: product.Hikae, question: str, memory: str, good: Callable[[Any], bool]) -> float:
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        hits = _http(hikae, "recall/", {"q": question, "namespace": [HOME]})["hits"]
        if any(hit["id"] == memory and good(hit) for hit in hits):
            return time.perf_counter()
        time.sleep(POLL)
    raise SystemExit(f"{memory} is not recalled after {PATIENCE:.0f} s")


def _import(count: int) -> tuple[float, float, float]:
    """Mean length in characters, and the seconds until all are stored and until all have a vector."""
    from django.utils import timezone

    from core.actor import Actor
    from memory.models import MemoryIndex
    from memory.services.loading import memories_load

    texts = list(recall_corpus.contents(count))
    lines = [
        json.dumps({"external_id": f"line-{place}", "namespace": HOME, "kind": "fact", "content": content})
        for place, content in enumerate(texts)
    ]
    begun = time.perf_counter()
    report = memories_load(user=_person(), lines=lines, actor=Actor.operator("benchmark"), now=timezone.now())
    stored = time.perf_counter() - begun
    assert report.created == count, report.problems[:3]
    while MemoryIndex.objects.filter(vector_space="").exists():
        time.sleep(0.2)
    return statistics.fmean(map(len, texts)), stored, time.perf_counter() - begun


def _person() -> Any:
    from core.models import AgentKey

    return AgentKey.objects.select_related("user").earliest("created_at").user


def _http(hikae: product.Hikae, path: str, body: dict[str, Any]) -> Any:
    import httpx2

    answer = httpx2.post(f"{hikae.address}/api/v1/{path}", json=body, headers=hikae.headers, timeout=30)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def _proposal(content: str, number: int) -> dict[str, Any]:
    return {"namespace": HOME, "kind": "fact", "content": content, "key": f"import-{number}"}


if __name__ == "__main__":
    main()
