"""The admin site shows every table; it changes rows by the services alone (``test_admin_repairs``)."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.admin.look import LookOnly, ShortCount
from memory.models import Candidate
from memory.services.memories import memory_edit
from tests import build
from tests.review.scene import propose, remembered, reported

pytestmark = pytest.mark.django_db

OURS = ("core", "transcripts", "memory", "decisions", "knowledge", "review")


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("operator"))
    return client


def test_every_table_is_there_and_its_former_contents_stand_in_the_history() -> None:
    models = {model for room in OURS for model in apps.get_app_config(room).get_models()}
    left = {model.__name__ for model in models if model not in admin.site._registry}
    assert {name for name in left if not name.endswith("History")} == set()
    for model, site in admin.site._registry.items():
        if model._meta.app_label in OURS:
            kept = [each for each in models if each.__name__ == f"{model.__name__}History"]
            assert bool(getattr(site, "versions", "")) == bool(kept), model


def test_every_list_detail_and_history_opens_and_offers_no_change(operator: Client) -> None:
    alice = build.person("alice")
    key = build.key(alice).key
    build.session(key)
    turn = build.turn(key, "From now on use pnpm.", build.tool("the word is walnut"))
    propose(turn.session.home, "Use pnpm.", turn=turn, quote="use pnpm")
    reported(key, remembered(alice, turn.session.home, "Answer briefly."), "It is not so.")
    opened = 0
    for model, site in admin.site._registry.items():
        if model._meta.app_label not in OURS:
            continue
        assert isinstance(site, LookOnly), model
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for asked in ({}, {"q": "x"}, {"q": "0192d3a0-0000-7000-8000-000000000000"}):
            assert operator.get(reverse(f"{label}_changelist"), asked).status_code == 200, (label, asked)
        assert operator.get(reverse(f"{label}_add")).status_code == 403, label
        row = model._default_manager.first()
        if row is not None:
            detail = operator.get(reverse(f"{label}_change", args=[row.pk]))
            assert detail.status_code == 200, label
            assert 'name="_save"' not in detail.content.decode(), label
            assert operator.get(reverse(f"{label}_history", args=[row.pk])).status_code == 200, label
            for door in ("change", "delete"):
                answer = operator.post(reverse(f"{label}_{door}", args=[row.pk]), {"post": "yes"})
                assert answer.status_code == 403, (label, door)
            opened += 1
    assert opened >= 12


def test_history_shows_what_happened_and_what_it_held(operator: Client) -> None:
    alice = build.person("alice")
    memory = remembered(alice, build.workspace(alice), "The port is 8080.", kind="fact")
    memory_edit(
        memory_id=memory.pk,
        version=1,
        user=alice,
        content="The port is 9090.",
        kind="fact",
        reason="moved",
        now=timezone.now(),
    )
    shown = operator.get(reverse("admin:memory_memory_history", args=[memory.pk])).content.decode()
    for each in (
        "memory.created",
        "memory.edited",
        "The port is 8080.",
        "The port is 9090.",
        "alice",
        "moved",
    ):
        assert each in shown


def test_history_of_nothing_leads_to_the_start(operator: Client) -> None:
    for name in ("history", "change", "repair"):
        for pk in ("0192d3a0-0000-7000-8000-000000000000", "no-id"):
            assert operator.get(reverse(f"admin:memory_memory_{name}", args=[pk])).status_code == 302


def test_a_list_costs_the_same_for_many_rows(
    operator: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    shop = build.workspace(build.person("alice"), "shop")
    for number in range(30):
        propose(shop, f"Service number {number} listens on port {9000 + number}.", kind="fact")
    with django_assert_max_num_queries(9):
        listed = operator.get(reverse("admin:memory_candidate_changelist"))
    assert listed.content.decode().count("listens on port") >= 30


def test_counting_ends_where_nobody_turns_pages_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ShortCount, "MOST", 3)
    shop = build.workspace(build.person("alice"), "shop")
    for number in range(5):
        propose(shop, f"Service number {number} listens on port {9000 + number}.", kind="fact")
    pages = ShortCount(Candidate.objects.order_by("pk"), 2)
    assert (pages.count, pages.num_pages) == (3, 2)


def test_an_id_finds_its_row(operator: Client) -> None:
    alice = build.person("alice")
    wanted = propose(build.workspace(alice), "Use pnpm.")
    propose(build.persona(alice, "work"), "Answer briefly.")
    listed = operator.get(reverse("admin:memory_candidate_changelist"), {"q": str(wanted.pk)})
    assert "Use pnpm." in listed.content.decode()
    assert "Answer briefly." not in listed.content.decode()


def test_what_people_said_to_their_agents_is_not_shown(operator: Client) -> None:
    key = build.key(build.person("alice")).key
    turn = build.turn(key, "the word is walnut")
    message = build.messages(turn)[0]
    shown = operator.get(reverse("admin:transcripts_message_change", args=[message.pk])).content.decode()
    assert "walnut" not in shown


def test_a_browser_that_asks_for_an_icon_gets_ours(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["location"]) == (302, "/static/favicon.svg")


def test_a_member_without_staff_rights_gets_no_admin(client: Client) -> None:
    client.force_login(build.person("alice"))
    assert client.get("/admin/").status_code == 302


def test_staff_without_a_permission_see_nothing_and_with_one_that_table_alone(client: Client) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    client.force_login(clerk)
    alice = build.person("alice")
    memory = remembered(alice, build.workspace(alice))
    pages = [
        reverse("admin:memory_memory_changelist"),
        reverse("admin:memory_memory_change", args=[memory.pk]),
        reverse("admin:memory_memory_history", args=[memory.pk]),
    ]
    assert [client.get(page).status_code for page in pages] == [403, 403, 403]
    clerk.user_permissions.add(Permission.objects.get(codename="view_memory"))
    assert [client.get(page).status_code for page in pages] == [200, 200, 200]
    assert client.get(reverse("admin:memory_candidate_changelist")).status_code == 403
