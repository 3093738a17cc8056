"""Load on POST turns/: latency, nothing lost, nothing double, with an optional broker outage half-way.

    python benchmarks/load.py [--rate 50] [--seconds 60] [--runs 3] [--outage none|stop|kill] [--json OUT]

Starts the whole product with ``bin/up`` on a fresh data folder (web, worker at nice 10, beat, PostgreSQL, Valkey),
sends turns with two messages of 300 characters from this same machine, and then waits until every turn is scanned.
``stop`` freezes Valkey for a third of the run (it accepts and never answers); ``kill`` ends it with SIGKILL.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import product

TEXTS = [
    "テストは pytest で書く。unittest は使わない。理由はフィクスチャの共有がしやすいから。",
    "From now on keep the changelog in English, one line for each change, newest first.",
    "the build failed again on the second job, can you look at the log and rerun it please",
    "さっきのエラー、スタックトレースをもう一度見せてもらえますか。原因を知りたいです。",
]


@dataclass
class Result:
    """One run. Times in milliseconds; ``drain`` in seconds after the last request."""

    sent: int
    failed: int
    p50: float
    p95: float
    p99: float
    worst: float
    turns: int
    messages: int
    scans: int
    unscanned: int
    drain: float


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rate", type=int, default=50)
    arguments.add_argument("--seconds", type=int, default=60)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--outage", choices=["none", "stop", "kill"], default="none")
    arguments.add_argument("--json", type=Path)
    options = arguments.parse_args()
    results: list[Result] = []
    with product.running() as hikae:
        asyncio.run(_send(hikae, "warm", rate=20, seconds=5))
        for run in range(options.runs):
            results.append(_run(hikae, f"run{run}", options))
    print(f"machine  {product.machine()}")
    print(f"load     {options.rate} requests/s for {options.seconds} s, outage: {options.outage}")
    names = list(asdict(results[0]))
    print("  ".join(f"{name:>9}" for name in names))
    for result in results:
        print("  ".join(f"{_short(value):>9}" for value in asdict(result).values()))
    print(f"median p95 {statistics.median(r.p95 for r in results):.1f} ms")
    if options.json:
        options.json.write_text(json.dumps([asdict(r) for r in results], indent=1), encoding="utf-8")


def _short(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.1f}"


def _run(hikae: product.Hikae, name: str, options: Any) -> Result:
    async def both() -> list[tuple[float, int]]:
        outage = asyncio.create_task(_outage(hikae, options))
        answers = await _send(hikae, name, rate=options.rate, seconds=options.seconds)
        await outage
        return answers

    answers = asyncio.run(both())
    ended = time.monotonic()
    drained = hikae.wait_until_scanned(prefix=name, seconds=300)
    took = sorted(milliseconds for milliseconds, _status in answers)
    counts = hikae.counts(prefix=name)
    return Result(
        sent=len(answers),
        failed=sum(status not in (200, 201) for _ms, status in answers),
        p50=took[len(took) // 2],
        p95=took[int(len(took) * 0.95)],
        p99=took[int(len(took) * 0.99)],
        worst=took[-1],
        turns=counts["turns"],
        messages=counts["messages"],
        scans=counts["scans"],
        unscanned=counts["unscanned"],
        drain=(drained or time.monotonic()) - ended,
    )


async def _outage(hikae: product.Hikae, options: Any) -> None:
    if options.outage == "none":
        return
    await asyncio.sleep(options.seconds / 3)
    if options.outage == "kill":
        hikae.signal_valkey("KILL")
        return
    hikae.signal_valkey("STOP")
    await asyncio.sleep(options.seconds / 3)
    hikae.signal_valkey("CONT")


async def _send(hikae: product.Hikae, name: str, *, rate: int, seconds: int) -> list[tuple[float, int]]:
    """Requests at a fixed rate (open loop: a slow answer does not slow the next request)."""
    import httpx2

    total = rate * seconds
    async with httpx2.AsyncClient(base_url=hikae.address, headers=hikae.headers, timeout=30) as client:
        started = time.monotonic()

        async def one(number: int) -> tuple[float, int]:
            await asyncio.sleep(max(0.0, started + number / rate - time.monotonic()))
            body = _turn(name, number)
            before = time.perf_counter()
            try:
                response = await client.post("/api/v1/turns/", json=body)
            except httpx2.HTTPError:
                return (time.perf_counter() - before) * 1000, 0
            return (time.perf_counter() - before) * 1000, response.status_code

        return await asyncio.gather(*(one(number) for number in range(total)))


def _turn(name: str, number: int) -> dict[str, Any]:
    said = f"{TEXTS[number % len(TEXTS)]} ({name} {number}) "
    return {
        "session": f"{name}-{number % 40}",
        "key": f"t{number}",
        "closed": True,
        "messages": [
            {"role": "user", "text": (said * 10)[:300]},
            {
                "role": "assistant",
                "text": (f"I looked at item {number} and here is what I found. " * 10)[:300],
            },
        ],
    }


if __name__ == "__main__":
    main()
