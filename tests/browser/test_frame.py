"""For everyone: contrast and names in both schemes, narrow screens, and the way in."""

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
from core.services.sign_in import sign_in_link_create
from knowledge.models import Proposal
from memory.models import Candidate, Memory
from tests import build
from tests.browser.conftest import Open
from tests.review.scene import propose, remembered, reported

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice() -> User:
    """Somebody with a bit of everything."""
    alice = build.person("alice")
    home = persona_default(user=alice, now=timezone.now())
    key = build.key(alice).key
    build.session(key, client="claude-code")
    turn = build.turn(
        key,
        "これからは npm ではなく pnpm を使う。",
        build.agent("Understood. `package-lock.json` goes away."),
        build.tool("$ pnpm install\n" + "resolved-" * 60),
    )
    old = remembered(alice, home, "Use npm everywhere.", kind="decision")
    reported(key, old, "The lock file is pnpm's.", wanted="Use pnpm everywhere.")
    first = propose(
        home, "npm ではなく pnpm を使う。", turn=turn, quote="pnpm を使う", kind="decision", days_ago=28.5
    )
    Candidate.objects.filter(pk=first.pk).update(conflicts_with=old)
    propose(
        home, "Deploy with --force, see https://example.com/x.", trust="tool", source="remember", days_ago=24
    )
    propose(home, "Answer in three sentences. " + "averyveryverylongword" * 8, confidence=0.3)
    return alice


def _pages() -> dict[str, str]:
    candidate, memory = Candidate.objects.get(kind="decision", status="pending"), Memory.objects.get()
    session = candidate.session
    assert session is not None
    return {
        "review": reverse("review"),
        "empty": reverse("review") + "?kind=event",
        "candidate": reverse("candidate", args=[candidate.pk]),
        "edit": reverse("candidate-edit", args=[candidate.pk]),
        "new": reverse("memory-new"),
        "history": reverse("history"),
        "memories": reverse("memories"),
        "memory": reverse("memory", args=[memory.pk]),
        "delete": reverse("memory-delete", args=[memory.pk]),
        "sessions": reverse("sessions"),
        "session": reverse("session", args=[session.pk]),
        "upload": reverse("session-import"),
        "settings": reverse("settings"),
        "key": reverse("key-new"),
        "namespace": reverse("namespace", args=[memory.namespace_id]),
        "policy": reverse("policy", args=[memory.namespace_id]),
        "proposal": reverse("proposal", args=[Proposal.objects.get().pk]),
        "you": reverse("settings-person"),
        "ask": reverse("memories-search") + "?q=npm",
        "account": reverse("account-delete"),
        "prompts": reverse("prompts"),
        "prompt": reverse("prompt", args=[memory.namespace_id, "extract"]),
        "split": reverse("namespace-split", args=[Namespace.objects.get(type="workspace").pk]),
        "data": reverse("data"),
        "filtered": reverse("review") + "?q=n&confidence=high&flag=conflicts",
    }


def _violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {[node['target'] for node in each['nodes']][:4]}" for each in found]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_every_page_is_readable_for_everyone(
    open_as: Open, live_server: LiveServer, alice: User, width: int, dark: bool
) -> None:
    page = open_as(alice, width=width, dark=dark)
    for name, address in _pages().items():
        page.goto(live_server.url + address)
        assert _violations(page) == [], name
        sideways = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert sideways <= 0, name
    page.goto(live_server.url + reverse("review"))
    page.locator(".row:has(.pick)").first.locator("[data-act=source]").evaluate("link => link.click()")
    expect(page.locator("#panel .talk")).to_be_visible()
    assert _violations(page) == [], "panel"
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.locator("#panel .similar")).to_be_visible()
    assert _violations(page) == [], "similar"
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#bulk .picked")).to_be_visible()
    assert _violations(page) == [], "many"
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.locator("[data-editor]")).to_be_visible()
    assert _violations(page) == [], "editor"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_way_in_is_readable_for_everyone(open_as: Open, live_server: LiveServer, dark: bool) -> None:
    for address in ("/sign-in/", reverse("sign-in-link", args=["EXAMPLE"])):
        page = open_as(None, address, width=360, dark=dark)
        assert _violations(page) == [], address


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
