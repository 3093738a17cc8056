"""Dedupe on planted pairs: `python -m benchmarks.dedupe [--fit] [--misses] [FILE ...]`.

Prints, for both built-in models and for words alone, how many true repeats are recognised and how many hard negatives
are wrongly merged, by class and language. Exit 1 when a number of the agreement is missed (0 false merges, 0.80 of
repeats).
`--fit` prints the percentiles that the constants in `memory/dedupe/calibrate.py` come from.

A pair file is JSONL: `id, lang (en, ja, mixed), label (same, different), class, a, b`. `dedupe_pairs_holdout.jsonl` was
written before the first run and is kept out of tuning.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Run from the root as a module or as a file.
ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from core.embed import EmbedUnavailable, build
from memory.dedupe import Verdict, calibrate, compare, features

DATA = ROOT / "benchmarks" / "data"
FILES = (DATA / "dedupe_pairs.jsonl", DATA / "dedupe_pairs_holdout.jsonl")
RECALL = 0.80


@dataclass(frozen=True)
class Pair:
    """One labelled pair; `kind` is the file's `class`."""

    id: str
    lang: str
    label: str
    kind: str
    a: str
    b: str


def load(path: Path) -> list[Pair]:
    """Pairs of a JSONL file; KeyError or ValueError names nothing but the broken line's content."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Pair(r["id"], r["lang"], r["label"], r["class"], r["a"], r["b"]) for r in lines]


class Cosines:
    """Raw cosines of one built-in model ("use", "e5"); each text is embedded once."""

    def __init__(self, model: str, texts: Sequence[str]) -> None:
        embedder = build(model, None, None, None, 30.0)
        distinct = list(dict.fromkeys(texts))
        self.vectors = dict(zip(distinct, embedder.embed(distinct), strict=True))
        self.space = embedder.space

    def raw(self, a: str, b: str) -> float:
        return sum(x * y for x, y in zip(self.vectors[a], self.vectors[b], strict=True))

    def similarity(self, a: str, b: str) -> float:
        return calibrate(self.raw(a, b), self.space)


def judge(pair: Pair, cosines: Cosines | None) -> Verdict:
    cosine = None if cosines is None else cosines.similarity(pair.a, pair.b)
    return compare(features(pair.a), features(pair.b), cosine=cosine)


def table(pairs: Sequence[Pair], verdicts: dict[str, list[Verdict]]) -> tuple[list[str], bool]:
    """Lines to print, and whether both numbers are reached by every model."""
    names = list(verdicts)
    lines = [f"{'class':<12} {'lang':<6} {'pairs':>5}  " + "  ".join(f"{n:>12}" for n in names)]
    passed = True
    for label, caption in (("same", "true repeats recognised"), ("different", "false merges")):
        groups: dict[tuple[str, str], list[int]] = defaultdict(list)
        for i, pair in enumerate(pairs):
            if pair.label == label:
                groups[pair.kind, pair.lang].append(i)
                groups["all", ""].append(i)
        lines.append(f"-- {caption}")
        for (kind, lang), members in sorted(groups.items(), key=lambda g: (g[0][0] == "all", g[0])):
            hits = {n: sum(verdicts[n][i].relation == "same" for i in members) for n in names}
            shares = "  ".join(f"{hits[n]:>4} ({hits[n] / len(members):>4.0%})" for n in names)
            lines.append(f"{kind:<12} {lang:<6} {len(members):>5}  {shares}")
            if kind == "all":
                good = (h / len(members) >= RECALL if label == "same" else h == 0 for h in hits.values())
                passed = all(good) and passed
    conflicts = "  ".join(
        f"{sum(v.relation == 'conflict' for v, p in zip(verdicts[n], pairs, strict=True) if p.label != 'same'):>12}"
        for n in names
    )
    lines.append(f"{'negatives told as a conflict':<25}  {conflicts}")
    return lines, passed


def fit(pairs: Sequence[Pair], cosines: Cosines) -> str:
    """Percentiles of raw cosines: strangers (50th, 99th) and true repeats of one language (5th, 50th)."""
    texts = list(cosines.vectors)
    draw = random.Random(7)  # a benchmark must print the same numbers twice
    strangers = sorted(cosines.raw(*draw.sample(texts, 2)) for _ in range(3000))
    repeats = sorted(cosines.raw(p.a, p.b) for p in pairs if p.label == "same" and p.lang != "mixed")
    points = [
        (s, q, s[int(q * (len(s) - 1))])
        for s, q in ((strangers, 0.5), (strangers, 0.99), (repeats, 0.05), (repeats, 0.5))
    ]
    return f"{cosines.space}: " + ", ".join(f"{value:.3f}" for _, _, value in points)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, default=list(FILES))
    parser.add_argument("--fit", action="store_true", help="print what calibrate.py is fitted to")
    parser.add_argument("--misses", action="store_true", help="print every wrong verdict")
    options = parser.parse_args(argv)
    print(f"machine: {platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    passed = True
    for path in options.files:
        pairs = load(path)
        models: dict[str, Cosines | None] = {"words alone": None}
        for model in ("use", "e5"):
            try:
                models[model] = Cosines(model, [t for p in pairs for t in (p.a, p.b)])
            except (EmbedUnavailable, ImportError) as problem:
                print(f"{model}: left out, {problem}")
        verdicts = {name: [judge(pair, cosines) for pair in pairs] for name, cosines in models.items()}
        lines, good = table(pairs, verdicts)
        passed = passed and good
        print(f"\n{path.name}", *lines, sep="\n")
        if options.fit:
            print(*(fit(pairs, c) for c in models.values() if c), sep="\n")
        if options.misses:
            for name, judged in verdicts.items():
                for pair, verdict in zip(pairs, judged, strict=True):
                    if (verdict.relation == "same") != (pair.label == "same"):
                        print(
                            f"{name} {pair.id} {pair.label}: {pair.a} | {pair.b} → {verdict.relation} {verdict.reasons}"
                        )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
