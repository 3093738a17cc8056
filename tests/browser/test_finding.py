"""Finding: each filter lives in the address, each order is kept, and the other two places lead back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from core.models import Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate, Memory
from memory.services.archive import archive_due
from tests import build
from tests.browser.conftest import Open
from tests.browser.steps import order, rows
from tests.memory.seen import seen
from tests.review.scene import propose, remembered

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PNPM, TUESDAY, LOKI, CAT = (
    "Use pnpm, not npm.",
    "We deploy on Tuesdays.",
    "Logs go to Loki.",
    "The office has a cat.",
)


@pytest.fixture
def four(alice: User, shop: Namespace) -> None:
    """No two alike in what can be filtered or ordered: the newest was seen most, the surest is in the middle."""
    now, home = timezone.now(), persona_default(user=alice, now=timezone.now())
    propose(home, PNPM, confidence=0.6, days_ago=25)
    propose(shop, TUESDAY, kind="decision", confidence=0.9, days_ago=9)
    propose(home, LOKI, kind="fact", source="remember", confidence=0.3, days_ago=2)
    key = build.key(alice).key
    seen(key, home, CAT, at=now - timedelta(days=1), sessions=3, kind="event", confidence=0.7)


@pytest.mark.parametrize(
    ("label", "choice", "address", "found"),
    [
        ("Kind", "decision", "kind=decision", [TUESDAY]),
        ("Namespace", "workspace:shop", "namespace=", [TUESDAY]),
        ("Source", "remember", "source=remember", [LOKI]),
        ("Confidence", "low", "confidence=low", [LOKI]),
        ("Times seen", "3", "seen=3", [CAT]),
        ("Age", "7", "age=7", [PNPM, TUESDAY]),
        ("Search", "Loki", "q=Loki", [LOKI]),
    ],
)
def test_each_filter_is_an_address_that_another_window_understands(
    open_as: Open, alice: User, four: None, label: str, choice: str, address: str, found: list[str]
) -> None:
    page = open_as(alice)
    if label == "Search":
        page.get_by_label(label).fill(choice)
        page.keyboard.press("Enter")
    else:
        if label in ("Confidence", "Times seen", "Age"):
            page.get_by_text("More filters").click()
        page.get_by_label(label, exact=True).select_option(choice)
    page.wait_for_url(f"**{address}**")
    rows(page, len(found))
    assert order(page) == found
    page.goto(page.url)  # pasted into a new window: nothing but the address is left
    assert order(page) == found
    page.go_back()
    rows(page, 4)


def test_each_order_is_kept(open_as: Open, alice: User, four: None) -> None:
    page = open_as(alice)
    assert order(page) == [PNPM, TUESDAY, LOKI, CAT]
    for sort, expected in (
        ("newest", [CAT, LOKI, TUESDAY, PNPM]),
        ("seen", CAT),
        ("confidence", [TUESDAY, CAT, PNPM, LOKI]),
    ):
        page.get_by_label("Order").select_option(sort)
        page.wait_for_url(f"**sort={sort}**")
        rows(page, 4)
        assert (order(page)[0] if isinstance(expected, str) else order(page)) == expected


def test_memories_stand_by_namespace_and_are_edited_and_retired_there(
    open_as: Open, alice: User, shop: Namespace
) -> None:
    home = persona_default(user=alice, now=timezone.now())
    remembered(alice, home, PNPM)
    ours = remembered(alice, shop, TUESDAY)
    page = open_as(alice, reverse("memories"))
    for reference, text in (("persona:default", PNPM), ("workspace:shop", TUESDAY)):
        group = page.get_by_role("region", name=reference)
        expect(group.locator(".text")).to_have_text(text)
    page.get_by_role("link", name=TUESDAY).click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Text").fill("We deploy on Wednesdays.")
    page.get_by_role("button", name="Save").click()
    ours.refresh_from_db()
    assert ours.content == "We deploy on Wednesdays."
    page.get_by_role("button", name="No longer true").click()
    expect(page.locator("#toast")).not_to_be_empty()
    assert Memory.objects.get(pk=ours.pk).status == "superseded"


def test_what_was_archived_comes_back_with_a_new_clock(open_as: Open, alice: User, shop: Namespace) -> None:
    old = propose(shop, TUESDAY, days_ago=31)
    archive_due(now=timezone.now())
    page = open_as(alice, reverse("history"))
    page.get_by_role("button", name="Reopen").click()
    expect(page.locator("#toast")).to_contain_text("waits for review again")
    page.get_by_role("link", name="Review").first.click()
    expect(page.locator(f"#c-{old.pk} .age")).to_have_text("archives in 30 days")
    assert Candidate.objects.get(pk=old.pk).status == "pending"
