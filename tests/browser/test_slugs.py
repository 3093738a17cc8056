"""Names of notes are offered while somebody types "#": by keys, by pointer, for screen readers, and not needed."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from core.models import Namespace
from core.services.namespaces import persona_default
from knowledge.models import Knowledge
from tests.browser.conftest import Open
from tests.knowledge import make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(alice: User) -> Namespace:
    home = persona_default(user=alice, now=timezone.now())
    make.knowledge(home, alice, "deploy-checklist", title="本番デプロイの手順")
    make.knowledge(home, alice, "deploy-notes")
    make.knowledge(home, alice, "code-review")
    return home


@pytest.fixture
def page(open_as: Open, alice: User, home: Namespace) -> Page:
    return open_as(alice, reverse("summary", args=[home.pk]))


def test_a_name_is_chosen_by_keys_and_the_page_stays_readable(page: Page) -> None:
    area = page.locator("textarea[name=body]")
    area.press_sequentially("See #dep")
    options = page.locator(".slugs [role=option]")
    expect(options).to_have_count(2)
    expect(area).to_have_attribute("aria-activedescendant", "slugs-0-0")
    expect(page.locator(".completing [role=status]")).to_contain_text("Notes found: 2")
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found] == []
    area.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    area.press("ArrowUp")
    area.press("Enter")
    expect(area).to_have_value("See #deploy-checklist")
    expect(page.locator(".slugs")).to_be_hidden()
    expect(area).not_to_have_attribute("aria-controls", "slugs-0")


def test_escape_leaves_what_was_typed_and_enter_makes_a_line(page: Page) -> None:
    area = page.locator("textarea[name=body]")
    area.press_sequentially("See #code")
    expect(page.locator(".slugs [role=option]")).to_have_count(1)
    area.press("Escape")
    expect(page.locator(".slugs")).to_be_hidden()
    area.press("Enter")
    expect(area).to_have_value("See #code\n")


@pytest.mark.parametrize("typed", ["これは＃デプ", "は#deploy-c"])
def test_japanese_text_finds_notes_by_title_and_behind_letters(page: Page, typed: str) -> None:
    area = page.locator("textarea[name=body]")
    area.press_sequentially(typed)
    page.locator(".slugs [role=option]", has_text="deploy-checklist").click()
    expect(area).to_have_value(f"{typed.partition('#')[0].partition('＃')[0]}#deploy-checklist")
    expect(area).to_be_focused()


def test_headings_colours_in_words_and_addresses_are_left_alone(page: Page) -> None:
    area = page.locator("textarea[name=body]")
    for text in ("# ", "#", "issue#de", "## de", "https://x.example/#de"):
        area.fill("")
        area.press_sequentially(text)
        page.wait_for_timeout(250)
        expect(page.locator(".slugs")).to_be_hidden()


def test_a_word_that_no_note_has_offers_nothing(page: Page) -> None:
    area = page.locator("textarea[name=body]")
    area.press_sequentially("#de")
    expect(page.locator(".slugs [role=option]")).to_have_count(3)
    area.press_sequentially("zzz")
    expect(page.locator(".slugs")).to_be_hidden()
    area.press("Enter")
    expect(area).to_have_value("#dezzz\n")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_list_stays_on_the_screen(open_as: Open, alice: User, home: Namespace, width: int) -> None:
    page = open_as(alice, reverse("summary", args=[home.pk]), width=width)
    area = page.locator("textarea[name=body]")
    area.press_sequentially("a long line of words that ends near the right edge #de")
    expect(page.locator(".slugs")).to_be_visible()
    box = page.locator(".slugs").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_the_manual_memory_form_offers_names_too(open_as: Open, alice: User, home: Namespace) -> None:
    page = open_as(alice, reverse("memory-new"))
    page.locator("textarea[name=content]").press_sequentially("Before a release read #dep")
    expect(page.locator(".slugs [role=option]")).to_have_count(2)


def test_without_scripts_a_name_is_typed(
    open_as: Open, live_server: LiveServer, alice: User, home: Namespace
) -> None:
    page = open_as(alice, reverse("note-new", args=[home.pk]), scripts=False)
    page.fill("[name=title]", "Releases")
    page.fill("[name=description]", "Read it before a release.")
    page.fill("[name=body]", "See #deploy-checklist")
    page.click("button.primary")
    assert Knowledge.objects.get(slug="releases").body == "See #deploy-checklist"
