"""The review page in a real browser: keys, focus, the panel, the editor, undo, two windows, no scripts."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from core.models import Namespace
from memory.models import Candidate, Memory
from tests import build
from tests.browser.conftest import Open
from tests.review.scene import approved, propose, share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = ("Answer in three sentences.", "Use pnpm, not npm.", "The staging database is Postgres 16.")


@pytest.fixture
def waiting(home: Namespace) -> list[Candidate]:
    return [propose(home, text, days_ago=9 - number) for number, text in enumerate(TEXTS)]


def _has_focus(page: Page, candidate: Candidate) -> None:
    expect(page.locator(f"#c-{candidate.pk}")).to_be_focused()


def _row(page: Page, number: int) -> str:
    return str(page.locator("#queue > .row").nth(number).get_attribute("id"))


def test_j_and_k_move_a_visible_focus(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice)
    page.keyboard.press("j")
    page.keyboard.press("j")
    _has_focus(page, waiting[2])
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("ArrowUp")
    _has_focus(page, waiting[1])
    for _again in range(3):
        page.keyboard.press("k")
    _has_focus(page, waiting[0])


def test_deciding_takes_the_next_row_and_counts_down(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("a")
    expect(page.locator("#queue > .row")).to_have_count(2)
    _has_focus(page, waiting[1])
    expect(page.locator("#tally b").first).to_have_text("2")
    expect(page.locator("#nav-count")).to_have_text("2")
    assert page.title().startswith("(2) Review")
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(page.locator("#queue > .row")).to_have_count(1)
    _has_focus(page, waiting[1])
    assert list(Candidate.objects.order_by("touched_at").values_list("status", flat=True)) == [
        "approved",
        "pending",
        "rejected",
    ]


def test_undo_goes_back_step_by_step_to_the_old_places(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("a")
    expect(page.locator("#queue > .row")).to_have_count(2)
    page.keyboard.press("a")
    expect(page.locator("#queue > .row")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("#queue > .row")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator("#queue > .row")).to_have_count(3)
    assert [_row(page, number) for number in range(3)] == [f"c-{each.pk}" for each in waiting]
    _has_focus(page, waiting[0])
    expect(page.locator("#nav-count")).to_have_text("3")
    assert not Memory.objects.exclude(status="deleted").exists()


def test_the_toast_stays_and_history_offers_the_same(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.clock.install()
    page.keyboard.press("a")
    expect(page.locator("#toast")).to_contain_text("Approved: “Answer in three sentences.”")
    page.clock.fast_forward(30_000)
    expect(page.locator("#toast .toast")).to_be_visible()
    assert page.locator("#toast").get_attribute("role") == "status"
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#toast")).to_contain_text("It waits for review again")
    assert Candidate.objects.filter(status="pending").count() == 3


def test_everything_can_be_done_by_mouse(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice)
    page.locator(".row").nth(1).get_by_role("button", name="Reject").click()
    expect(page.locator("#queue > .row")).to_have_count(2)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#queue > .row")).to_have_count(3)
    page.get_by_role("button", name="Keyboard").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_editor_saves_what_was_typed_and_keeps_the_original(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("j")
    page.keyboard.press("e")
    page.locator("[data-editor]").fill("Use pnpm everywhere.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#queue > .row")).to_have_count(2)
    assert Memory.objects.get().content == "Use pnpm everywhere."
    assert Candidate.objects.get(status="approved").original == "Use pnpm, not npm."


def test_escape_leaves_an_untouched_editor_and_guards_a_changed_one(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.keyboard.press("e")
    expect(page.locator("[data-editor]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-editor]")).to_have_count(0)
    _has_focus(page, waiting[0])
    page.keyboard.press("e")
    page.locator("[data-editor]").press_sequentially("!")
    page.keyboard.press("Escape")
    expect(page.locator("[data-editor]")).to_have_value("Answer in three sentences.!")
    page.keyboard.press("Control+s")
    expect(page.locator("#toast")).to_contain_text("Saved")
    assert Candidate.objects.get(pk=waiting[0].pk).content == "Answer in three sentences.!"


def test_no_key_acts_while_typing_composing_or_with_a_modifier(
    open_as: Open, alice: User, waiting: list[Candidate]
) -> None:
    page = open_as(alice)
    page.locator("input[type=search]").press_sequentially("ark")
    page.keyboard.press("Tab")
    page.locator("body").evaluate(
        """body => {
          for (const key of ["k", "a", "r"])
            body.dispatchEvent(new KeyboardEvent("keydown", {key, isComposing: true, bubbles: true}));
          body.dispatchEvent(new KeyboardEvent("keydown", {key: "a", keyCode: 229, bubbles: true}));
        }"""
    )
    page.locator("#queue > .row").first.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Alt+r")
    page.keyboard.press("j")  # a key that works, so that the others had their time
    page.keyboard.press("e")
    editor = page.locator("[data-editor]")
    expect(editor).to_be_focused()
    session = page.context.new_cdp_session(page)
    for text in ("k", "か"):  # romaji on the way to kana
        session.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
    session.send("Input.insertText", {"text": "か"})
    expect(editor).to_have_value("Use pnpm, not npm.か")
    assert Candidate.objects.filter(status="pending").count() == 3


def test_the_panel_opens_follows_and_closes(open_as: Open, alice: User, home: Namespace) -> None:
    key = build.key(alice).key
    turn = build.turn(key, "From now on use pnpm here.", build.agent("Understood."))
    first = propose(home, "Use pnpm.", turn=turn, quote="use pnpm here", days_ago=3)
    propose(home, "Answer in three sentences.", days_ago=2)
    page = open_as(alice)
    page.keyboard.press("o")
    expect(page.locator("#panel mark")).to_have_text("use pnpm here")
    page.keyboard.press("j")
    expect(page.locator("#panel .subject")).to_have_text("Answer in three sentences.")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.locator("#panel .subject")).to_have_text("Use pnpm.")
    page.locator("#panel").get_by_role("button", name="Approve").click()
    expect(page.locator("#queue > .row")).to_have_count(1)
    assert Candidate.objects.get(pk=first.pk).status == "approved"


def test_a_decision_wants_a_second_press_or_an_opened_source(
    open_as: Open, alice: User, home: Namespace
) -> None:
    propose(home, "We deploy on Tuesdays.", kind="decision", days_ago=2)
    propose(home, "The outage came from a missing migration.", kind="postmortem", days_ago=1)
    page = open_as(alice)
    page.keyboard.press("a")
    expect(page.locator(".row").first).to_contain_text("Press again to approve")
    assert not Memory.objects.exists()
    page.keyboard.press("a")
    expect(page.locator("#queue > .row")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator("#panel .subject")).to_be_visible()
    page.locator("#queue > .row").first.focus()
    page.keyboard.press("a")
    expect(page.get_by_text("All reviewed")).to_be_visible()
    assert Memory.objects.count() == 2


def test_the_second_window_is_told_who_was_faster(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    bob = build.person("bob")
    share(home, alice, bob, "reviewer")
    page = open_as(alice)
    approved(bob, waiting[0])
    page.keyboard.press("r")
    row = page.locator(f"#c-{waiting[0].pk}")
    expect(row).to_contain_text("Already approved by bob")
    assert Candidate.objects.get(pk=waiting[0].pk).status == "approved"
    page.keyboard.press("j")
    _has_focus(page, waiting[1])


def test_a_hostile_candidate_is_shown_and_does_nothing(open_as: Open, alice: User, home: Namespace) -> None:
    hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    propose(home, hostile)
    page = open_as(alice)
    expect(page.locator(".row .text")).to_have_text(hostile)
    assert "Review" in page.title()


def test_filtering_by_select_changes_the_address(
    open_as: Open, alice: User, home: Namespace, waiting: list[Candidate]
) -> None:
    propose(home, "We deploy on Tuesdays.", kind="decision")
    page = open_as(alice)
    page.get_by_label("Kind").select_option("decision")
    page.wait_for_url("**kind=decision**")
    expect(page.locator("#queue > .row")).to_have_count(1)
    page.go_back()
    expect(page.locator("#queue > .row")).to_have_count(4)


def test_all_of_it_works_without_scripts(open_as: Open, alice: User, waiting: list[Candidate]) -> None:
    page = open_as(alice, scripts=False)
    page.locator(".row").first.get_by_role("button", name="Approve").click()
    expect(page.locator("#toast")).to_contain_text("Approved")
    expect(page.locator("#queue > .row")).to_have_count(2)
    page.locator(".row").first.get_by_role("link", name="Edit").click()
    page.get_by_label("Text").fill("Use pnpm everywhere.")
    page.get_by_role("button", name="Save and approve").click()
    expect(page.locator("#queue > .row")).to_have_count(1)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#queue > .row")).to_have_count(2)
    assert Memory.objects.get(status="active").content == "Answer in three sentences."
    page.locator(".row").first.get_by_role("link", name="Source").click()
    expect(page.get_by_role("heading", name="What happened to it")).to_be_visible()
