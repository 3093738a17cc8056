"""What the relevance floor lets through: ``python -m benchmarks.recall_floor [--model e5|use|none]``.

Asks two kinds of questions of namespaces of 3, 50 and about 1,000 memories: such that only the meaning leads to the
answer (paraphrases, the other language), and such that have nothing to do with any memory. Prints how many of the
first find their answer among the hits, what share of the hits answers, and how many of the others get nothing.
``fit`` is what the floor was fitted on, ``holdout`` what it was then checked on (tests/data/recall/README.md).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import stack

SIZES = (3, 50, 1000)
DATA = ROOT / "tests/data/recall"
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", choices=["auto", "e5", "use", "none"], default="auto")
    options = parser.parse_args()
    stack.start(EMBED_MODEL=options.model)
    print(f"machine    {stack.machine()}")
    print(f"model      {options.model}")
    print("set      memories   answer found   hits that answer   off-topic silent")
    for part in ("fit", "holdout"):
        for size in SIZES:
            print(_line(part, size))


def _line(part: str, size: int) -> str:
    memories, questions = _rows(f"meaning_{part}_memories"), _rows(f"meaning_{part}_questions")
    homes = _homes(f"{part}-{size}", memories, size)
    found, precise, silent = [], [], []
    for place, question in enumerate(questions):
        gold = set(question["gold"])
        home = homes[min(gold)] if gold else list(homes.values())[place % len(homes)]
        hits = _ask(question["question"], home)
        if not gold:
            silent.append(not hits)
            continue
        found.append(bool(gold & set(hits)))
        if hits:
            precise.append(len(gold & set(hits)) / len(hits))
    shares = [statistics.fmean(each) if each else 0.0 for each in (found, precise, silent)]
    return f"{part:8} {size:8}   {shares[0]:12.3f}   {shares[1]:16.3f}   {shares[2]:16.3f}"


def _rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def _homes(name: str, memories: list[Row], size: int) -> dict[str, Any]:
    """The namespace to ask, by the memory that answers: small ones hold it and its neighbours in the file."""
    if size >= len(memories):
        others = [text for text in _others() if text not in {row["content"] for row in memories}]
        home = _load(name, memories, others[: size - len(memories)])
        return {row["external_id"]: home for row in memories}
    return {
        row["external_id"]: _load(
            f"{name}-{place}", [memories[(place + step) % len(memories)] for step in range(size)], []
        )
        for place, row in enumerate(memories)
    }


def _others() -> Iterator[str]:
    """What people told about other projects, none of it an answer to the off-topic questions."""
    for name in ("fit_memories", "holdout_memories"):
        yield from (row["content"] for row in _rows(name))
    for path in sorted((ROOT / "benchmarks/data/sentences").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and line[0] not in "#-":
                said = re.split(r"\t| {2,}", line, maxsplit=1)[-1].rpartition("@@")[2]
                kept = re.search(r"\[\[(.*?)\]\]", said)
                yield kept.group(1) if kept else said
    for name in ("train", "train_b"):
        path = ROOT / f"tests/data/extraction/{name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            yield from (item["evidence"] for item in json.loads(line)["expect"])


def _load(name: str, memories: list[Row], others: list[str]) -> Any:
    from django.contrib.auth.models import User
    from django.utils import timezone

    from core.actor import Actor
    from core.services.namespaces import namespace_create
    from memory.services.loading import memories_load
    from memory.services.vectors import fill_due

    user, _made = User.objects.get_or_create(username="bench")
    operator = Actor.operator("benchmark")
    home = namespace_create(owner=user, type="workspace", name=name, actor=operator, now=timezone.now())
    rows = [{**row, "external_id": f"{name}:{row['external_id']}"} for row in memories]
    rows += [
        {"external_id": f"{name}:other:{n}", "kind": "fact", "content": text} for n, text in enumerate(others)
    ]
    lines = (json.dumps({**row, "namespace": f"workspace:{name}"}) for row in rows)
    memories_load(user=user, lines=lines, actor=operator, now=timezone.now())
    while fill_due():
        pass
    return home


def _ask(question: str, home: Any) -> list[str]:
    from core.scope import Scope
    from memory.recall import RecallQuery, recall

    result = recall(query=RecallQuery(question, Scope.of([home.pk])))
    return [hit.memory.external_id.rpartition(":")[2] for hit in result.hits]


if __name__ == "__main__":
    main()
