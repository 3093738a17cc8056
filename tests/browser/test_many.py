"""Many at once in a real browser: picking, ranges, all that match, one undo; later, duplicates, reasons, news."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.models import Namespace
from memory.models import Candidate, Memory
from review.services.person import SettingsIn, person_settings_set
from tests import build
from tests.browser.conftest import Open
from tests.review.scene import propose, remembered

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = (
    "Answer in three sentences.",
    "The office has a cat.",
    "The staging database is Postgres 16.",
    "Logs go to Loki.",
    "CI runs on Buildkite.",
)


@pytest.fixture
def waiting(home: Namespace) -> list[Candidate]:
    return [propose(home, text, kind="fact", days_ago=9 - number) for number, text in enumerate(TEXTS)]


def _rows(page: Page, count: int) -> None:
    expect(page.locator("#queue > .row")).to_have_count(count)


def _has_focus(page: Page, candidate: Candidate) -> None:
    expect(page.locator(f"#c-{candidate.pk}")).to_be_focused()


def test_x_picks_and_one_key_decides_all_of_them(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    for key in ("x", "j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.locator("#bulk .picked")).to_have_text("3 selected")
    page.keyboard.press("a")
    _rows(page, 2)
    expect(page.locator("#toast")).to_contain_text("3 approved")
    assert Memory.objects.filter(status="active").count() == 3
    page.keyboard.press("u")
    _rows(page, 5)
    assert Candidate.objects.filter(status="pending").count() == 5


def test_shift_and_a_click_pick_a_range_and_escape_drops_it(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    boxes = page.locator("#queue .pick input")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    expect(page.locator("#bulk .picked")).to_have_text("4 selected")
    page.keyboard.press("Escape")
    expect(page.locator("#bulk .picked")).to_be_hidden()
    assert page.locator("#queue .pick input:checked").count() == 0


def test_all_that_match_are_those_of_now_and_one_undo_returns_them(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    propose(home, "We deploy on Tuesdays.", kind="decision", days_ago=10)
    page = open_as(alice)
    page.get_by_label("all 6 matching").check()
    expect(page.get_by_label("all 6 matching, as of now")).to_be_checked()
    propose(home, "Prefers tea.")  # while the person makes up their mind
    page.locator("#bulk").get_by_role("button", name="Approve").click()
    expect(page.locator("#toast")).to_contain_text("5 approved, 1 left out")
    _rows(page, 2)
    assert Memory.objects.filter(status="active").count() == 5
    page.locator("#toast").get_by_role("link", name="Show the rest").click()
    _rows(page, 1)
    expect(page.locator(".row .text")).to_have_text("We deploy on Tuesdays.")
    page.keyboard.press("u")
    expect(page.locator("#toast")).to_contain_text("5 candidates wait again")
    assert Candidate.objects.filter(status="pending").count() == 7


def test_many_can_be_moved(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    shop = build.workspace(alice, "shop")
    page = open_as(alice)
    page.keyboard.press("x")
    page.get_by_label("Where to move them").select_option(str(shop.pk))
    page.locator("#bulk").get_by_role("button", name="Move", exact=True).click()
    expect(page.locator("#toast")).to_contain_text("1 moved")
    assert Candidate.objects.get(namespace=shop).pk == waiting[0].pk


def test_a_digit_after_rejecting_says_why(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice)
    page.keyboard.press("r")
    _rows(page, 4)
    page.keyboard.press("3")
    expect(page.locator("#toast")).to_contain_text("Rejected as private")
    first = Candidate.objects.get(pk=waiting[0].pk)
    assert (first.status, first.decision_reason) == ("rejected", "private")
    page.keyboard.press("r")
    _rows(page, 3)
    assert Candidate.objects.get(pk=waiting[1].pk).decision_reason == ""
    page.keyboard.press("u")
    _rows(page, 4)
    _has_focus(page, waiting[1])


def test_s_puts_a_row_off_until_tomorrow(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice)
    page.keyboard.press("s")
    _rows(page, 4)
    _has_focus(page, waiting[1])
    expect(page.locator("#toast")).to_contain_text("its days go on")
    page.keyboard.press("u")
    _rows(page, 5)
    assert Candidate.objects.get(pk=waiting[0].pk).set_aside_until is None


def test_m_chooses_what_a_duplicate_repeats(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    memory = remembered(alice, home, "Use pnpm for this project.")
    twin = propose(home, "Use pnpm for this project, and document every package.", days_ago=12)
    page = open_as(alice)
    page.keyboard.press("m")
    expect(page.locator("[data-merge]").first).to_be_focused()
    expect(page.locator("#panel")).to_contain_text("Use pnpm for this project.")
    page.keyboard.press("Enter")
    _rows(page, 5)
    merged = Candidate.objects.get(pk=twin.pk)
    assert (merged.status, merged.memory_id) == ("rejected", memory.pk)
    page.keyboard.press("u")
    _rows(page, 6)


def test_the_original_of_a_duplicate_is_found_by_words(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("m")
    page.get_by_label("Find the original by words").fill("Loki")
    page.locator("#panel .similar").get_by_role("button", name="Merge into this").click()
    _rows(page, 4)
    page.keyboard.press("m")
    expect(page.get_by_label("Find the original by words")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#panel .in")).to_have_count(0)
    _has_focus(page, waiting[1])
    assert Candidate.objects.get(pk=waiting[0].pk).merged_into_id == waiting[3].pk


def test_a_memory_is_replaced_from_the_similar_tab(open_as: Open, alice: User, home: Namespace) -> None:
    old = remembered(alice, home, "Use npm for all packages of this project.")
    propose(home, "Use pnpm for all packages of this project.")
    page = open_as(alice)
    page.keyboard.press("o")
    page.locator("#panel").get_by_role("link", name="Similar").click()
    page.get_by_label("Find the original by words").fill("npm for all")
    page.get_by_role("button", name="Approve, replacing this").click()
    expect(page.get_by_text("All reviewed")).to_be_visible()
    old.refresh_from_db()
    assert old.status == "superseded"
    assert Memory.objects.get(status="active").content == "Use pnpm for all packages of this project."
    page.goto(page.url + "memories/search/?q=packages+of+this+project")
    expect(page.locator("main .list")).to_contain_text("Use pnpm for all packages of this project.")
    expect(page.locator("main .list")).not_to_contain_text("Use npm for all")


def test_the_editor_shows_what_changed_by_sign_and_colour(
    open_as: Open, alice: User, home: Namespace
) -> None:
    propose(home, "これからは npm を使う。")
    page = open_as(alice)
    page.keyboard.press("e")
    page.locator("[data-editor]").fill("これからは pnpm を使う。")
    expect(page.locator(".diff ins")).to_have_text("p")
    sign = page.locator(".diff ins").evaluate("e => getComputedStyle(e, '::before').content")
    assert sign == '"+"'
    expect(page.locator(".diff del")).to_have_count(0)


def test_new_arrivals_never_move_the_list(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("j")
    late = propose(home, "Prefers tea.", days_ago=20)  # would stand on top
    look = "document.body.dispatchEvent(new Event('hikae:look', {bubbles: true}))"
    page.evaluate(look)
    expect(page.locator("#news")).to_have_text("1 new: show")
    expect(page.locator("#tally b").first).to_have_text("6")
    assert page.title().startswith("(6) ")
    _has_focus(page, waiting[1])
    _rows(page, 5)
    page.locator("#news a").click()
    _rows(page, 6)
    assert page.locator("#queue > .row").first.get_attribute("id") == f"c-{late.pk}"
    _has_focus(page, waiting[1])


def test_a_saved_filter_counts_live(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice, "/settings/memory/?q=Loki")
    page.get_by_label("Name of this filter").fill("Logs")
    page.get_by_role("button", name="Save filter").click()
    expect(page.locator(".saved")).to_contain_text("Logs 1")
    page.keyboard.press("a")
    expect(page.locator(".saved a")).to_have_text("Logs")


def test_the_header_counts_what_the_database_counts(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    for number in range(7):
        propose(home, f"Module {number} has {number + 3} owners.", kind="fact", days_ago=25)
    page = open_as(alice)
    left = 12
    for key in ("a", "r", "s", "a", "r", "a", "u", "r", "a", "s"):
        page.keyboard.press(key)
        left += 1 if key == "u" else -1
        _rows(page, left)
    shown = [int(text) for text in page.locator("#tally b").all_inner_texts()]
    waits = Candidate.objects.filter(status="pending", set_aside_until=None).count()
    week_left = timezone.now() - timedelta(days=23)  # of the thirty; what was set aside archives all the same
    soon = Candidate.objects.filter(status="pending", touched_at__lt=week_left).count()
    decided = Candidate.objects.filter(status__in=["approved", "rejected"]).count()
    assert shown == [waits, soon, decided]


def test_switched_off_keys_do_nothing_and_the_buttons_work(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    person_settings_set(user=alice, changes=SettingsIn(keys_off=True), now=timezone.now())
    page = open_as(alice)
    for key in ("a", "r", "s", "x"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowDown")
    _has_focus(page, waiting[1])
    page.locator(".row").first.get_by_role("button", name="Approve").click()
    _rows(page, 4)
    assert Candidate.objects.filter(status="approved").count() == 1


def test_a_key_can_be_changed_and_a_clash_is_refused(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice, "/settings/memory/settings/you/")
    page.get_by_label("approve", exact=True).fill("r")
    page.get_by_role("button", name="Save keys").click()
    expect(page.get_by_text("Two actions would have the same key.").first).to_be_visible()
    page.get_by_label("approve", exact=True).fill("y")
    page.get_by_role("button", name="Save keys").click()
    expect(page.locator("#toast")).to_contain_text("Saved")
    page.get_by_role("link", name="Review").first.click()
    page.keyboard.press("a")
    expect(page.locator(".row[aria-current] [data-act=approve] kbd")).to_have_text("y")
    page.keyboard.press("y")
    _rows(page, 4)
    assert Candidate.objects.filter(status="approved").count() == 1


def test_dark_and_language_stay_with_the_person(open_as: Open, alice: User) -> None:
    page = open_as(alice, "/settings/memory/settings/you/")
    form = page.get_by_role("form", name="Language and colours")
    form.get_by_label("Colours").select_option("dark")
    form.get_by_label("Language").select_option("ja")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
