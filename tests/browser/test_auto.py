"""Auto-approve in a real browser: off until its name is typed, tried first, and marked wherever it acted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.models import AgentKey, Namespace
from memory.models import Candidate, Memory, ReviewPolicy
from memory.services.gate import candidate_reject
from memory.services.policy import policy_run
from tests.browser.conftest import Open
from tests.browser.steps import rows
from tests.memory.seen import seen
from tests.review.scene import remembered

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _said_often(
    key: AgentKey, shop: Namespace, text: str, *, kind: str = "fact", days: float = 3
) -> Candidate:
    return seen(key, shop, text, at=timezone.now() - timedelta(days=days), kind=kind)


def _switch_on(page: Page, name: str = "shop") -> None:
    page.get_by_label("type the name of the namespace").fill(name)
    page.get_by_role("button", name="Switch on").click()


def test_nothing_is_approved_until_the_name_is_typed_and_heavy_kinds_stay_out(
    open_as: Open, alice: User, key: AgentKey, shop: Namespace
) -> None:
    light = _said_often(key, shop, "The office has a cat.")
    heavy = _said_often(key, shop, "We deploy on Tuesdays.", kind="decision")
    policy_run(now=timezone.now())
    assert not Memory.objects.exists()
    page = open_as(alice, reverse("policy", args=[shop.pk]))
    expect(page.get_by_text("never switched on")).to_be_visible()
    expect(page.get_by_label("decision")).not_to_be_checked()
    expect(page.get_by_label("postmortem")).not_to_be_checked()
    _switch_on(page, "shoq")
    expect(page.locator(".error, [aria-invalid=true]").first).to_be_visible()
    assert not ReviewPolicy.objects.filter(enabled=True).exists()
    _switch_on(page)
    expect(page.locator("#toast")).to_contain_text("Auto-approve is on")
    policy_run(now=timezone.now())
    assert [row.status for row in Candidate.objects.filter(pk__in=[light.pk, heavy.pk]).order_by("pk")] == [
        "approved",
        "pending",
    ]


def test_a_dry_run_says_how_many_and_lists_those_a_person_refused(
    open_as: Open, alice: User, key: AgentKey, shop: Namespace
) -> None:
    texts = ("The office has a cat.", "Logs go to Loki.", "CI runs on Buildkite.", "Backups go to Ceph.")
    made = [_said_often(key, shop, text, days=4 + number) for number, text in enumerate(texts)]
    _said_often(key, shop, "The lift is slow.", days=41)
    for row in made[:2]:
        candidate_reject(
            candidate_id=row.pk, version=row.version, user=alice, reason="trivial", now=timezone.now()
        )
    page = open_as(alice, reverse("policy", args=[shop.pk]))
    page.get_by_role("button", name="Try it on the last 30 days").click()
    told = page.get_by_role("status").filter(has_text="In the last 30 days")
    expect(told).to_contain_text("this would have approved 4 candidates")
    expect(told).to_contain_text("A person rejected 2 of them")
    refused = told.locator(".rejected .text")
    assert set(refused.all_inner_texts()) == set(texts[:2])
    assert not Memory.objects.exists()
    assert not ReviewPolicy.objects.filter(enabled=True).exists()


def test_what_it_let_in_has_a_badge_a_filter_and_the_same_undo(
    open_as: Open, alice: User, key: AgentKey, shop: Namespace
) -> None:
    auto = {"The office has a cat.", "Logs go to Loki."}
    for text in auto:
        _said_often(key, shop, text)
    remembered(alice, shop, "We deploy on Tuesdays.")
    page = open_as(alice, reverse("policy", args=[shop.pk]))
    _switch_on(page)
    expect(page.locator("#toast")).to_contain_text("Auto-approve is on")
    policy_run(now=timezone.now())

    page.get_by_role("link", name="Memories it let in").click()
    assert set(page.locator("main .list .text").all_inner_texts()) == auto
    expect(page.locator("main .list .chip", has_text="auto-approve")).to_have_count(2)
    page.get_by_label("Let in by").select_option("")
    page.wait_for_url(lambda url: "actor=policy" not in url)
    expect(page.locator("main .list .text")).to_have_count(3)
    expect(page.locator("main .list .chip", has_text="auto-approve")).to_have_count(2)

    page.get_by_role("link", name="Review").first.click()
    page.get_by_role("link", name="History").click()
    page.get_by_label("Decided by").select_option("policy")
    page.wait_for_url("**by=policy**")
    assert set(page.locator("main .list .text").all_inner_texts()) == auto
    expect(page.locator("main .list .chip", has_text="auto-approve")).to_have_count(2)
    page.locator("main .list > li", has_text="Loki").get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_contain_text("waits for review again")
    expect(page.locator("main .list > li")).to_have_count(1)
    assert Memory.objects.filter(status="active", actor="policy").get().content == "The office has a cat."

    policy_run(now=timezone.now())  # what a person has taken back stays that person's
    page.get_by_role("link", name="Review").first.click()
    rows(page, 1)
    expect(page.locator("#queue > .row .text")).to_have_text("Logs go to Loki.")
