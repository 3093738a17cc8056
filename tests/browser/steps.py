"""What several browser tests look at: how many rows there are, and which one is in hand."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from memory.models import Candidate


def rows(page: Page, count: int) -> None:
    """Waits until the queue shows so many rows."""
    expect(page.locator("#queue > .row")).to_have_count(count)


def has_focus(page: Page, candidate: Candidate) -> None:
    expect(page.locator(f"#c-{candidate.pk}")).to_be_focused()


def order(page: Page) -> list[str]:
    """The texts of the queue, from the top."""
    return page.locator("#queue > .row > .text").all_inner_texts()


def spoken(page: Page, selector: str) -> str:
    """What assistive technology is told of a part of the page: roles, names and texts."""
    return page.locator(selector).first.aria_snapshot()
