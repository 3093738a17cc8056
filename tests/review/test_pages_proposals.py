"""Proposals and reports stand in the same queue as candidates, with the same acts and the same undo."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import AgentKey, Namespace
from knowledge.models import Proposal
from memory.models import Memory
from memory.services.memories import memory_edit
from tests.review.scene import propose, remembered, reported, signed_in

pytestmark = pytest.mark.django_db

REVIEW = "/settings/memory/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def memory(alice: User, shop: Namespace) -> Memory:
    return remembered(alice, shop, "The port is 8080.", kind="fact")


def test_a_report_waits_on_top_with_what_the_agent_says(
    page: Client, shop: Namespace, key: AgentKey, memory: Memory
) -> None:
    propose(shop, "Logs go to Loki.", kind="fact")
    reported(key, memory, "The server listens on 9090.", wanted="The port is 9090.")
    answer = page.get(REVIEW)
    said = answer.content.decode()
    assert said.index("The server listens on 9090.") < said.index("Logs go to Loki.")
    assert "It should say" in said
    assert answer.context["tally"].total == 2
    assert '<b id="nav-count">2</b>' in said
    assert not page.get(REVIEW, {"kind": "fact"}).context["proposals"]


def test_accepting_retires_and_undo_restores(page: Client, key: AgentKey, memory: Memory) -> None:
    filed = reported(key, memory, "That server is gone.")
    answer = page.post(reverse("proposal-accept", args=[filed.pk]), {"version": 1}, headers=HTMX)
    assert "Accepted" in answer.content.decode()
    assert "hikae:done" in answer.headers["HX-Trigger-After-Swap"]
    memory.refresh_from_db()
    assert memory.status == "retracted"
    page.post(reverse("undo"))
    memory.refresh_from_db()
    assert memory.status == "active"
    assert Proposal.objects.get().state == "open"


def test_a_report_can_correct_the_memory_in_ones_own_words(
    page: Client, key: AgentKey, memory: Memory
) -> None:
    filed = reported(key, memory, "The server listens on 9090.")
    shown = page.get(reverse("proposal", args=[filed.pk])).content.decode()
    assert "Correct the memory" in shown
    form = {"version": 1, "content": "The port is 9090 since May."}
    page.post(reverse("proposal-accept", args=[filed.pk]), form)
    memory.refresh_from_db()
    assert (memory.status, memory.content) == ("active", "The port is 9090 since May.")


def test_refusing_leaves_everything_and_can_be_taken_back(
    page: Client, key: AgentKey, memory: Memory
) -> None:
    filed = reported(key, memory, "Nonsense.")
    page.post(reverse("proposal-refuse", args=[filed.pk]), {"version": 1})
    memory.refresh_from_db()
    assert memory.status == "active"
    assert page.get(REVIEW).context["tally"].total == 0
    filed.refresh_from_db()
    page.post(reverse("proposal-reopen", args=[filed.pk]), {"version": filed.version})
    assert page.get(REVIEW).context["tally"].total == 1


def test_what_was_changed_since_can_only_be_refused(
    page: Client, alice: User, key: AgentKey, memory: Memory
) -> None:
    filed = reported(key, memory, "The server listens on 9090.")
    memory_edit(
        memory_id=memory.pk,
        version=memory.version,
        user=alice,
        content="The port is 8081.",
        kind="fact",
        now=timezone.now(),
    )
    assert "it can only be refused" in page.get(REVIEW).content.decode()
    answer = page.post(reverse("proposal-accept", args=[filed.pk]), {"version": 1}, headers=HTMX)
    assert "was changed after this was proposed" in answer.content.decode()
    assert Memory.objects.get(pk=memory.pk).content == "The port is 8081."
