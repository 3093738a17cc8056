"""Is the fused order ever worse than the better of its halves? For ``benchmarks/recall.py --halves``."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.recall_data import Collection

if TYPE_CHECKING:
    from memory.recall.fusion import Sign

Scores = tuple[float, float, float, float]
Judge = Callable[[list[frozenset[str]], Any], Scores]
Order = Callable[["Sign"], float]
BEST = 10


def halves(sets: Sequence[Collection], judge: Judge, *, user: Any) -> dict[str, Scores]:
    """Means of R@1, R@5, R@10 and MRR by words, by meaning and fused, over the same candidates of every question.

    Each half names its own best 50, so its first ten are those of that half asked alone.
    """
    from core.models import Namespace
    from core.scope import Scope
    from memory.models import Memory
    from memory.recall import RecallQuery
    from memory.recall.search import rank

    orders: dict[str, Order] = {
        "words": lambda sign: sign.bm25,
        "meaning": lambda sign: sign.standing if sign.standing is not None else -100.0,
        "fused": lambda sign: sign.score,
    }
    scored: dict[str, list[Scores]] = {name: [] for name in orders}
    for each in sets:
        home = Namespace.objects.get(owner=user, name=each.name)
        places = dict(Memory.objects.filter(namespace=home).values_list("pk", "external_id"))
        for question in each.questions:
            signs = rank(RecallQuery(question.text, Scope.of([home.pk]), floor=False)).signs
            for name, order in orders.items():
                best = sorted(signs, key=lambda sign: (-order(sign), sign.id))[:BEST]
                covered = [each.items[int(places[sign.id])].covers for sign in best]
                scored[name].append(judge(covered, question))
    return {name: _means(rows) for name, rows in scored.items()}


def _means(rows: list[Scores]) -> Scores:
    r1, r5, r10, mrr = (statistics.fmean(column) for column in zip(*rows, strict=True))
    return r1, r5, r10, mrr


def table(means: dict[str, Scores]) -> None:
    for name, scores in means.items():
        print(f"  {name:41} " + " ".join(f"{score:.3f}" for score in scores))


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
