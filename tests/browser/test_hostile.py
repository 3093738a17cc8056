"""Text that tries something, texts that are too long, and a session that ends in the middle of a review."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from core.models import Namespace
from memory.models import Candidate
from tests import build
from tests.browser.conftest import Open
from tests.review.scene import propose

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">",
    "[click here](javascript:document.title='taken') and ![x](https://evil.example/x.png)",
    "{{ 7|add:7 }} {% load i18n %} ${document.title = 'taken'}",
    "invoice\u202efdp.exe stays inside its own row",
    "zero\u200bwidth\u200djoiners\ufeff and \u2066isolates\u2069",
    "👩‍👩‍👧‍👦 🏳️‍🌈 emoji 🇯🇵 and combining e\u0301\u0302\u0303",
    "w" * 8_000,
    "長い日本語の文です。" * 780,
)


@pytest.fixture
def alice() -> User:
    alice = build.person("alice")
    alice.set_password("EXAMPLE-password-1")
    alice.save()
    return alice


@pytest.mark.parametrize("width", [1280, 360])
def test_hostile_and_endless_texts_are_inert_and_keep_the_layout(
    open_as: Open, alice: User, home: Namespace, width: int
) -> None:
    wide = build.workspace(alice, "n" * 200)
    for number, text in enumerate(HOSTILE):
        propose(wide if number % 2 else home, text, kind="fact", days_ago=9 - number)
    page = open_as(alice, width=width)
    shown = page.locator("#queue .text").all_text_contents()
    assert set(shown) == {row.content for row in Candidate.objects.all()}
    assert "Review" in page.title()
    assert page.locator("#queue .text :is(a, img, script, b)").count() == 0
    assert page.locator("#queue .text[dir=auto]").count() == len(HOSTILE)
    warned = page.locator("#queue > .row").filter(has_text="characters that cannot be seen")
    assert [text[:7] for text in warned.locator(".text").all_text_contents()] == ["invoice", "zero\u200bwi"]
    tall = page.locator("#queue .text").evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert max(tall) < 320
    assert page.locator("#queue .text[tabindex]").count() == 2  # reached and scrolled by keys
    clipped = page.locator("#queue .facts-line > *").evaluate_all(
        "all => all.filter(e => e.getBoundingClientRect().right > e.closest('.row').getBoundingClientRect().right)"
        ".length"
    )
    assert clipped == 0
    for _row in HOSTILE:
        page.keyboard.press("o")
        expect(page.locator("#panel .subject")).to_be_visible()
        overflow = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert overflow <= 0
        page.keyboard.press("Escape")
        page.keyboard.press("j")
    assert "Review" in page.title()


def test_after_signing_in_again_the_same_row_is_in_hand(open_as: Open, alice: User, home: Namespace) -> None:
    rows = [
        propose(home, f"Module {number} has an owner.", kind="fact", days_ago=9 - number)
        for number in range(4)
    ]
    page = open_as(alice, "/settings/memory/?kind=fact")
    page.keyboard.press("j")
    page.keyboard.press("j")
    Session.objects.all().delete()
    page.keyboard.press("a")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("EXAMPLE-password-1")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(f"#c-{rows[2].pk}")).to_be_focused()
    assert "kind=fact" in page.url
    assert Candidate.objects.filter(status="pending").count() == 4
    page.keyboard.press("a")
    expect(page.locator("#queue > .row")).to_have_count(3)
    assert Candidate.objects.get(pk=rows[2].pk).status == "approved"
