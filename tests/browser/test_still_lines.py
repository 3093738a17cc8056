"""Nothing jumps and nothing spills: rows keep their height in every hand, buttons hold their words."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from review.services.person import SettingsIn, person_settings_set
from tests.browser.conftest import Open
from tests.browser.furnished import furnished

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SPILLING = """[...document.querySelectorAll(".row[aria-current] .acts :is(button, .btn)")]
  .filter(e => e.checkVisibility())
  .filter(e => {
    const words = document.createRange(), box = e.getBoundingClientRect();
    words.selectNode(e.firstChild); // the text; the key beside it is a badge on the corner
    return words.getBoundingClientRect().left < box.left || words.getBoundingClientRect().right > box.right;
  }).map(e => e.textContent.trim())"""
OVERLAPPING = """(() => {
  const boxes = [...document.querySelectorAll(".row[aria-current] .acts :is(button, .btn)")]
    .filter(e => e.checkVisibility()).map(e => [e.textContent.trim(), e.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => a.right > b.left + .5 && b.right > a.left + .5 && a.bottom > b.top + .5 && b.bottom > a.top + .5)
    .map(([other]) => [name, other]));
})()"""


@pytest.fixture
def alice() -> User:
    return furnished()[0]


def _heights(page: Page) -> list[float]:
    found: list[float] = page.locator("#queue > .row").evaluate_all(
        "rows => rows.map(row => row.getBoundingClientRect().height)"
    )
    return found


@pytest.mark.parametrize("width", [1280, 900])
def test_taking_a_row_in_hand_moves_no_line(open_as: Open, alice: User, width: int) -> None:
    page = open_as(alice, width=width)
    before = _heights(page)
    assert len(before) == 4
    for number in range(len(before)):
        expect(page.locator("#queue > .row").nth(number)).to_have_attribute("aria-current", "true")
        assert _heights(page) == before
        page.keyboard.press("j")


def test_beside_the_open_source_it_moves_none_either(open_as: Open, alice: User) -> None:
    page = open_as(alice)
    page.keyboard.press("o")
    expect(page.locator("#panel .acts button").first).to_be_visible()
    before = _heights(page)
    page.keyboard.press("j")
    expect(page.locator("#panel .acts [data-act=approve] kbd")).to_be_visible()
    assert _heights(page) == before


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [1280, 360])
def test_every_button_of_the_row_in_hand_holds_its_words(
    open_as: Open, alice: User, width: int, language: str
) -> None:
    page = open_as(alice, width=width, height=740, language=language)
    for number in range(page.locator("#queue > .row").count()):
        expect(page.locator("#queue > .row").nth(number)).to_have_attribute("aria-current", "true")
        assert page.evaluate(SPILLING) == []
        assert page.evaluate(OVERLAPPING) == []
        page.keyboard.press("j")


def test_a_button_shows_its_key_unless_keys_are_off(open_as: Open, alice: User) -> None:
    page = open_as(alice)
    expect(page.locator(".row[aria-current] [data-act=approve] kbd")).to_be_visible()
    person_settings_set(user=alice, changes=SettingsIn(keys_off=True), now=timezone.now())
    page.reload()
    expect(page.locator(".row[aria-current] [data-act=approve]")).to_be_visible()
    expect(page.locator(".row[aria-current] [data-act=approve] kbd")).to_be_hidden()


def test_on_a_phone_the_editor_has_the_whole_width(open_as: Open, alice: User) -> None:
    page = open_as(alice, width=360, height=740)
    page.keyboard.press("j")
    page.keyboard.press("e")
    for field in page.locator(".row.editing :is(textarea, select)").all():
        box = field.bounding_box()
        assert box is not None
        assert box["width"] >= 120
    editor = page.locator("[data-editor]").bounding_box()
    assert editor is not None
    assert editor["width"] >= 300


def test_on_a_phone_the_days_left_stand_beside_the_kind(open_as: Open, alice: User) -> None:
    page = open_as(alice, width=360, height=740)
    row = page.locator("#queue > .row:has(.age)").first
    kind, age = row.locator(".kind").bounding_box(), row.locator(".age").bounding_box()
    assert kind is not None
    assert age is not None
    assert kind["x"] + kind["width"] < age["x"]
    assert abs((kind["y"] + kind["height"] / 2) - (age["y"] + age["height"] / 2)) < 8


def test_picked_rows_have_the_bar_of_a_phone_to_themselves(open_as: Open, alice: User) -> None:
    page = open_as(alice, width=360, height=740)
    page.locator("#queue .pick").first.click()
    bar = page.locator("#bulk.on")
    box = bar.bounding_box()
    assert box is not None
    assert round(box["y"] + box["height"]) == 740
    expect(bar.locator(".picked")).to_be_in_viewport(ratio=1)
    expect(page.locator(".row[aria-current] .acts")).to_be_hidden()
    bar.get_by_role("button", name="Clear").click()
    expect(page.locator(".row[aria-current] .acts")).to_be_visible()


def test_the_list_of_keys_shows_them_on_a_phone_too(open_as: Open, alice: User) -> None:
    page = open_as(alice, width=360, height=740)
    page.keyboard.press("?")
    for key in page.locator("#keys kbd").all():
        expect(key).to_be_visible()
