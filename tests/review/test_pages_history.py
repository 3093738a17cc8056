"""The History page: proposals beside candidates, each with its way back, and whole acts too."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import DataError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AgentKey, Namespace
from knowledge.models import Proposal
from memory.models import Candidate, Memory
from memory.services.memories import memory_delete
from review.models import Act
from review.selectors.history import HistoryFilter, decided
from review.selectors.paging import Cursor
from review.selectors.queue import tally, waiting_count
from review.services import acts
from tests import build
from tests.review.scene import propose, remembered, reported, signed_in

pytestmark = pytest.mark.django_db

HISTORY = "/settings/memory/history/"


@pytest.fixture
def browser_of_alice(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def memory(alice: User, shop: Namespace) -> Memory:
    return remembered(alice, shop, "The port is 8080.", kind="fact")


def refs(*rows: Candidate | Proposal | Memory) -> list[acts.ItemRef]:
    return [acts.ItemRef(row.pk, row.version) for row in rows]


def test_a_decided_proposal_stands_in_history_and_can_be_taken_back(
    browser_of_alice: Client, alice: User, key: AgentKey, memory: Memory
) -> None:
    filed = reported(key, memory, "That server is gone.")
    acts.act_accept(user=alice, items=refs(filed), now=timezone.now())
    shown = browser_of_alice.get(HISTORY).content.decode()
    assert "That server is gone." in shown
    assert shown.index("That server is gone.") < shown.index(
        reverse("candidate", args=[memory.candidates.get().pk])
    )
    filed.refresh_from_db()
    answer = browser_of_alice.post(
        reverse("proposal-reopen", args=[filed.pk]), {"version": filed.version, "next": HISTORY}
    )
    assert answer.headers["Location"] == HISTORY
    memory.refresh_from_db()
    assert memory.status == "active"
    assert "That server is gone." not in browser_of_alice.get(HISTORY).content.decode()


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        ({"outcome": "accepted"}, False),
        ({"outcome": "refused"}, True),
        ({"outcome": "rejected"}, False),
        ({"by": "me"}, True),
        ({"by": "clock"}, False),
        ({"q": "no longer so"}, True),
        ({"q": "8080"}, True),
        ({"q": "pnpm"}, False),
        ({"kind": "fact"}, False),
    ],
)
def test_filters_know_proposals(
    browser_of_alice: Client,
    alice: User,
    key: AgentKey,
    memory: Memory,
    wanted: dict[str, str],
    there: bool,
) -> None:
    filed = reported(key, memory, "It is no longer so.")
    acts.act_refuse(user=alice, items=refs(filed), now=timezone.now(), reason="wrong")
    shown = browser_of_alice.get(HISTORY, wanted).content.decode()
    assert (reverse("proposal", args=[filed.pk]) in shown) is there


def test_a_stranger_sees_neither(alice: User, key: AgentKey, memory: Memory) -> None:
    acts.act_refuse(user=alice, items=refs(reported(key, memory, "Gone.")), now=timezone.now())
    shown = signed_in(build.person("bob")).get(HISTORY).content.decode()
    assert "Gone." not in shown
    assert "8080" not in shown


def test_pages_of_both_kinds_leave_nothing_out_and_show_nothing_twice(
    alice: User, shop: Namespace, key: AgentKey
) -> None:
    start = timezone.now()
    wanted: list[object] = []
    for number in range(7):
        memory = remembered(
            alice, shop, f"Service number {number} listens on port {9000 + number}.", kind="fact"
        )
        filed = reported(key, memory, f"Number {number} is gone.")
        # Two of the same moment: their order must not depend on the page.
        acts.act_refuse(user=alice, items=refs(filed), now=start + timedelta(minutes=number // 2))
        waiting = propose(shop, f"Team number {number} sits on floor {number}.", kind="fact")
        acts.act_reject(user=alice, items=refs(waiting), now=start + timedelta(minutes=number // 2))
        wanted += [filed.pk, waiting.pk, memory.candidates.get().pk]
    seen: list[object] = []
    after: Cursor | None = None
    for _turn in range(12):
        found = decided(user=alice, wanted=HistoryFilter(), after=after, size=2)
        seen += [row.pk for row in found.rows]
        after = Cursor.parse(found.next)
        if after is None:
            break
    assert len(seen) == len(set(seen)) == 21
    assert set(seen) == set(wanted)
    whole = decided(user=alice, wanted=HistoryFilter(), after=None).rows
    assert [row.pk for row in whole] == seen


def test_an_act_over_many_is_taken_back_from_history_as_a_whole(
    browser_of_alice: Client, alice: User, shop: Namespace
) -> None:
    rows = [propose(shop, text, kind="fact") for text in ("Logs go to Loki.", "CI runs on Buildkite.")]
    acts.act_reject(user=alice, items=refs(*rows), now=timezone.now())
    shown = browser_of_alice.get(HISTORY).content.decode()
    act = Act.objects.get()
    assert shown.count(f'name="act" value="{act.pk}"') == 1
    browser_of_alice.post(reverse("undo"), {"act": str(act.pk), "next": HISTORY})
    assert set(Candidate.objects.values_list("status", flat=True)) == {"pending"}


def test_every_count_of_what_waits_is_the_same(
    browser_of_alice: Client, alice: User, shop: Namespace, key: AgentKey, memory: Memory
) -> None:
    propose(shop, "Logs go to Loki.", kind="fact")
    reported(key, memory, "That server is gone.")
    gone = remembered(alice, shop, "The office has a cat.", kind="fact")
    reported(key, gone, "No cat any more.")
    now = timezone.now()
    # Until the nightly sweep withdraws it, an open proposal about an erased memory waits for nobody.
    memory_delete(memory_id=gone.pk, version=gone.version, user=alice, now=now)
    counts = tally(user=alice, now=now, today=now, archive_days=30)
    assert (counts.pending, counts.proposals, counts.total) == (1, 1, 2)
    assert waiting_count(user=alice) == 2
    for where in ("/settings/memory/", HISTORY, reverse("memories")):
        assert '<b id="nav-count">2</b>' in browser_of_alice.get(where).content.decode(), where
    assert "<title>(2) " in browser_of_alice.get("/settings/memory/").content.decode()


def test_what_needs_attention_offers_to_try_again_and_does(
    browser_of_alice: Client, shop: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_kwargs: object) -> None:
        raise DataError("value out of range")

    waiting = propose(shop, "Logs go to Loki.", kind="fact")
    with monkeypatch.context() as broken:
        broken.setattr("memory.services.promotion.index_memory", refused)
        browser_of_alice.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 1})
    waiting.refresh_from_db()
    shown = browser_of_alice.get("/settings/memory/").content.decode()
    button = shown[shown.index('data-act="approve"') :].partition("</button>")[0]
    assert "Try again" in button
    assert "disabled" not in button
    browser_of_alice.post(reverse("candidate-approve", args=[waiting.pk]), {"version": waiting.version})
    waiting.refresh_from_db()
    assert (waiting.status, waiting.error) == ("approved", "")


def test_retiring_a_memory_offers_undo(browser_of_alice: Client, memory: Memory) -> None:
    form = {"version": memory.version, "reason": "outdated"}
    answer = browser_of_alice.post(reverse("memory-retire", args=[memory.pk]), form, follow=True)
    act = Act.objects.get(verb="retire")
    assert f'name="act" value="{act.pk}"' in answer.content.decode()
    memory.refresh_from_db()
    assert memory.status == "superseded"
    said = browser_of_alice.post(reverse("undo"), {"act": str(act.pk)}, follow=True).content.decode()
    assert "agents recall it again" in said
    memory.refresh_from_db()
    assert memory.status == "active"


def test_undo_leaves_a_memory_alone_that_somebody_touched(
    browser_of_alice: Client, alice: User, memory: Memory
) -> None:
    acts.act_retire(user=alice, items=refs(memory), reason="wrong", now=timezone.now())
    Memory.objects.filter(pk=memory.pk).update(version=9)
    said = browser_of_alice.post(reverse("undo"), follow=True).content.decode()
    assert "Nothing was restored." in said
    assert "left alone" in said
    memory.refresh_from_db()
    assert memory.status == "retracted"


def test_a_retirement_that_lost_the_race_is_told_who(browser_of_alice: Client, memory: Memory) -> None:
    where = reverse("memory-retire", args=[memory.pk])
    browser_of_alice.post(where, {"version": 1, "reason": "wrong"})
    late = browser_of_alice.post(where, {"version": 1, "reason": "wrong"})
    assert late.status_code == 409
    assert "alice" in late.content.decode()
    assert Act.objects.filter(verb="retire").count() == 1
