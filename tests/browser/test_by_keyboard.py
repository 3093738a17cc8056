"""By keyboard alone: Tab comes to everything that can be pressed, is seen where it stands, and leads out again."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.furnished import furnished
from tests.knowledge import make
from tests.review.choosing import habit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Numbers everything that can have the focus, and says how many there are.
NUMBERED = """(() => {
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const all = [...document.querySelectorAll(kinds)]
    .filter(each => each.checkVisibility() && !each.disabled && each.tabIndex >= 0 && !each.closest("[inert], dialog"));
  all.forEach((each, number) => { each.dataset.walk = number });
  return all.map(each => each.textContent.trim() || each.name || each.id);
})()"""
STANDING = """(() => {
  const each = document.activeElement, style = getComputedStyle(each);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const seen = outlined && each.checkVisibility({opacityProperty: true});
  return [each.dataset.walk ?? "", seen];
})()"""


@pytest.fixture
def alice() -> User:
    alice, home, key = furnished()
    make.knowledge(home, alice)
    habit(key, ["Tier M"] * 6)
    return alice


def _walk(page: Page) -> tuple[list[str], list[str]]:
    """What Tab does not come to, and where the focus is not seen."""
    names: list[str] = page.evaluate(NUMBERED)
    reached, unseen = set(), []
    for _press in range(len(names) + 2):
        page.keyboard.press("Tab")
        number, seen = page.evaluate(STANDING)
        if number == "":
            continue
        reached.add(int(number))
        if not seen:
            unseen.append(names[int(number)])
    return [name for number, name in enumerate(names) if number not in reached], unseen


@pytest.mark.parametrize("name", ["review", "choices", "memories", "knowledge"])
def test_tab_comes_to_everything_and_is_seen_there(open_as: Open, alice: User, name: str) -> None:
    page = open_as(alice, reverse(name))
    missed, unseen = _walk(page)
    assert missed == []
    assert unseen == []


def test_the_list_of_keys_names_every_key_of_the_page(open_as: Open, alice: User) -> None:
    page = open_as(alice)
    page.keyboard.press("?")
    told = set(page.locator("#keys kbd").all_inner_texts())
    keys = page.evaluate("Object.keys(JSON.parse(document.body.dataset.keys))")
    assert set(keys) <= told
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
