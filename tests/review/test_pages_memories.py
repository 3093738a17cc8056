"""Memories and History: find, change, retire, restore, delete, take back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.actor import Actor
from core.models import Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate, Memory
from memory.services.archive import archive_due
from memory.services.gate import candidate_reject
from memory.services.loading import memories_load
from tests import build
from tests.review.scene import propose, remembered, share, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(alice: User) -> Namespace:
    return persona_default(user=alice, now=timezone.now())


def test_memories_stand_under_their_namespace(hers: Client, alice: User, home: Namespace) -> None:
    shop = build.workspace(alice, "shop")
    remembered(alice, home, "Answer briefly.")
    for number in range(12):
        remembered(alice, shop, f"Rule {number} of the shop holds.")
    groups = hers.get(reverse("memories")).context["groups"]
    assert [(str(group.namespace), group.count, len(group.rows)) for group in groups] == [
        ("persona:default", 1, 1),
        ("workspace:shop", 12, 10),
    ]
    whole = hers.get(reverse("memories"), {"namespace": str(shop.pk)})
    assert len(whole.context["rows"]) == 12


def test_filters_of_the_memories_page(hers: Client, alice: User, home: Namespace) -> None:
    remembered(alice, home, "Answer briefly.")
    wrong = remembered(alice, home, "The office is in Osaka.", kind="fact")
    hers.post(reverse("memory-retire", args=[wrong.pk]), {"version": 1, "reason": "wrong"})

    def found(**query: str) -> list[str]:
        groups = hers.get(reverse("memories"), query).context["groups"]
        return sorted(memory.content for group in groups for memory in group.rows)

    assert found() == ["Answer briefly."]
    assert found(status="retracted") == ["The office is in Osaka."]
    assert found(status="all", q="osaka") == ["The office is in Osaka."]
    assert found(kind="fact") == []
    assert found(actor="operator") == []


@pytest.mark.parametrize("count", [1, 20])
def test_many_namespaces_cost_no_more_queries(
    hers: Client, alice: User, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        remembered(alice, build.workspace(alice, f"w{number}"), f"Rule {number} holds.")
    with django_assert_num_queries(
        9
    ):  # session, user, namespaces, counts, rows, namespaces, settings, side bar
        hers.get(reverse("memories"))


def test_an_edit_keeps_the_former_text_in_view(hers: Client, alice: User, home: Namespace) -> None:
    memory = remembered(alice, home, "Use npm.")
    form = {"content": "Use pnpm.", "kind": "decision", "version": 1}
    said = hers.post(reverse("memory-edit", args=[memory.pk]), form, follow=True).content.decode()
    assert "Use pnpm." in said
    assert "Use npm." in said
    assert "Former texts" in said


def test_an_edit_of_a_changed_memory_keeps_what_was_typed(hers: Client, alice: User, home: Namespace) -> None:
    memory = remembered(alice, home, "Use npm.")
    hers.post(
        reverse("memory-edit", args=[memory.pk]), {"content": "Use yarn.", "kind": "fact", "version": 1}
    )
    late = {"content": "Use pnpm.", "kind": "fact", "version": 1}
    answer = hers.post(reverse("memory-edit", args=[memory.pk]), late)
    assert answer.status_code == 422
    assert "Use pnpm.</textarea>" in answer.content.decode()
    memory.refresh_from_db()
    assert memory.content == "Use yarn."


def test_retire_and_restore(hers: Client, alice: User, home: Namespace) -> None:
    memory = remembered(alice, home)
    said = hers.post(
        reverse("memory-retire", args=[memory.pk]), {"version": 1, "reason": "outdated"}, follow=True
    ).content.decode()
    assert "was true" in said
    hers.post(reverse("memory-restore", args=[memory.pk]), {"version": 2})
    memory.refresh_from_db()
    assert memory.status == "active"


def test_deleting_says_first_what_it_erases_and_then_does(hers: Client, alice: User, home: Namespace) -> None:
    memory = remembered(alice, home, "The code word is walnut.", kind="fact")
    address = reverse("memory-delete", args=[memory.pk])
    assert "nothing brings it back" in hers.get(address).content.decode()
    assert Memory.objects.filter(status="active").exists()
    hers.post(address, {"version": 1})
    said = hers.get(reverse("memory", args=[memory.pk])).content.decode()
    assert "walnut" not in said
    assert "The text was erased" in said
    assert "walnut" not in hers.get(reverse("memories"), {"status": "all"}).content.decode()
    assert "walnut" not in hers.get(reverse("history")).content.decode()


def test_a_reader_sees_a_memory_without_its_buttons(alice: User, home: Namespace) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reader")
    memory = remembered(alice, home)
    said = signed_in(bob).get(reverse("memory", args=[memory.pk])).content.decode()
    assert memory.content in said
    assert "Retire" not in said
    assert "persona:alice/default" in said


def test_what_an_operator_loaded_is_badged(hers: Client, alice: User, home: Namespace) -> None:
    line = (
        '{"external_id": "1", "namespace": "persona:default", "kind": "fact", "content": "Loaded by hand."}'
    )
    memories_load(user=alice, lines=[line], actor=Actor.operator("carol"), now=timezone.now())
    said = hers.get(reverse("memories"), {"actor": "operator"}).content.decode()
    assert "Loaded by hand." in said
    assert "operator&#x27;s load</span>" in said


def test_history_offers_the_way_back(hers: Client, alice: User, home: Namespace) -> None:
    yes = remembered(alice, home, "Answer briefly.").candidates.get()
    no = propose(home, "The office is in Osaka.", kind="fact")
    candidate_reject(candidate_id=no.pk, version=1, user=alice, now=timezone.now())
    old = propose(home, "Fridays are quiet.", kind="fact", days_ago=31)
    archive_due(now=timezone.now())
    for outcome, row in (("approved", yes), ("rejected", no), ("archived", old)):
        lines = hers.get(reverse("history"), {"outcome": outcome}).context["lines"]
        assert [line.candidate.pk for line in lines] == [row.pk]
        hers.post(reverse("candidate-reopen", args=[row.pk]), {"version": lines[0].candidate.version})
    assert Candidate.objects.filter(status="pending").count() == 3
    assert not Memory.objects.filter(status="active").exists()
    old.refresh_from_db()
    assert (timezone.now() - old.touched_at).days == 0


def test_the_timeline_tells_what_happened_in_order(hers: Client, alice: User, home: Namespace) -> None:
    waiting = propose(home, "Use npm.")
    form = {"content": "Use pnpm.", "kind": "fact", "namespace": str(home.pk), "version": 1}
    hers.post(reverse("candidate-edit", args=[waiting.pk]), form)
    hers.post(reverse("candidate-approve", args=[waiting.pk]), {"version": 2})
    events = hers.get(reverse("candidate", args=[waiting.pk])).context["events"]
    assert [event.verb for event in events] == ["candidate.approved", "candidate.edited", "candidate.created"]
    assert [event.actor_label for event in events][:2] == ["alice", "alice"]


def test_searching_as_agents_do_says_why_each_memory_came(hers: Client, alice: User) -> None:
    shop = build.workspace(alice, "shop")
    memory = remembered(alice, shop, "The staging database is Postgres 16.", kind="fact")
    said = hers.get(reverse("memories-search"), {"q": "which postgres does staging run?"}).content.decode()
    assert reverse("memory", args=[memory.pk]) in said
    assert "Why this one" in said
    assert "postgres" in said.lower()
    nothing = hers.get(reverse("memories-search"), {"q": "umbrella"}).content.decode()
    assert "An agent would get nothing" in nothing
    stranger = signed_in(build.person("carol"))
    foreign = stranger.get(reverse("memories-search"), {"q": "staging postgres", "namespace": str(shop.pk)})
    assert memory.content not in foreign.content.decode()


def test_former_texts_show_what_each_edit_changed(hers: Client, alice: User) -> None:
    memory = remembered(alice, build.workspace(alice, "shop"), "Use npm here.")
    form = {"version": memory.version, "content": "Use pnpm here.", "kind": memory.kind}
    hers.post(reverse("memory-edit", args=[memory.pk]), form)
    said = hers.get(reverse("memory", args=[memory.pk])).content.decode()
    assert "Use <ins>p</ins>npm here." in said
    assert "alice" in said
