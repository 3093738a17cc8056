"""Break the running product on purpose and count what is lost or double (design section 8, lessons row 4).

    python benchmarks/chaos.py [--turns 500] [--clients 8]

Starts the whole product with ``bin/up`` on a fresh data folder, twice. First with a slow scripted model: the worker is
killed with SIGKILL while it waits for an answer. Then with the rules: many clients post the same turns at once while
the worker is killed again and again, and Valkey once. Prints a table; exits 1 when anything is lost or double.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import product
from core.llm.scripted import ScriptedServer, says

PNPM = "We use pnpm here, not npm, because the lockfiles keep clashing."
LEASE_SECONDS = 120


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--turns", type=int, default=500)
    arguments.add_argument("--clients", type=int, default=8)
    options = arguments.parse_args()
    rows = [*_killed_while_waiting(), *_same_turns_at_once(options.turns, options.clients)]
    print(f"machine  {product.machine()}")
    for name, value, wanted in rows:
        print(f"{'ok ' if value == wanted else 'BAD'}  {name:<62} {value!s:>8}  (wanted {wanted})")
    raise SystemExit(any(value != wanted for _name, value, wanted in rows))


def _killed_while_waiting() -> list[tuple[str, Any, Any]]:
    """The worker dies in the middle of a model call; after the lease another does the work, once."""
    answers = [says({"memories": [], "requests": []}, wait=600)]
    memory = {
        "kind": "decision",
        "scope": "persona",
        "content": "We use pnpm here, not npm.",
        "evidence": "We use pnpm here, not npm",
        "message": 1,
        "confidence": 0.9,
    }
    with (
        ScriptedServer(answers, then=lambda _: says({"memories": [memory], "requests": []})) as model,
        product.running(EXTRACTOR="llm", LLM_BASE_URL=model.base_url, LLM_MODEL="scripted") as hikae,
    ):
        asyncio.run(_post_all(hikae, "kill", turns=1, clients=1))
        _wait(lambda: len(model.requests) >= 1, LEASE_SECONDS)
        killed = _kill_workers(hikae)
        counts = hikae.counts("kill")
        before = (counts["scans"], counts["unscanned"])
        started = time.monotonic()
        hikae.wait_until_scanned("kill", seconds=2 * LEASE_SECONDS)
        took = time.monotonic() - started
        counts = hikae.counts("kill")
        candidates = hikae.query("SELECT count(*), coalesce(max(times_seen), 0) FROM memory_candidate")[0]
    print(f"         the work of the killed worker was done after {took:.0f} s")
    return [
        ("kill -9 in mid-extraction: workers killed", killed > 0, True),
        ("  scans and waiting turns right after", before, (0, 1)),
        ("  scans and waiting turns in the end", (counts["scans"], counts["unscanned"]), (1, 0)),
        ("  candidates, times seen", candidates, (1, 1)),
    ]


def _same_turns_at_once(turns: int, clients: int) -> list[tuple[str, Any, Any]]:
    """Every client posts every turn; meanwhile workers and Valkey are killed."""

    async def run(hikae: product.Hikae) -> list[int]:
        trouble = asyncio.create_task(_trouble(hikae))
        statuses = await _post_all(hikae, "same", turns=turns, clients=clients)
        trouble.cancel()
        return statuses

    with product.running() as hikae:
        statuses = asyncio.run(run(hikae))
        ended = time.monotonic()
        drained = hikae.wait_until_scanned("same", seconds=4 * LEASE_SECONDS)
        counts = hikae.counts("same")
        twice = hikae.query(
            "SELECT count(*) FROM (SELECT turn_id FROM memory_extraction GROUP BY turn_id HAVING count(*) > 1) AS x"
        )[0][0]
        unread = hikae.query("SELECT count(*) FROM transcripts_message WHERE scanned_at IS NULL")[0][0]
    print(f"         drained {(drained or time.monotonic()) - ended:.0f} s after the last answer")
    return [
        (f"{clients} clients post the same {turns} turns, workers killed: failed", _failed(statuses), 0),
        ("  answered 201 (created)", statuses.count(201), turns),
        ("  answered 200 (replayed)", statuses.count(200), turns * (clients - 1)),
        ("  turns stored", counts["turns"], turns),
        ("  messages stored", counts["messages"], turns),
        ("  scans done", counts["scans"], turns),
        ("  turns scanned twice", twice, 0),
        ("  messages never scanned", unread, 0),
    ]


def _failed(statuses: list[int]) -> int:
    return sum(status not in (200, 201) for status in statuses)


async def _post_all(hikae: product.Hikae, name: str, *, turns: int, clients: int) -> list[int]:
    import httpx2

    async def client(number: int) -> list[int]:
        async with httpx2.AsyncClient(base_url=hikae.address, headers=hikae.headers, timeout=60) as http:
            order = [(turn + number * turns // clients) % turns for turn in range(turns)]
            return [(await http.post("/api/v1/turns/", json=_turn(name, turn))).status_code for turn in order]

    return [status for part in await asyncio.gather(*map(client, range(clients))) for status in part]


def _turn(name: str, number: int) -> dict[str, Any]:
    text = f"{PNPM} This is item {number}." if name == "same" else PNPM
    return {
        "session": f"{name}-{number % 20}",
        "key": f"t{number}",
        "messages": [{"role": "user", "text": text}],
    }


async def _trouble(hikae: product.Hikae) -> None:
    for round_ in range(1_000):
        await asyncio.sleep(3)
        _kill_workers(hikae)
        if round_ == 1:
            hikae.signal_valkey("KILL")


def _kill_workers(hikae: product.Hikae) -> int:
    pids = hikae.pids(r"celery .*worker.*extract|celery.*extract.*worker")
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return len(pids)


def _wait(true: Any, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.2)


if __name__ == "__main__":
    main()
