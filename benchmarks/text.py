"""Time of the text primitives and the redactor: `python benchmarks/text.py`. Microseconds, best of five runs."""

from __future__ import annotations

import argparse
import platform
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core import redact, text

JA = (
    "承認フローでは担当者がgen-itgcの設定を確認し、マネージャーが承認する。"
    "サーバーの再起動は金曜日を避けて実施することに決めました。SAML2.0 の設定値は config/auth.yml に書く。"
)
EN = (
    "We deploy the service on Tuesdays only after the caching layer has been warmed and the smoke tests pass. "
    "Settings live in config/auth.yml; never edit them by hand, use `make settings` instead. "
)
# (what, function, characters, target in microseconds or None)
CASES: list[tuple[str, Callable[[str], object], int, int | None]] = [
    ("terms", text.terms, 300, 50),
    ("shingles", text.shingles, 1_000, 300),
    ("fold", text.fold, 1_000, None),
    ("normal_form", text.normal_form, 300, None),
    ("sentences", text.sentences, 1_000, None),
    ("language", text.language, 1_000, None),
    ("tokens", text.tokens, 1_000, None),
    ("redact", redact.redact, 300, None),
    ("find_span (absent)", lambda s: text.find_span("この引用はない", s), 1_000, None),
]


def microseconds(call: Callable[[], object]) -> float:
    rounds = 200
    return min(timeit.repeat(call, number=rounds, repeat=5)) / rounds * 1e6


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(
        f"Python {platform.python_version()} on {platform.machine()}, {platform.processor() or platform.system()}"
    )
    print(f"{'':20} {'characters':>10} {'ja µs':>8} {'en µs':>8} {'target':>8}")
    for name, function, size, target in CASES:
        times = []
        for sample in (JA, EN):
            part = (sample * (size // len(sample) + 1))[:size]
            times.append(microseconds(lambda f=function, p=part: f(p)))  # type: ignore[misc]
        print(f"{name:20} {size:>10} {times[0]:>8.0f} {times[1]:>8.0f} {target or '':>8}")


if __name__ == "__main__":
    main()
