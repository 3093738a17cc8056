"""Keeping the queue alive: how long a row has left, three kinds of empty, and what was put off comes back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.models import AuditEvent, Namespace
from memory.models import Candidate
from review.views.door import clock
from tests import build
from tests.browser.conftest import Open
from tests.browser.steps import has_focus, rows
from tests.review.scene import approved, propose, share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLOCK = "review.views.queue.clock"  # what the review page takes for now


def _colour(page: Page, candidate: Candidate) -> str:
    return str(page.locator(f"#c-{candidate.pk} .age").evaluate("e => getComputedStyle(e).color"))


def test_the_days_a_row_has_left_are_said_in_words_and_colour(
    open_as: Open, alice: User, home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    monkeypatch.setattr(CLOCK, lambda: now)  # the server's clock stands still

    def old(days: int) -> Candidate:
        made = propose(home, f"Module {days} has {days} owners.", kind="fact")
        Candidate.objects.filter(pk=made.pk).update(touched_at=now - timedelta(days=days))
        return made

    aged = {days: old(days) for days in (22, 23, 27, 28, 30)}
    page = open_as(alice)
    words = {days: page.locator(f"#c-{row.pk} .age").inner_text() for days, row in aged.items()}
    assert words == {
        22: "archives in 8 days",
        23: "archives in 7 days",
        27: "archives in 3 days",
        28: "archives in 2 days",
        30: "archives tonight",
    }
    neutral, amber, red = (_colour(page, aged[days]) for days in (22, 23, 28))
    assert len({neutral, amber, red}) == 3
    assert (_colour(page, aged[27]), _colour(page, aged[30])) == (amber, red)


def test_three_kinds_of_empty_say_three_things(open_as: Open, alice: User, home: Namespace) -> None:
    page = open_as(alice)
    empty = page.locator("#queue-empty")
    expect(empty).to_contain_text("Nothing has arrived yet")
    expect(empty).to_contain_text("/api/v1/turns/")
    propose(home, "Use pnpm, not npm.")
    page.goto(page.url + "?kind=event")
    expect(empty).to_contain_text("Nothing matches")
    empty.get_by_role("link", name="Clear filters").click()
    rows(page, 1)
    page.keyboard.press("a")
    expect(empty).to_contain_text("All reviewed")
    expect(empty).to_contain_text("decided 1 candidate today")
    empty.get_by_role("link", name="To the memories").click()
    expect(page.get_by_role("link", name="Use pnpm, not npm.")).to_be_visible()


def test_what_was_put_off_is_back_a_day_later_and_says_that_its_days_went_on(
    open_as: Open, alice: User, home: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = propose(home, "Use pnpm, not npm.", days_ago=24.5)
    propose(home, "We deploy on Tuesdays.")
    page = open_as(alice)
    page.keyboard.press("s")
    rows(page, 1)
    expect(page.locator("#toast")).to_contain_text("its days go on")
    page.reload()
    rows(page, 1)

    def tomorrow() -> datetime:
        return clock() + timedelta(days=1, minutes=1)

    monkeypatch.setattr(CLOCK, tomorrow)
    page.reload()
    rows(page, 2)
    expect(page.locator(f"#c-{later.pk} .age")).to_have_text("archives in 5 days")


def test_a_merged_duplicate_is_named_at_what_it_repeats(open_as: Open, alice: User, home: Namespace) -> None:
    twin = propose(home, "Use pnpm for this project, and document every package.", days_ago=2)
    target = propose(home, "Use pnpm for this project.", days_ago=1)
    page = open_as(alice)
    page.keyboard.press("m")
    page.locator("#panel .similar").get_by_role("button", name="Merge into this").first.click()
    rows(page, 1)
    has_focus(page, target)
    page.keyboard.press("o")
    merged = page.locator("#panel dd").get_by_role("link", name="document every package")
    expect(merged).to_have_attribute("href", f"/settings/memory/candidates/{twin.pk}/")


def test_the_slower_of_two_windows_reads_who_and_when_and_changes_nothing(
    open_as: Open, alice: User, home: Namespace
) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reviewer")
    row = propose(home, "Use pnpm, not npm.")
    page = open_as(alice)
    page.reload()  # with the reader's zone known
    approved(bob, row)
    before = AuditEvent.objects.count()
    page.keyboard.press("a")
    zone = timezone.get_fixed_timezone(9 * 60)
    at = Candidate.objects.get(pk=row.pk).decided_at
    assert at is not None
    expect(page.locator(f"#c-{row.pk}")).to_contain_text(
        f"Already approved by bob, {timezone.localtime(at, zone):%H:%M}."
    )
    assert AuditEvent.objects.count() == before
    assert AuditEvent.objects.filter(object_id=str(row.pk), verb="candidate.approved").count() == 1


def test_focus_is_never_lost_and_dialogs_give_it_back(open_as: Open, alice: User, home: Namespace) -> None:
    for number in range(6):
        propose(home, f"Module {number} has {number + 3} owners.", kind="fact", days_ago=9 - number)
    page = open_as(alice)
    for key, left in (("a", 5), ("r", 4), ("s", 3), ("u", 4), ("u", 5), ("x", 5), ("a", 4)):
        page.keyboard.press(key)
        rows(page, left)
        page.wait_for_function("document.activeElement.matches('#queue > .row')")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('#queue > .row')")
    page.keyboard.press("o")
    expect(page.locator("#panel .subject")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('#queue > .row')")
    told = page.locator("#toast")
    assert (told.get_attribute("role"), told.get_attribute("aria-live")) in (
        ("status", None),
        ("status", "polite"),
    )
