"""Insights: what became of proposals, what agents were given, whether work flows; each person sees their own."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from core.models import AgentKey, Namespace
from core.scope import Scope
from memory.models import Extraction
from memory.recall.serve import Ask, recall_for_key
from memory.services.budget import budget_reserve
from memory.services.gate import candidate_approve, candidate_reject
from review.selectors import insights as found
from review.selectors.machinery import machinery_of, meters_of
from tests import build
from tests.review.scene import propose, remembered, share, signed_in
from transcripts.models import ScanState, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(key: AgentKey) -> Namespace:
    workspace = build.session(key).workspace
    assert workspace is not None
    return workspace


def page(user: User, **query: str) -> str:
    return signed_in(user).get(reverse("insights"), query).content.decode()


def decide(user: User, home: Namespace) -> None:
    """Three proposals of scans and one asked for: approved, refused, waiting; and approved."""
    now = timezone.now()
    first, second, _third = (propose(home, f"Rule {n} holds for the {n}th service.") for n in range(3))
    asked = propose(home, "Answer in short sentences.", source="remember")
    candidate_approve(candidate_id=first.pk, version=first.version, user=user, now=now)
    candidate_reject(candidate_id=second.pk, version=second.version, user=user, now=now)
    candidate_approve(candidate_id=asked.pk, version=asked.version, user=user, now=now)


def test_each_proposal_counts_in_its_week_as_what_it_is_now(alice: User, home: Namespace) -> None:
    decide(alice, home)
    propose(home, "An older rule about the harbour crane.", days_ago=15)
    propose(home, "Long before anybody asked for it.", days_ago=120)
    columns = found.gate_by_week(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert len(columns) == found.WEEKS
    assert [each.monday.weekday() for each in columns] == [0] * found.WEEKS
    assert {name: found.total(columns, name) for name in ("approved", "rejected", "waiting")} == {
        "approved": 2,
        "rejected": 1,
        "waiting": 2,
    }
    assert sum(columns[-1].counts.values()) == 4
    assert sum(columns[-3].counts.values()) + sum(columns[-4].counts.values()) == 1


def test_ways_in_are_judged_by_what_people_made_of_them(alice: User, home: Namespace) -> None:
    decide(alice, home)
    turn, remember = found.gate_by_source(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert (turn.source, turn.proposed, turn.waiting, turn.share) == ("turn", 3, 1, 0.5)
    assert (remember.source, remember.proposed, remember.share) == ("remember", 1, 1.0)


def test_a_way_in_about_which_nobody_decided_has_no_share(alice: User, home: Namespace) -> None:
    propose(home)
    (only,) = found.gate_by_source(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert only.share is None
    assert found.hours_to_decide(user=alice, scope=Scope.of([home.pk]), now=timezone.now()) is None


def test_the_time_to_a_decision_is_the_middle_one(alice: User, home: Namespace) -> None:
    now = timezone.now()
    for hours in (1, 10, 100):
        made = propose(home, f"Waits for {hours} hours before the harbour opens.", days_ago=hours / 24)
        candidate_approve(candidate_id=made.pk, version=made.version, user=alice, now=now)
    said = found.hours_to_decide(user=alice, scope=Scope.of([home.pk]), now=now)
    assert said == pytest.approx(10, abs=0.1)
    assert "waited less than 10 hours" in page(alice)


def test_what_agents_recalled_is_counted_and_named(alice: User, key: AgentKey, home: Namespace) -> None:
    kept = remembered(alice, home, "Use pnpm, not npm.")
    for _again in range(2):
        recall_for_key(agent_key=key, ask=Ask("pnpm", session="s1"), now=timezone.now())
    often, different = found.recalled_most(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert [(each.memory.pk, each.times) for each in often] == [(kept.pk, 2)]
    assert different == 1
    columns = found.shown_by_week(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert found.total(columns, "recall") == 2
    assert found.total(columns, "tokens") > 0
    assert "recalled 2 times" in page(alice)


def test_what_scans_left_out_is_listed_with_its_reason(alice: User, key: AgentKey, home: Namespace) -> None:
    turn = build.turn(key, "hello")
    for dropped in ({"no_quote": 2}, {"no_quote": 1, "suppressed": 1}, {}):
        Extraction.objects.create(
            session=turn.session, turn=turn, outcome="done", dropped=dropped, started_at=timezone.now()
        )
    Extraction.objects.create(session=turn.session, turn=turn, outcome="failed", started_at=timezone.now())
    said = found.scans_of(user=alice, scope=Scope.of([home.pk]), now=timezone.now())
    assert (said.runs, said.failed, said.left_out) == (4, 1, {"no_quote": 3, "suppressed": 1})
    assert "its quote does not stand in the message" in page(alice)


def test_a_late_scan_and_a_dead_one_show(alice: User, key: AgentKey, home: Namespace) -> None:
    now = timezone.now()
    late, dead = build.turn(key, "first"), build.turn(key, "second", name="t2")
    Turn.objects.filter(pk=late.pk).update(scan_state=ScanState.WAITING, due_at=now - timedelta(minutes=7))
    Turn.objects.filter(pk=dead.pk).update(scan_state=ScanState.DEAD)
    said = machinery_of(user=alice, scope=Scope.of([home.pk]), now=now)
    assert (said.due, said.late, said.dead, said.dead_session) == (1, True, 1, dead.session)
    shown = page(alice)
    assert "the oldest for 7" in shown
    assert reverse("session", args=[dead.session_id]) in shown


def test_the_meter_shows_what_the_day_has_cost(alice: User, home: Namespace, settings: Settings) -> None:
    settings.LLM_DAILY_TOKENS = 1_000
    now = timezone.now()
    budget_reserve(namespace=home, tokens=700, now=now)
    budget_reserve(namespace=home, tokens=700, now=now)  # refused
    budget_reserve(namespace=home, tokens=50, now=now - timedelta(days=2))
    (meter,) = meters_of(user=alice, scope=Scope.of([home.pk]), now=now)
    assert (meter.today, meter.refused, meter.month, meter.limit) == (700, 1, 750, 1_000)
    assert "1 call refused" in page(alice)


def test_without_a_model_the_page_says_that_nothing_costs(alice: User) -> None:
    assert "No language model is set up" in page(alice)


def test_one_namespace_can_be_looked_at_alone(alice: User, home: Namespace) -> None:
    propose(home)
    other = build.workspace(alice, "other")
    assert "Nothing was proposed in this time." in page(alice, namespace=str(other.pk))
    assert "Nothing was proposed in this time." not in page(alice, namespace=str(home.pk))


def test_a_stranger_sees_nothing_of_it_even_by_its_address(
    alice: User, bob: User, key: AgentKey, home: Namespace
) -> None:
    decide(alice, home)
    recall_for_key(agent_key=key, ask=Ask("rule", session="s1"), now=timezone.now())
    scope, now = Scope.of([home.pk]), timezone.now()
    assert not any(each.counts for each in found.gate_by_week(user=bob, scope=scope, now=now))
    assert not any(each.counts for each in found.shown_by_week(user=bob, scope=scope, now=now))
    assert found.gate_by_source(user=bob, scope=scope, now=now) == []
    assert found.scans_of(user=bob, scope=scope, now=now).runs == 0
    assert found.recalled_most(user=bob, scope=scope, now=now) == ([], 0)
    assert meters_of(user=bob, scope=scope, now=now) == []
    assert machinery_of(user=bob, scope=scope, now=now).due == 0
    assert "Nothing was proposed in this time." in page(bob, namespace=str(home.pk))


def test_a_member_sees_the_queue_of_the_namespace_but_nobody_elses_conversations(
    alice: User, bob: User, key: AgentKey, home: Namespace
) -> None:
    share(home, alice, bob, "reader")
    decide(alice, home)
    build.turn(key, "hello")
    scope, now = Scope.of([home.pk]), timezone.now()
    assert found.total(found.gate_by_week(user=bob, scope=scope, now=now), "approved") == 2
    assert found.scans_of(user=bob, scope=scope, now=now).runs == 0
    assert machinery_of(user=bob, scope=scope, now=now).due == 0


def test_the_page_costs_the_same_for_few_and_for_many(
    alice: User, home: Namespace, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(alice)
    client.get(reverse("insights"))
    with django_assert_max_num_queries(40) as few:
        client.get(reverse("insights"))
    for number in range(30):
        propose(home, f"Rule {number} holds for the harbour crane {number}.", days_ago=number)
    with django_assert_max_num_queries(len(few)):
        client.get(reverse("insights"))


def test_the_page_stands_empty_for_somebody_new(client: Client) -> None:
    assert "No agent has asked for a recommendation" in page(build.person("new"))
    assert client.get(reverse("insights")).status_code == 302
