"""Many clients and many workers at once: each turn stored once, each scanned once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from time import monotonic
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from core.models import AgentKey, Namespace
from tests import build
from transcripts.inputs import MessageIn, TurnIn
from transcripts.models import AgentSession, Compaction, Message, Turn
from transcripts.selectors.windows import window_of
from transcripts.services import scans
from transcripts.services.compactions import compaction_accept
from transcripts.services.sessions import session_open

pytestmark = pytest.mark.django_db(transaction=True)
CLIENTS = 8
TURNS = 500
BATCH = 50


def together(work: Callable[[int], Any], count: int = CLIENTS) -> list[Any]:
    """Run `work` in `count` threads that start at the same moment; each leaves its connection closed."""
    barrier = Barrier(count)

    def run(number: int) -> Any:
        try:
            barrier.wait()
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def batches() -> list[list[TurnIn]]:
    turns = [
        TurnIn(
            f"s{n % 4}",
            f"t{n}",
            [MessageIn("user", f"Use tabs in file {n}."), MessageIn("assistant", f"Done with {n}.")],
            closed=True,
        )
        for n in range(TURNS)
    ]
    return [turns[start : start + BATCH] for start in range(0, TURNS, BATCH)]


def test_eight_clients_posting_the_same_turns_store_each_once(key: AgentKey) -> None:
    def post(_number: int) -> list[str]:
        return [stored.status for batch in batches() for stored in build.store(key, *batch).turns]

    outcomes = together(post)
    assert Turn.objects.count() == TURNS
    assert Message.objects.count() == 2 * TURNS
    assert AgentSession.objects.count() == 4
    counts = Counter(status for each in outcomes for status in each)
    assert counts == {"created": TURNS, "replayed": TURNS * (CLIENTS - 1)}


def test_many_workers_scan_each_turn_once_and_each_session_in_order(key: AgentKey) -> None:
    now = timezone.now()
    for number in range(4):
        build.session(key, f"s{number}")
    for batch in batches()[:4]:
        build.store(key, *batch, now=now)

    def work(_number: int) -> list[tuple[float, Any, int, list[int]]]:
        seen = []
        idle = 0
        while idle < 3:
            job = scans.claim(now=now)
            if job is None:
                idle += 1
                continue
            ids = window_of(job).in_scope_ids
            seen.append((monotonic(), job.session_id, job.id, ids))  # while the session is leased
            scans.finish(job, message_ids=ids, now=now)
        return seen

    scanned = [scan for each in together(work) for scan in each]
    # A worker may find every session taken for a moment and stop; whoever holds one goes on.
    scanned += work(0)
    assert len(scanned) == len({job for _at, _session, job, _ids in scanned}) == 4 * BATCH
    messages = [pk for *_rest, ids in scanned for pk in ids]
    assert len(messages) == len(set(messages)) == 8 * BATCH
    assert not Turn.objects.exclude(scan_state="done").exists()
    assert not Message.objects.filter(scanned_at=None).exists()
    for session in AgentSession.objects.all():
        order = [job for _at, owner, job, _ids in sorted(scanned) if owner == session.pk]
        assert order == sorted(order)
        assert session.scan_lease_token is None


def test_one_worker_wins_a_turn(key: AgentKey) -> None:
    build.session(key, "s1")
    build.turn(key, "Use tabs.")
    now = timezone.now()
    jobs = together(lambda _number: scans.claim(now=now))
    assert sum(job is not None for job in jobs) == 1


def test_a_session_opened_by_eight_clients_at_once_is_one(key: AgentKey) -> None:
    def opened(_number: int) -> Any:
        return build.session(key, "s1", workspace="api", fingerprints=["r:0123456789abcdef"]).pk

    assert len(set(together(opened))) == 1
    assert Namespace.objects.filter(type="workspace").count() == 1


def test_opening_and_posting_at_once_give_one_session_with_its_workspace(key: AgentKey) -> None:
    def work(number: int) -> None:
        if number % 2:
            build.turn(key, "Use tabs.")
        else:
            build.session(key, "s1", workspace="api")

    together(work)
    assert str(AgentSession.objects.get().workspace) == "workspace:api"
    assert Message.objects.count() == 1


def test_a_compaction_posted_by_eight_clients_at_once_is_one(key: AgentKey) -> None:
    def accept(_number: int) -> int:
        messages = [MessageIn("user", f"rule {n}") for n in range(20)]
        return compaction_accept(
            agent_key=key,
            session="s1",
            key=None,
            trigger="auto",
            through=None,
            messages=messages,
            now=timezone.now(),
        ).stored

    assert sorted(together(accept)) == [0] * 7 + [20]
    assert Message.objects.count() == 20
    assert Compaction.objects.count() == 1


def test_messages_that_arrive_while_a_turn_is_scanned_are_scanned_later(key: AgentKey) -> None:
    """Writers extend one turn while workers scan it: whatever the interleaving, nothing is lost or seen twice."""
    session_open(agent_key=key, key="s1", now=timezone.now())
    start: datetime = timezone.now()
    texts = [f"message {n}" for n in range(12)]

    def work(number: int) -> list[int]:
        if number == 0:
            for count in range(1, len(texts) + 1):
                build.turn(key, *texts[:count], now=start + timedelta(seconds=count))
            return []
        seen: list[int] = []
        for _attempt in range(40):
            job = scans.claim(now=start + timedelta(seconds=100))
            if job is not None:
                ids = window_of(job).in_scope_ids
                scans.finish(job, message_ids=ids, now=start + timedelta(seconds=100))
                seen += ids
        return seen

    seen = [pk for each in together(work, 4) for pk in each] + work(1)
    assert sorted(seen) == sorted(Message.objects.values_list("pk", flat=True))
    assert len(seen) == len(texts)
