"""Seeing enough to decide: the row's seven facts, the source with chips and marks, likeness, the timeline."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from core.models import Namespace
from core.services.namespaces import persona_default
from memory.models import Evidence
from memory.services.gate import candidate_reject
from tests import build
from tests.browser.conftest import Open
from tests.browser.steps import has_focus, rows, spoken
from tests.review.scene import approved, propose, remembered
from transcripts import limits
from transcripts.models import AgentSession, Turn
from transcripts.services.purge import transcripts_purge

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_row_says_all_seven_things_to_everybody(open_as: Open, alice: User, home: Namespace) -> None:
    propose(home, "Use pnpm, not npm.", confidence=0.62, days_ago=9.5)
    page = open_as(alice)
    told = spoken(page, "#queue > .row")
    for fact in (
        "Use pnpm, not npm.",
        "preference",
        "persona:default",
        "scan of a turn",
        "confidence",
        "medium",
        "seen once",
        "archives in 21 days",
    ):
        assert fact in told, fact
    expect(page.locator(".row [title*='62']")).to_contain_text("medium")


def test_the_source_marks_exactly_what_is_stored_and_hides_secrets_in_chips(
    open_as: Open, alice: User, home: Namespace
) -> None:
    key = build.key(alice).key
    for number in range(3):
        build.turn(key, f"Question {number} before it.", name=f"b{number}")
    turn = build.turn(
        key,
        "これからは pnpm を使う。Log in with redis://:s3cr3tEXAMPLE@cache:6379/0 first.",
        build.agent("わかりました。"),
        name="it",
    )
    for number in range(3):
        build.turn(key, f"Question {number} after it.", name=f"a{number}")
    one = propose(home, "pnpm を使う。", turn=turn, quote="これからは pnpm を使う。")
    stored = Evidence.objects.get(candidate=one)
    page = open_as(alice)
    page.keyboard.press("o")
    panel = page.locator("#panel")
    expect(panel.locator("mark")).to_have_text(stored.quote)
    assert stored.message is not None
    assert stored.message.text[stored.start : stored.end] == stored.quote
    expect(panel.locator(".talk .chip")).to_contain_text("password")
    assert "s3cr3tEXAMPLE" not in page.content()
    talk = panel.locator(".talk").inner_text()
    shown = [
        f"{number} {side}"
        for side in ("before", "after")
        for number in range(3)
        if f"Question {number} {side} it." in talk
    ]
    assert shown == ["1 before", "2 before", "0 after", "1 after"]

    link = page.locator("#c-" + str(one.pk)).locator("[data-act=source]").get_attribute("href")
    assert link == reverse("candidate", args=[one.pk])
    shared = open_as(alice, f"{link}#source")
    shared.reload()  # the first answer came before the browser had said its zone
    expect(shared.locator("main mark")).to_have_text(stored.quote)
    assert shared.locator("main .talk").inner_text() == talk
    shared.get_by_role("link", name="Open the conversation").click()
    expect(shared.locator(".say:target mark")).to_have_text(stored.quote)


def test_a_purged_source_says_when_and_why(open_as: Open, alice: User, home: Namespace) -> None:
    turn = build.turn(build.key(alice).key, "From now on use pnpm here.", now=timezone.now())
    one = propose(home, "Use pnpm.", turn=turn, quote="use pnpm here")
    memory = approved(alice, one)
    long_ago = timezone.now() - timedelta(days=limits.TRANSCRIPT_RETENTION_DAYS + 10)
    Turn.objects.all().update(received_at=long_ago, opened_at=long_ago)
    AgentSession.objects.all().update(started_at=long_ago)
    turn.pins.all().delete()  # nothing waits for it any more
    transcripts_purge(now=timezone.now())
    assert not Turn.objects.exists()
    page = open_as(alice, reverse("candidate", args=[one.pk]))
    said = page.locator("main .note")
    expect(said).to_contain_text(f"kept for {limits.TRANSCRIPT_RETENTION_DAYS} days")
    gone = timezone.localtime() + timedelta(days=limits.TRANSCRIPT_RETENTION_DAYS)
    expect(said).to_contain_text(str(gone.year))
    expect(page.locator("main .quote")).to_contain_text("use pnpm here")
    page.goto(page.url.replace(reverse("candidate", args=[one.pk]), reverse("memory", args=[memory.pk])))
    expect(page.locator("main")).to_contain_text("use pnpm here")


def test_a_near_copy_lists_the_memory_and_the_rejected_twin_by_its_name(
    open_as: Open, alice: User, home: Namespace
) -> None:
    twin = propose(home, "Use pnpm for this project, and never yarn or bun.")
    candidate_reject(candidate_id=twin.pk, version=twin.version, user=alice, now=timezone.now())
    remembered(alice, home, "Use pnpm for this project.")
    propose(home, "Use pnpm for this project, and document every package.")
    stranger = build.person("mallory")
    remembered(
        stranger,
        persona_default(user=stranger, now=timezone.now()),
        "Use pnpm for this project, says mallory.",
    )
    page = open_as(alice)
    page.keyboard.press("o")
    page.locator("#panel").get_by_role("link", name="Similar").click()
    like = page.locator("#panel .similar li")
    memory = like.filter(has_text="Use pnpm for this project.")
    expect(memory.locator(".chip")).to_have_text("active")
    expect(memory.get_by_role("meter", name="similar wording")).to_be_visible()
    refused = like.filter(has_text="never yarn or bun")
    expect(refused.locator(".chip")).to_have_text("rejected")
    expect(refused.get_by_role("button")).to_have_count(0)
    assert "mallory" not in page.content()


def test_the_timeline_tells_three_events_in_order_and_by_whom(
    open_as: Open, alice: User, home: Namespace
) -> None:
    one = propose(home, "Use npm.")
    page = open_as(alice)
    page.keyboard.press("e")
    page.locator("[data-editor]").fill("Use pnpm.")
    page.keyboard.press("Control+s")
    has_focus(page, one)
    page.keyboard.press("r")
    expect(page.get_by_text("All reviewed")).to_be_visible()
    page.goto(page.url.partition("settings/")[0] + reverse("candidate", args=[one.pk])[1:])
    events = page.locator(".timeline > li")
    expect(events).to_have_count(3)
    first, second, third = reversed(events.all_inner_texts())
    assert "Proposed" in first
    assert "Edited" in second
    assert "alice" in second
    assert "Rejected" in third
    assert "alice" in third
    page.go_back()
    page.keyboard.press("u")
    rows(page, 1)
    page.keyboard.press("o")
    page.locator("#panel").get_by_role("link", name="Timeline").click()
    expect(page.locator("#panel .timeline > li")).to_have_count(4)
