"""The hook program against the whole product: how long a person waits, and what is left after an outage.

    python -m benchmarks.hooks [--sessions 30] [--turns 20] [--events 1000] [--json OUT]

* Time: wall seconds of the program for each event of a simulated week (process start included), over loopback HTTP,
  with 1,000 approved memories in reach.
* Failures: the same, for each event, while the server refuses, is a black hole, answers 500 or nonsense, has no name.
* Outage: events spooled while the server is away, then replayed twice and out of order, must leave the rows that the
  same events leave online.
* Twin: the week through hooks must leave the candidates, choices and exposures of the same week through REST.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import product
from benchmarks.hook_week import TOOLS, Session, week
from integrations.simulate import Client, percentile

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BARS = {"UserPromptSubmit": 0.3}  # seconds, p95; every other event:
BAR = 0.15
FAILURE_BAR = 1.0  # the slowest of all
MEMORIES = 1_000
PATIENT = {"HIKAE_SECONDS": "30"}  # where rows are compared, a slow moment must not become an outage


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--events", type=int, default=1_000)
    parser.add_argument("--only", choices=["time", "failures", "outage", "twin"])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="hikae-hooks-"))
    found: dict[str, Any] = {"machine": product.machine(), "load": os.getloadavg()}
    try:
        with product.running() as hikae:
            connect(hikae)
            # Events are as old as the week began, and the candidates' clocks must not run out meanwhile.
            sessions = whole(given.sessions, given.turns)
            parts: dict[str, Callable[[], Any]] = {
                "time": lambda: times(hikae, root / "time", sessions),
                "failures": lambda: failures(root / "failures", sessions[0]),
                "outage": lambda: outage(hikae, root / "outage", sessions, given.events),
                "twin": lambda: twin(hikae, root / "twin", sessions),
            }
            for name, part in parts.items():
                if given.only in (None, name):
                    found[name] = part()
                    print(name, json.dumps(found[name], ensure_ascii=False, indent=1), flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"{found['machine']}; load at the beginning {found['load'][0]:.1f}, now {os.getloadavg()[0]:.1f}")
    if given.json:
        given.json.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")


def whole(sessions: int, turns: int) -> list[Session]:
    """The week of the issue, or a smaller one of the same mix."""
    share = sessions * turns / 600
    begins = datetime.now(UTC) - timedelta(days=6, hours=6)
    return list(
        week(
            sessions=sessions,
            turns=turns,
            compactions=max(1, round(20 * share)),
            questions=max(1, round(80 * share)),
            begins=begins,
        )
    )


def connect(hikae: product.Hikae) -> None:
    """This process speaks to the product's database, to make people and to look at rows."""
    from config.embedded import locate

    urls = locate.urls(hikae.data)
    os.environ |= {"HIKAE_DATA": str(hikae.data), "DATABASE_URL": urls.database, "REDIS_URL": urls.redis}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def somebody(name: str, memories: int = 0, about: Sequence[str] = ()) -> tuple[User, str]:
    """A person with a key, and approved memories in their persona: of ports, and of what the week speaks ``about``."""
    from django.utils import timezone

    from core.actor import Actor
    from memory.services.loading import memories_load
    from tests import build

    user = build.person(name)
    if memories:
        texts = [f"Service {number} runs on port {9000 + number}." for number in range(memories)]
        texts += [f"The version of {each} is pinned in the lock file." for each in about]
        texts += [f"{each} の設定ファイルはリポジトリの直下に置く。" for each in about]
        lines = [
            json.dumps(
                {"external_id": f"m{n}", "namespace": "persona:default", "kind": "fact", "content": text}
            )
            for n, text in enumerate(texts)
        ]
        report = memories_load(user=user, lines=lines, actor=Actor.operator("benchmarks"), now=timezone.now())
        assert report.created == len(texts), report
    return user, build.key(user).secret


def times(hikae: product.Hikae, root: Path, sessions: Sequence[Session]) -> dict[str, Any]:
    _user, secret = somebody("time", MEMORIES)
    client = Client(root, hikae.address, secret)
    taken: dict[str, list[float]] = defaultdict(list)
    for session in sessions:
        for played in client.play(session.steps):
            assert played.code == 0
            taken[played.event].append(played.seconds)
    table: dict[str, Any] = {name: row(values, BARS.get(name, BAR)) for name, values in taken.items()}
    table["left in the spool"] = len(client.spooled())
    return table


def row(values: Sequence[float], bar: float) -> dict[str, Any]:
    ms = {
        name: round(1000 * percentile(values, share))
        for name, share in (("p50", 0.5), ("p95", 0.95), ("max", 1.0))
    }
    return {"n": len(values), **ms, "bar_ms": round(1000 * bar), "held": ms["p95"] <= 1000 * bar}


def failures(root: Path, session: Session) -> dict[str, Any]:
    """The slowest of each event in each failure; a fresh machine each time, so that no earlier one is remembered."""
    steps = {str(step.event["hook_event_name"]): step for step in session.steps}
    found: dict[str, Any] = {}
    for name, url in ways():
        with url as address:
            seconds = []
            for place, step in enumerate([step for step in steps.values() for _ in range(3)]):
                client = Client(root / name.replace(" ", "-") / str(place), address, "hik_00000000_EXAMPLE")
                played = client.fire(step)
                assert played.code == 0
                seconds.append(played.seconds)
        worst = max(seconds)
        found[name] = {"n": len(seconds), "max_ms": round(1000 * worst), "held": worst <= FAILURE_BAR}
    return found


def ways() -> Iterator[tuple[str, Any]]:
    yield "refused", plain("http://127.0.0.1:9")
    yield "no such name", plain("http://hikae.invalid:8000")
    yield "black hole", plain("http://192.0.2.1:8000")
    yield "never answers", serving(b"", hold=3.0)
    yield "500", serving(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno")
    yield "bad JSON", serving(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{]")


@contextmanager
def plain(address: str) -> Iterator[str]:
    yield address


@contextmanager
def serving(answer: bytes, hold: float = 0.0) -> Iterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))

    def one(link: socket.socket) -> None:
        with link:
            link.recv(65_536)
            time.sleep(hold)
            link.sendall(answer)

    def take() -> None:
        while True:
            try:
                link, _peer = listening.accept()
            except OSError:
                return
            Thread(target=one, args=(link,), daemon=True).start()

    Thread(target=take, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def outage(hikae: product.Hikae, root: Path, sessions: Sequence[Session], events: int) -> dict[str, Any]:
    from benchmarks.hook_rows import outcome

    online_user, online_key = somebody("online")
    offline_user, offline_key = somebody("offline")
    online = Client(root / "online", hikae.address, online_key, environment=PATIENT)
    offline = Client(root / "offline", "http://127.0.0.1:9", offline_key)
    chosen: list[Session] = []
    for session in sessions:
        if sum(len(each.steps) for each in chosen) < events:
            chosen.append(session)
    for session in chosen:
        # Online a worker keeps up. Where it does not, a compaction reads turns together that were apart: no matter of
        # the outage, but it tells the rows of the two apart.
        for step in session.steps:
            if step.event["hook_event_name"] == "PreCompact":
                settle(hikae)
            online.fire(step)
            offline.fire(step)
        settle(hikae)
    waiting = [(path.name, path.read_bytes()) for path in offline.spooled()]
    time.sleep(2.5)
    offline.url = hikae.address
    random.Random(5).shuffle(waiting)
    for number, (name, data) in enumerate(waiting):
        (offline.home / "spool" / name).unlink()
        (offline.home / "spool" / f"{number:020d}-{name[21:]}").write_bytes(data)
    begun = time.perf_counter()
    drain(offline)
    seconds = time.perf_counter() - begun
    for name, data in waiting:
        (offline.home / "spool" / name).write_bytes(data)
    drain(offline)
    settle(hikae)
    wanted, left = outcome(online_user), outcome(offline_user)
    return {
        "events": len(waiting),
        "first replay, events a second": round(len(waiting) / seconds, 1),
        **same(wanted, left, ("said", "candidates", "choices", "compactions", "open")),
    }


def drain(client: Client) -> None:
    """The program's own flusher ends after two minutes; the next one goes on by itself."""
    until = time.monotonic() + 1_800
    while time.monotonic() < until:
        client.flush()
        if not client.spooled():
            return
        time.sleep(1)
    raise SystemExit(f"{len(client.spooled())} events still wait")


def twin(hikae: product.Hikae, root: Path, sessions: Sequence[Session]) -> dict[str, Any]:
    from benchmarks.hook_rows import outcome

    hooks_user, hooks_key = somebody("hooks", 50, about=TOOLS)
    rest_user, rest_key = somebody("rest", 50, about=TOOLS)
    embedded(hikae)  # else the first questions of one week are answered by words alone
    client = Client(root, hikae.address, hooks_key, environment=PATIENT)
    for session in sessions:
        for played in client.play(session.steps):
            assert played.code == 0
        settle(hikae)
    drain(client)
    for session in sessions:
        through_rest(hikae, rest_key, session)
        settle(hikae)
    settle(hikae)
    wanted, left = outcome(rest_user), outcome(hooks_user)
    return same(wanted, left, ("candidates", "choices", "exposures", "compactions", "said"))


def through_rest(hikae: product.Hikae, key: str, session: Session) -> None:
    import httpx2

    with httpx2.Client(
        base_url=f"{hikae.address}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60
    ) as client:
        for call in session.calls:
            inside: dict[str, Any] = (
                {"params": dict(call.body)} if call.method == "GET" else {"json": dict(call.body)}
            )
            client.request(call.method, call.path, **inside).raise_for_status()


def embedded(hikae: product.Hikae) -> None:
    """Until every memory has its vector."""
    until = time.monotonic() + 120
    while hikae.query("SELECT count(*) FROM memory_memoryindex WHERE vector_space = ''")[0][0]:
        if time.monotonic() > until:
            raise SystemExit("memories without a vector are left")
        time.sleep(0.2)


def settle(hikae: product.Hikae) -> None:
    """Until nothing is left to scan."""
    until = time.monotonic() + 900
    while time.monotonic() < until:
        left = hikae.query(
            "SELECT (SELECT count(*) FROM transcripts_turn"
            "  WHERE closed_at IS NOT NULL AND scan_state IN ('waiting', 'leased'))"
            " + (SELECT count(*) FROM transcripts_compaction WHERE scan_state IN ('waiting', 'leased'))"
        )[0][0]
        if not left:
            return
        time.sleep(0.5)
    raise SystemExit(f"{left} scans did not end")


def same(wanted: dict[str, list[Any]], left: dict[str, list[Any]], parts: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        equal = wanted[part] == left[part]
        found[part] = {"n": len(wanted[part]), "same": equal}
        if not equal:
            strings = [{str(each) for each in rows[part]} for rows in (wanted, left)]
            found[part] |= {"missing": len(strings[0] - strings[1]), "more": len(strings[1] - strings[0])}
            found[part]["for example"] = sorted(strings[0] ^ strings[1])[:3]
    return found


if __name__ == "__main__":
    main()
