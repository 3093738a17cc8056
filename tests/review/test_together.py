"""Several people and the clock decide at the same moment: nobody waits for ever, nothing looks broken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import Candidate
from memory.services import archive, gate
from review.services import acts
from tests import build
from tests.review.scene import propose, share

pytestmark = pytest.mark.django_db(transaction=True)
SOON = 2.0  # seconds; the other one is kept out by a lock for at least so long


def in_threads(*works: Callable[[], Any]) -> list[Any]:
    def run(work: Callable[[], Any]) -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [future.result() for future in [pool.submit(run, work) for work in works]]


def ref(candidate: Candidate) -> acts.ItemRef:
    return acts.ItemRef(candidate.pk, candidate.version)


def test_two_people_approve_in_two_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = build.person("alice"), build.person("bob")
    one, two = build.workspace(alice, "one"), build.workspace(alice, "two")
    for namespace in (one, two):
        share(namespace, alice, bob, "reviewer")
    hers = [propose(each, "The api listens on port 8041.", kind="fact") for each in (one, two)]
    his = [propose(each, "The queue holds 500 jobs.", kind="fact") for each in (two, one)]
    met, mine = threading.Barrier(2), threading.local()
    approve = gate.candidate_approve

    def after_the_first_wait_for_the_other(**what: Any) -> Any:
        made = approve(**what)
        if not getattr(mine, "waited", False):
            mine.waited = True
            with suppress(threading.BrokenBarrierError):
                met.wait(SOON)
        return made

    monkeypatch.setattr(gate, "candidate_approve", after_the_first_wait_for_the_other)
    results = in_threads(
        lambda: acts.act_approve(user=alice, items=[ref(each) for each in hers], now=timezone.now()),
        lambda: acts.act_approve(user=bob, items=[ref(each) for each in his], now=timezone.now()),
    )
    assert [len(result.done) for result in results] == [2, 2]
    assert set(Candidate.objects.values_list("status", flat=True)) == {"approved"}


def test_a_person_approves_while_the_clock_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    alice = build.person("alice")
    api = build.workspace(alice)
    oldest = propose(api, "The api listens on port 8041.", kind="fact", days_ago=40)
    newer = propose(api, "The queue holds 500 jobs.", kind="fact", days_ago=35)
    begun, approved = threading.Event(), threading.Event()
    put_away = archive._archive

    def then_wait_for_the_person(*what: Any) -> int:
        done = put_away(*what)
        begun.set()
        approved.wait(SOON)
        return done

    def approve() -> acts.ActResult:
        begun.wait(SOON)
        result = acts.act_approve(user=alice, items=[ref(newer)], now=timezone.now())
        approved.set()
        return result

    monkeypatch.setattr(archive, "_archive", then_wait_for_the_person)
    archived, act = in_threads(lambda: archive.archive_due(now=timezone.now()), approve)
    assert (archived, act.done) == (1, [newer.pk])
    oldest.refresh_from_db()
    assert oldest.status == "archived"
