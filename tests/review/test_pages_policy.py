"""Auto-approve on its page: off, tried on the past, switched on by name alone, and off again by itself."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import Namespace
from memory.models import Candidate, ReviewPolicy
from tests import build
from tests.review.scene import propose, share, signed_in

pytestmark = pytest.mark.django_db

EASY = {"min_sessions": "1", "confidence": "80", "min_age_hours": "0", "kinds": ["preference"]}


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def rows(alice: User, shop: Namespace) -> list[Candidate]:
    """Two that a rule could let in, one of them rejected by a person; a third is not sure enough."""
    turn = build.turn(build.key(alice).key, "Use pnpm. Answer briefly. Tea, please.")
    made = [
        propose(shop, text, turn=turn, quote=text, confidence=sure)
        for text, sure in (("Use pnpm.", 0.95), ("Answer briefly.", 0.9), ("Tea, please.", 0.4))
    ]
    return made


def test_it_is_off_and_says_so(page: Client, shop: Namespace) -> None:
    said = page.get(reverse("policy", args=[shop.pk])).content.decode()
    assert "never switched on" in said
    assert not ReviewPolicy.objects.filter(enabled=True).exists()


def test_a_dry_run_counts_and_lists_what_people_refused(
    page: Client, shop: Namespace, rows: list[Candidate]
) -> None:
    page.post(reverse("candidate-reject", args=[rows[1].pk]), {"version": 1, "reason": "trivial"})
    answer = page.post(reverse("policy", args=[shop.pk]), {**EASY, "do": "try"})
    said = answer.content.decode()
    assert "this would have approved 2 candidates" in said
    assert "A person rejected 1 of them" in said
    rejected = said[said.index("list rejected") :]
    assert rejected.index("Answer briefly.") < rejected.index("</ul>")
    assert "Tea, please." not in said
    assert not ReviewPolicy.objects.exists()


@pytest.mark.parametrize(
    ("typed", "on"), [("", False), ("shoq", False), ("shop", True), ("workspace:shop", True)]
)
def test_switching_on_wants_the_name(page: Client, shop: Namespace, typed: str, on: bool) -> None:
    answer = page.post(reverse("policy", args=[shop.pk]), {**EASY, "do": "on", "typed_name": typed})
    assert ReviewPolicy.objects.filter(namespace=shop, enabled=True).exists() is on
    assert answer.status_code == (302 if on else 200)
    if on:
        page.post(reverse("policy", args=[shop.pk]), {**EASY, "do": "off"})
        assert not ReviewPolicy.objects.filter(enabled=True).exists()


def test_that_it_turned_itself_off_is_told_with_the_reason(page: Client, shop: Namespace) -> None:
    now = timezone.now()
    ReviewPolicy.objects.create(namespace=shop, enabled=False, disabled_at=now, disabled_reason="undone")
    assert "It turned itself off" in page.get(reverse("policy", args=[shop.pk])).content.decode()


@pytest.mark.parametrize("role", ["reviewer", "reader", "stranger"])
def test_owners_alone_may_switch(alice: User, shop: Namespace, role: str) -> None:
    bob = build.person("bob")
    if role != "stranger":
        share(shop, alice, bob, role)
    answer = signed_in(bob).post(
        reverse("policy", args=[shop.pk]), {**EASY, "do": "on", "typed_name": "shop"}
    )
    assert answer.status_code == (404 if role == "stranger" else 403)
    assert not ReviewPolicy.objects.exists()
