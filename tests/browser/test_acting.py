"""The next row is in hand before the answer: what happens when the answer is late, lost, or a refusal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from core.models import Namespace
from memory.models import Candidate, Memory
from tests import build
from tests.browser.conftest import Open
from tests.browser.steps import has_focus, rows
from tests.review.scene import approved, propose, share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = ("Answer in three sentences.", "The office has a cat.", "Logs go to Loki.", "CI runs on Buildkite.")


@pytest.fixture
def waiting(home: Namespace) -> list[Candidate]:
    return [propose(home, text, kind="fact", days_ago=9 - number) for number, text in enumerate(TEXTS)]


def _hold(page: Page, address: str) -> Callable[[], None]:
    """Keeps acts back on their way to the server until the returned function is called."""
    held: list[Route] = []
    free: list[bool] = []

    def hold(route: Route) -> None:
        if free:
            route.continue_()
        else:
            held.append(route)

    page.route(address, hold)

    def let_go() -> None:
        free.append(True)
        for route in held:
            route.continue_()

    return let_go


def _statuses(waiting: list[Candidate]) -> list[str]:
    found = dict(Candidate.objects.values_list("pk", "status"))
    return [found[each.pk] for each in waiting]


def test_the_next_row_is_in_hand_before_the_answer_and_acts_keep_their_order(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    let_go = _hold(page, "**/approve/")
    page.keyboard.press("a")
    has_focus(page, waiting[1])
    assert _statuses(waiting) == ["pending"] * 4
    page.wait_for_timeout(200)  # a second press at once would be the same one
    page.keyboard.press("r")  # sent after the one that is held
    has_focus(page, waiting[2])
    page.keyboard.press("u")  # takes back the latest of them, once it is known
    expect(page.locator("#queue > .row.leaving")).to_have_count(2)
    let_go()
    expect(page.locator("#toast")).to_contain_text("Undone: 1 candidate waits again.")
    rows(page, 3)
    assert _statuses(waiting) == ["approved", "pending", "pending", "pending"]
    has_focus(page, waiting[1])


def test_a_digit_says_why_about_the_row_that_was_rejected_last(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("r")
    rows(page, 3)
    let_go = _hold(page, "**/reject/")
    page.keyboard.press("r")
    has_focus(page, waiting[2])
    page.keyboard.press("3")  # the toast on the screen still speaks of the row before
    let_go()
    expect(page.locator("#toast")).to_contain_text("Rejected as private")
    reasons = dict(Candidate.objects.values_list("pk", "decision_reason"))
    assert [reasons[each.pk] for each in waiting] == ["", "private", "", ""]


def test_a_row_whose_act_was_refused_is_back_and_in_hand(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.route("**/approve/", lambda route: route.fulfill(status=204))  # an answer that says nothing
    page.keyboard.press("a")
    has_focus(page, waiting[0])
    expect(page.locator(".row.leaving")).to_have_count(0)
    page.unroute("**/approve/")
    page.wait_for_timeout(400)  # focus has just come back: the reader looks first
    page.keyboard.press("a")
    rows(page, 3)
    assert _statuses(waiting) == ["approved", "pending", "pending", "pending"]


def test_focus_is_not_taken_from_a_reader_who_has_gone_on(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reviewer")
    page = open_as(alice)
    approved(bob, waiting[0])
    let_go = _hold(page, "**/reject/")
    page.keyboard.press("r")
    page.keyboard.press("j")
    has_focus(page, waiting[2])
    let_go()
    expect(page.locator(f"#c-{waiting[0].pk}")).to_contain_text("Already approved by bob")
    has_focus(page, waiting[2])


def test_a_key_held_down_decides_one_row(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice)
    page.keyboard.down("a")
    for _repeat in range(5):
        page.keyboard.down("a")  # without the key going up, the browser calls it a repetition
    page.keyboard.up("a")
    rows(page, 3)
    page.keyboard.press("r")
    rows(page, 2)
    assert sorted(_statuses(waiting)) == ["approved", "pending", "pending", "rejected"]


def test_a_conflict_is_settled_from_the_row_itself(open_as: Open, alice: User, home: Namespace) -> None:
    old = approved(alice, propose(home, "Use npm for all packages of this project.", kind="fact"))
    new = propose(home, "Use pnpm for all packages of this project.", kind="fact")
    Candidate.objects.filter(pk=new.pk).update(conflicts_with=old)
    page = open_as(alice)
    page.get_by_role("button", name="Approve, replacing this").click()
    expect(page.get_by_text("All reviewed")).to_be_visible()
    old.refresh_from_db()
    assert old.status == "superseded"
    assert old.superseded_by == Memory.objects.get(status="active")
    page.keyboard.press("u")
    rows(page, 1)
    assert Memory.objects.get(status="active") == old


def test_in_the_panel_an_act_meets_the_row_that_it_shows(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("o")
    expect(page.locator("#panel .subject")).to_have_text(TEXTS[0])
    page.locator("#panel").get_by_role("button", name="Reject").click()
    expect(page.locator("#panel .subject")).to_have_text(TEXTS[1])
    has_focus(page, waiting[1])
    rows(page, 3)
    assert _statuses(waiting) == ["rejected", "pending", "pending", "pending"]
