"""Measure the built-in embedding spaces anew and write memory/recall/spaces.json.

    python -m benchmarks.recall_spaces

Needed when a built-in model changes. Reads texts of this repository alone, so anybody gets the same numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.embed.local import E5Embedder, UseEmbedder
from core.embed.port import Embedder
from core.text import language

SENTENCES = 200  # of each language
RIDGE = 2.0  # between 1 and 4 it hardly matters
Matrix = NDArray[np.float64]


def _sentences(code: str) -> list[str]:
    raw = (ROOT / f"benchmarks/data/sentences/sentences_{code}.txt").read_text(encoding="utf-8").splitlines()
    texts = [re.split(r"\t| {2,}", line, maxsplit=1)[-1] for line in raw if line.strip() and line[0] != "#"]
    return [re.sub(r"\[\[|\]\]", "", text) for text in texts[:SENTENCES]]


def _lines(name: str) -> list[dict[str, Any]]:
    path = ROOT / "tests/data/recall" / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _rows(name: str, field: str) -> list[str]:
    return [row[field] for row in _lines(name)]


def _embed(model: Embedder, texts: list[str], *, query: bool = False) -> Matrix:
    return np.array(model.embed(texts, query=query))


def _asks(model: Embedder) -> tuple[Matrix, float]:
    """Ridge regression of +1 (about one's own work) and -1 (about the world) on the vectors of questions."""
    rows = [(row["question"], bool(row["own"])) for row in _lines("fit_asks.jsonl")]
    for name in ("fit_questions.jsonl", "meaning_fit_questions.jsonl"):
        rows += [(row["question"], bool(row["gold"])) for row in _lines(name)]
    vectors = _embed(model, [question for question, _own in rows], query=True)
    wanted = np.array([1.0 if own else -1.0 for _question, own in rows])
    middle = vectors.mean(0)
    spread = vectors - middle
    direction = np.linalg.solve(
        spread.T @ spread + RIDGE * np.eye(model.dims), spread.T @ (wanted - wanted.mean())
    )
    return direction, -float(middle @ direction)


def measure(model: Embedder, *, languages: bool, floor: float, words: float) -> dict[str, Any]:
    """Centre, language directions (where they matter), how turned questions lie to unrelated texts, what people ask."""
    from memory.recall.spaces import Space

    english, japanese = _embed(model, _sentences("en")), _embed(model, _sentences("ja"))
    memories = _rows("fit_memories.jsonl", "content")
    vectors = _embed(model, memories)
    of_japanese = np.array([language(text) == "ja" for text in memories])
    differences = [
        japanese.mean(0) - english.mean(0),
        vectors[of_japanese].mean(0) - vectors[~of_japanese].mean(0),
    ]
    directions = np.linalg.qr(np.array(differences).T)[0].T if languages else np.empty((0, model.dims))
    centre = (english.mean(0) + japanese.mean(0)) / 2
    space = Space(centre=tuple(centre), languages=tuple(map(tuple, directions)))
    questions = _embed(model, _rows("fit_questions.jsonl", "question"), query=True)
    turned = np.array([space.turned(q, centroid=vectors.mean(0), count=len(vectors)) for q in questions])
    likeness = turned @ vectors.T
    asks, asks_bias = _asks(model)
    return {
        "mean": round(float(likeness.mean()), 4),
        "deviation": round(float(likeness.std(axis=1).mean()), 4),
        "asks_bias": round(asks_bias, 4),
        "floor": floor,
        "words": words,
        "asks": [round(x, 4) for x in asks.tolist()],
        "centre": [round(x, 5) for x in centre.tolist()],
        "languages": [[round(x, 5) for x in direction] for direction in directions.tolist()],
    }


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    import django

    os.environ["HIKAE_TESTING"] = "true"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # USE was trained on translations: taking its language directions out changed nothing.
    # The floor is chosen on all the question sets (benchmarks.recall_floor, recall_precision); the weight of words as
    # the least with which the fused order is nowhere worse than words alone: USE loses its way in chat.
    models = [(UseEmbedder(), False, 0.8, 12.0), (E5Embedder(), True, 0.8, 8.0)]
    measured = {
        model.space: measure(model, languages=languages, floor=floor, words=words)
        for model, languages, floor, words in models
    }
    path = ROOT / "memory/recall/spaces.json"
    path.write_text(
        json.dumps(measured, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="utf-8"
    )
    for name, space in measured.items():
        print(f"{name}: mean {space['mean']}, deviation {space['deviation']}")


if __name__ == "__main__":
    main()
