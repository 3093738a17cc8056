"""A memory that was moved alone takes the proposals about it along, or they are withdrawn."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from core.actor import Operator
from core.models import AuditEvent, Namespace
from core.services import audit
from core.services.operators import operator_for
from knowledge.models import Proposal
from knowledge.selectors.proposals import proposal_for
from knowledge.services.inbox import proposals_tidy
from knowledge.services.proposals import proposal_accept, proposal_file
from memory.models import Memory
from memory.services.memories import memory_edit
from tests import build
from tests.review.scene import remembered, reported

pytestmark = pytest.mark.django_db

TWINS = ("Logs go to Loki.", "We keep our logs in Grafana Loki.")


@pytest.fixture
def now() -> datetime:
    return timezone.now() + timedelta(minutes=1)


@pytest.fixture
def depot(alice: User) -> Namespace:
    return build.workspace(alice, "depot")


@pytest.fixture
def boss() -> Operator:
    return operator_for(
        user=User.objects.create_superuser("boss"), permission="memory.change_memory", reason="wrong place"
    )


def move(boss: Operator, memory: Memory, home: Namespace, now: datetime, content: str = "") -> None:
    memory.refresh_from_db()
    memory_edit(
        memory_id=memory.pk,
        version=memory.version,
        user=boss,
        content=content or memory.content,
        kind=memory.kind,
        namespace_id=home.pk,
        now=now,
    )


def merge(first: Memory, second: Memory, now: datetime) -> Proposal:
    kept, twin = ({"id": str(each.pk), "version": each.version} for each in (first, second))
    payload = {"keep": kept, "drop": [twin]}
    return proposal_file(
        namespace=first.namespace, kind="merge", payload=payload, reason="the same", now=now
    ).proposal


def test_a_report_follows_the_memory_and_can_be_accepted_there(
    alice: User, shop: Namespace, depot: Namespace, boss: Operator, now: datetime
) -> None:
    memory = remembered(alice, shop, "Logs go to Loki.", kind="fact")
    report = reported(build.key(alice).key, memory, "They go to Ceph.")
    move(boss, memory, depot, now)
    assert proposal_for(user=alice, proposal_id=report.pk).outdated
    assert proposals_tidy(now=now) == 1
    assert proposals_tidy(now=now) == 0
    report.refresh_from_db()
    assert report.namespace == depot
    assert not proposal_for(user=alice, proposal_id=report.pk).outdated
    event = AuditEvent.objects.get(object_id=str(report.pk), verb="proposal.moved")
    assert event.stream == audit.stream_of(depot.pk)
    proposal_accept(proposal_id=report.pk, version=report.version, user=alice, now=now)
    memory.refresh_from_db()
    assert memory.status == "retracted"
    assert audit.verify() == []


def test_new_words_are_not_what_was_proposed_about(
    alice: User, shop: Namespace, depot: Namespace, boss: Operator, now: datetime
) -> None:
    memory = remembered(alice, shop, "Logs go to Loki.", kind="fact")
    report = reported(build.key(alice).key, memory, "They go to Ceph.")
    move(boss, memory, depot, now, content="Logs go to Ceph.")
    proposals_tidy(now=now)
    report.refresh_from_db()
    assert report.namespace == depot
    assert proposal_for(user=alice, proposal_id=report.pk).outdated


def test_what_is_torn_between_two_places_is_withdrawn(
    alice: User, shop: Namespace, depot: Namespace, boss: Operator, now: datetime
) -> None:
    kept, twin = (remembered(alice, shop, text, kind="fact") for text in TWINS)
    proposal = merge(kept, twin, now)
    move(boss, twin, depot, now)
    proposals_tidy(now=now)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.namespace) == ("withdrawn", shop)


def test_both_moved_and_it_comes_along(
    alice: User, shop: Namespace, depot: Namespace, boss: Operator, now: datetime
) -> None:
    kept, twin = (remembered(alice, shop, text, kind="fact") for text in TWINS)
    proposal = merge(kept, twin, now)
    for memory in (kept, twin):
        move(boss, memory, depot, now)
    proposals_tidy(now=now)
    proposal.refresh_from_db()
    proposal_accept(proposal_id=proposal.pk, version=proposal.version, user=alice, now=now)
    assert Memory.objects.get(pk=twin.pk).superseded_by == kept
