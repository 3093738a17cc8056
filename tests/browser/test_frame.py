"""For everyone: narrow screens, the keyboard, languages, and the way in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from core.services.sign_in import sign_in_link_create
from tests import build
from tests.browser.conftest import Open
from tests.browser.furnished import furnished

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice() -> User:
    return furnished()[0]


def test_on_a_phone_the_acts_stand_in_a_bar_of_large_targets(open_as: Open, alice: User) -> None:
    page = open_as(alice, width=360, height=740)
    bar = page.locator(".row[aria-current] .acts")
    box = bar.bounding_box()
    assert box is not None
    assert round(box["y"] + box["height"]) == 740
    for button in bar.locator("button, a").all():
        size = button.bounding_box()
        assert size is not None
        assert size["height"] >= 44
        assert size["width"] >= 44
    small = page.evaluate(
        """[...document.querySelectorAll("button, .btn, nav a, select, input:not([type=hidden])")]
           .filter(e => e.checkVisibility())
           .map(e => e.type === "checkbox" ? e.closest("label") : e)
           .map(e => [e.textContent.trim() || e.name, e.getBoundingClientRect().height])
           .filter(([, height]) => height < 44)"""
    )
    assert small == []
    bar.locator("[data-act=reject]").click()
    expect(page.locator("#queue > .row")).to_have_count(3)
    expect(page.locator(".row[aria-current] .acts")).to_be_visible()


def test_the_keyboard_reaches_the_content_first(open_as: Open, alice: User) -> None:
    page = open_as(alice)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_language_changes_in_place(open_as: Open, alice: User) -> None:
    page = open_as(alice)
    page.get_by_role("button", name="日本語").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("レビュー")
    assert page.locator("html").get_attribute("lang") == "ja"
    page.get_by_role("link", name="記憶", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("記憶")


def test_times_are_the_readers_own(open_as: Open, alice: User) -> None:
    page = open_as(alice, reverse("sessions"))
    page.reload()  # the first answer came before the browser had said its zone
    shown = page.locator("main time").first.get_attribute("datetime")
    assert shown is not None
    assert shown.endswith("+09:00")


def test_a_link_signs_in_with_one_press(open_as: Open) -> None:
    bob = build.person("bob")
    token = sign_in_link_create(user=bob, now=timezone.now())
    page = open_as(None, reverse("sign-in-link", args=[token]))
    page.get_by_role("button", name="Sign in to Hikae").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    expect(page.get_by_text("Nothing has arrived yet")).to_be_visible()


def test_a_new_key_is_shown_once(open_as: Open, alice: User) -> None:
    page = open_as(alice, reverse("settings"))
    page.get_by_role("link", name="New key").click()
    page.get_by_label("Name", exact=True).fill("phone")
    page.get_by_role("button", name="Create the key").click()
    secret = page.locator("#secret").inner_text()
    assert secret.startswith("hik_")
    page.get_by_role("link", name="I have copied it").click()
    assert secret not in page.content()
    expect(page.get_by_role("row", name="phone")).to_contain_text("works")


def test_on_a_phone_the_page_one_is_on_stands_in_the_bar(open_as: Open, alice: User) -> None:
    for address in (reverse("review"), reverse("settings"), reverse("data")):
        page = open_as(alice, address, width=360, height=740)
        for bar in (".side nav", ".tabs"):
            expect(page.locator(f"{bar} [aria-current]").first).to_be_in_viewport(ratio=0.9)
