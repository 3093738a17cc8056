"""Fit the judge and the kinds of the `rules` extractor.

    python -m benchmarks.train_rules [--more LABELS.jsonl ...] [--write | --check]

Reads labelled conversations in tests/data/extraction (the files named in READ), benchmarks/data/extraction/en_dev.jsonl
and the sentences in benchmarks/data/sentences.  Prints how well units are told apart in cross-validation, with nobody's
words are on both sides: conversations are held out by file and person, sentences by file.  --write replaces
memory/extractors/rules/weights.json and kinds.json; --check fits again and fails if they differ.  `--more` adds
label files to the fit; the shipped weights are fitted without any.  The sets that only measure
(tests/data/extraction/holdout_2*.jsonl, benchmarks/data/extraction/en_check.jsonl) are never read here.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.rules_prior import KINDS, LOWER, PRIOR, UPPER
from core.embed.local import UseEmbedder
from memory.extractors.base import Utterance, Window
from memory.extractors.rules.kinds import kind_by_rule
from memory.extractors.rules.listen import listen

RULES = ROOT / "memory" / "extractors" / "rules"
READ = ("train*.jsonl", "holdout.jsonl", "holdout_sessions.jsonl")
FOLDS = 5
# A unit must win by this much (in logits) to be proposed: a missed memory costs less than a noisy queue.
CAUTION = 0.45
# Two fits on one machine agree to the last digit; another BLAS may round differently.
TOLERANCE = 0.02
_SHORT = dict(zip(("fact", "dec", "pat", "pref", "post", "evt"), KINDS, strict=True))

Row = dict[str, Any]
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """One unit: its features and text, whether it is worth keeping, how much it counts, its kind if kept."""

    traits: frozenset[str]
    text: str
    keep: bool
    weight: float
    kind: str
    whose: str


def rows_of_sentences() -> list[Row]:
    rows = []
    for path in sorted((ROOT / "benchmarks" / "data" / "sentences").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            kind, text = line.split(maxsplit=1)
            messages = []
            if "@@" in text:
                agent, text = text.removeprefix("@").split("@@", 1)
                messages.append({"role": "assistant", "origin": "agent", "text": agent})
            marked = re.findall(r"\[\[(.*?)\]\]", text)
            text = re.sub(r"\[\[|\]\]", "", text)
            messages.append({"role": "user", "origin": "human", "text": text})
            expect = [
                {"kind": _SHORT[kind], "evidence": part, "evidence_message": len(messages) - 1}
                for part in (marked or [text])
                if kind != "-"
            ]
            rows.append({"messages": messages, "expect": expect, "weight": 0.6, "whose": path.name})
    return rows


def rows_of_labels(path: Path) -> list[Row]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    family = path.stem.removesuffix("_sessions")
    return [{**row, "whose": f"{family}:{row['persona'] if family == 'train_b' else ''}"} for row in rows]


def examples(rows: list[Row]) -> list[Example]:
    """Every unit of every human message.  Answers that adopt are left out, another part handles them."""
    out = []
    for row in rows:
        utterances = tuple(
            Utterance(str(i), m["role"], m["origin"], m["text"], True) for i, m in enumerate(row["messages"])
        )
        for heard in listen(Window(utterances, "p", "w", "turn")):
            here = [e for e in row["expect"] if e["evidence_message"] == heard.at]
            for unit, own, traits in zip(heard.units, heard.own, heard.traits, strict=True):
                hits = [
                    e for e in here if _overlaps(heard.utterance.text, e["evidence"], unit.start, unit.end)
                ]
                if any(not _says_it_all(heard.utterance.text, e) for e in hits):
                    continue
                # In a message with something to keep, the other units are often its reason: weak negatives.
                weight = row.get("weight", 1.0) * (1.0 if hits else 0.25 if here else 1.3)
                named = traits | {"k:" + kind_by_rule(own, traits, unit.form)}
                out.append(
                    Example(
                        named,
                        unit.text,
                        bool(hits),
                        weight,
                        hits[0]["kind"] if hits else "",
                        row.get("whose", ""),
                    )
                )
    return out


def _overlaps(text: str, evidence: str, start: int, end: int) -> bool:
    at = text.find(evidence)
    common = min(at + len(evidence), end) - max(at, start)
    return at >= 0 and end - start >= 4 and common > 0.5 * min(len(evidence), end - start)


def _says_it_all(text: str, item: Row) -> bool:
    folded = text.casefold()
    return all(any(alt.casefold() in folded for alt in group) for group in item.get("must_contain_any", []))


def matrix(data: list[Example], names: list[str]) -> Matrix:
    index = {name: n for n, name in enumerate(names)}
    x = np.zeros((len(data), len(names)))
    for row, example in enumerate(data):
        for name in example.traits:
            if name in index:
                x[row, index[name]] = 1.0
    return x


def fit_judge(
    data: list[Example], meaning: Matrix | None, rounds: int = 1500
) -> tuple[list[str], Matrix, float]:
    """Weighted logistic regression, pulled towards PRIOR, signs kept within LOWER and UPPER."""
    names = sorted({n for e in data for n in e.traits if not n.startswith("k:")} | set(PRIOR))
    x = matrix(data, names)
    prior = np.array([PRIOR.get(n, 0.0) for n in names])
    low = np.array([0.0 if n in LOWER else -9.0 for n in names])
    high = np.array([0.0 if n in UPPER or n[2:] in UPPER else 9.0 for n in names])
    rare = x.sum(0) < 3
    low[rare], high[rare] = prior[rare], prior[rare]
    pull = np.full(len(names), 0.0075)
    if meaning is not None:
        size = meaning.shape[1]
        x = np.hstack([x, meaning])
        prior, pull = np.append(prior, np.zeros(size)), np.append(pull, np.full(size, 0.0005))
        low, high = np.append(low, np.full(size, -9.0)), np.append(high, np.full(size, 9.0))
    y = np.array([float(e.keep) for e in data])
    w = np.array([e.weight for e in data])
    w /= w.sum()
    theta = np.append(prior, -1.0)
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for t in range(1, rounds + 1):
        error = w * (1 / (1 + np.exp(-(x @ theta[:-1] + theta[-1]))) - y)
        grad = np.append(x.T @ error + pull * (theta[:-1] - prior), error.sum())
        theta = theta - _adam(grad, first, second, t, 0.02)
        theta[:-1] = np.clip(theta[:-1], low, high)
    return names, theta[:-1], float(theta[-1])


def fit_kinds(
    data: list[Example], meaning: Matrix | None, rounds: int = 800
) -> tuple[list[str], Matrix, Matrix]:
    """Softmax regression over features (and meaning); the rule's own answer starts with weight one."""
    rows = [i for i, e in enumerate(data) if e.keep]
    kept = [data[i] for i in rows]
    names = sorted({n for e in kept for n in e.traits})
    x = matrix(kept, names)
    y = np.zeros((len(kept), len(KINDS)))
    y[np.arange(len(kept)), [KINDS.index(e.kind) for e in kept]] = 1.0
    prior = np.zeros((len(names) + 1, len(KINDS)))
    for k, kind in enumerate(KINDS):
        if "k:" + kind in names:
            prior[names.index("k:" + kind), k] = 1.0
    pull = np.full((len(names), 1), 0.003)
    if meaning is not None:
        size = meaning.shape[1]
        x = np.hstack([x, meaning[rows]])
        prior = np.vstack([prior[:-1], np.zeros((size, len(KINDS))), prior[-1:]])
        pull = np.vstack([pull, np.full((size, 1), 0.0005)])
    theta = prior.copy()
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for t in range(1, rounds + 1):
        z = x @ theta[:-1] + theta[-1]
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        grad = np.vstack([x.T @ (p - y) / len(kept) + pull * (theta - prior)[:-1], (p - y).mean(0)])
        theta = theta - _adam(grad, first, second, t, 0.05)
    return names, theta[:-1], theta[-1]


def _adam(grad: Matrix, first: Matrix, second: Matrix, t: int, rate: float) -> Matrix:
    first += 0.1 * (grad - first)
    second += 0.001 * (grad * grad - second)
    step: Matrix = rate * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-9)
    return step


def vectors(data: list[Example], model: UseEmbedder) -> Matrix:
    raw = np.array(model.embed([e.text[:300] for e in data]))
    return np.asarray(raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9))


def cross_validate(data: list[Example], meaning: Matrix) -> None:
    """Every person and file is judged once by a fit that never saw them; prints found, wrong and missed units."""
    fold = np.array([zlib.crc32(e.whose.encode()) % FOLDS for e in data])
    real = np.array([e.keep for e in data])
    for how, m in (("grammar", None), ("grammar and meaning", meaning)):
        said = np.zeros(len(data), dtype=bool)
        for n in range(FOLDS):
            inside, outside = np.flatnonzero(fold != n), np.flatnonzero(fold == n)
            if not len(outside):
                continue
            names, theta, bias = fit_judge([data[i] for i in inside], None if m is None else m[inside])
            x = matrix([data[i] for i in outside], names)
            x = x if m is None else np.hstack([x, m[outside]])
            said[outside] = x @ theta + bias - CAUTION > 0
        hit, wrong, missed = (int(v.sum()) for v in (said & real, said & ~real, ~said & real))
        print(f"cross-validated, {how:<20} found {hit}  wrong {wrong}  missed {missed}")


def fitted(data: list[Example], m: Matrix) -> dict[str, Row]:
    """What weights.json and kinds.json hold."""
    names, theta, bias = fit_judge(data, None)
    alone = {"bias": round(bias - CAUTION, 3), "weights": _rounded(names, theta, 0.03)}
    names, theta, bias = fit_judge(data, m)
    joint: dict[str, Any] = {"bias": round(bias - CAUTION, 3), "weights": _rounded(names, theta, 0.03)}
    joint["vector"] = [round(float(v), 3) for v in theta[len(names) :]]
    return {
        "weights.json": {"alone": alone, "joint": joint},
        "kinds.json": {"alone": _kinds(data, None), "joint": _kinds(data, m)},
    }


def _kinds(data: list[Example], meaning: Matrix | None) -> Row:
    names, theta, biases = fit_kinds(data, meaning)
    found: Row = {
        "bias": {kind: round(float(biases[k]), 3) for k, kind in enumerate(KINDS)},
        "weights": {kind: _rounded(names, theta[:, k], 0.05) for k, kind in enumerate(KINDS)},
    }
    if meaning is not None:
        found["vectors"] = {
            kind: [round(float(v), 3) for v in theta[len(names) :, k]] for k, kind in enumerate(KINDS)
        }
    return found


def differences(shipped: Any, fresh: Any, at: str = "") -> list[str]:
    """Where two fits differ by more than rounding; a weight that is left out counts as zero."""
    if isinstance(fresh, dict):
        names = sorted(set(fresh) | set(shipped))
        return [d for n in names for d in differences(shipped.get(n, 0.0), fresh.get(n, 0.0), f"{at}/{n}")]
    if isinstance(fresh, list):
        return [d for a, b in zip(shipped, fresh, strict=True) for d in differences(a, b, at)]
    # Weights too small to ship are left out, so a value at that border may come and go.
    return [] if abs(shipped - fresh) <= (TOLERANCE if shipped and fresh else 0.07) else [at]


def _rounded(names: list[str], theta: Matrix, least: float) -> dict[str, float]:
    return {n: round(float(v), 3) for n, v in zip(names, theta, strict=False) if abs(v) >= least}


def _dump(name: str, value: Row) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    (RULES / name).write_text(text + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--more", nargs="*", type=Path, default=[], help="further label files")
    parser.add_argument("--write", action="store_true", help="replace the shipped weights")
    parser.add_argument("--check", action="store_true", help="fail if the shipped weights are not these")
    options = parser.parse_args()
    folder = ROOT / "tests" / "data" / "extraction"
    labels = [path for pattern in READ for path in sorted(folder.glob(pattern))]
    labels.append(ROOT / "benchmarks" / "data" / "extraction" / "en_dev.jsonl")
    data = examples(rows_of_sentences())
    data += examples([row for path in (*labels, *options.more) for row in rows_of_labels(path)])
    meaning = vectors(data, UseEmbedder())
    if not options.check:
        cross_validate(data, meaning)
    if options.write:
        for name, value in fitted(data, meaning).items():
            _dump(name, value)
    if options.check:
        for name, fresh in fitted(data, meaning).items():
            shipped = json.loads((RULES / name).read_text(encoding="utf-8"))
            if wrong := differences(shipped, fresh, name):
                sys.exit(
                    f"{len(wrong)} weights are not what the files give, first {wrong[0]}: run with --write"
                )
        print("weights.json and kinds.json are what the files give")


if __name__ == "__main__":
    main()
