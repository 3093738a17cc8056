"""Every page, in both schemes and both widths: names, contrast, no sideways scroll, and none forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, resolve, reverse
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from core.models import Namespace
from decisions.models import Choice
from integrations.pages import urlpatterns as plugging_in
from knowledge.models import ConsolidationRun, Knowledge, Proposal
from memory.models import Candidate, Memory
from review.urls import urlpatterns
from tests.browser.conftest import Open
from tests.browser.furnished import furnished
from tests.browser.looking import fitting, look
from tests.knowledge import make
from tests.knowledge.nights import night
from tests.review.choosing import ask, habit, misread

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Answers to GET that are no page of their own: pieces of one, redirects, and the pages of the way in.
NO_PAGE = {
    "home",
    "claude-code-zip",
    "data-archive",
    "data-memory-md",
    "note-files-zip",
    "note-slugs",
    "set_language",
    "candidate-row",
    "candidate-source",
    "proposal-source",
    "news",
    "bulk-everything",
    "sign-in",
    "sign-in-link",
}


@pytest.fixture
def alice() -> User:
    """Somebody with a bit of everything."""
    alice, home, key = furnished()
    make.knowledge(home, alice)
    night(home, timezone.now())
    habit(key, ["Tier M", "Tier L", *["Tier M"] * 6])
    ask(key)
    misread(key)
    return alice


def _pages() -> list[str]:
    candidate, memory = Candidate.objects.get(kind="decision", status="pending"), Memory.objects.get()
    session, note = candidate.session, Knowledge.objects.get()
    workspace = Namespace.objects.get(type="workspace")
    home = memory.namespace_id
    assert session is not None
    point = Choice.objects.exclude(point=None)[0].point_id
    return [
        reverse("review"),
        reverse("review") + "?kind=event",
        reverse("review") + "?q=n&confidence=high&flag=conflicts",
        reverse("candidate", args=[candidate.pk]),
        reverse("candidate-edit", args=[candidate.pk]),
        reverse("proposal", args=[Proposal.objects.get().pk]),
        reverse("memory-new"),
        reverse("history"),
        reverse("memories"),
        reverse("memories-search") + "?q=npm",
        reverse("memory", args=[memory.pk]),
        reverse("memory-edit", args=[memory.pk]),
        reverse("memory-delete", args=[memory.pk]),
        reverse("choices"),
        reverse("choices-settled"),
        reverse("choices-backtest"),
        reverse("choices-reset"),
        reverse("choices-quarantine"),
        reverse("point", args=[point]),
        reverse("knowledge"),
        reverse("note", args=[note.pk]),
        reverse("note-edit", args=[note.pk]),
        reverse("note-delete", args=[note.pk]),
        reverse("note-resident", args=[note.pk]),
        reverse("note-usage", args=[note.namespace_id]),
        reverse("note-files", args=[note.namespace_id]),
        reverse("note-new", args=[home]),
        reverse("summary", args=[home]),
        reverse("sessions"),
        reverse("session", args=[session.pk]),
        reverse("session-import"),
        reverse("insights"),
        reverse("settings"),
        reverse("settings-person"),
        reverse("key-new"),
        reverse("namespace", args=[home]),
        reverse("namespace-split", args=[workspace.pk]),
        reverse("policy", args=[home]),
        reverse("prompts"),
        reverse("prompt", args=[home, "extract"]),
        reverse("nights"),
        reverse("night", args=[ConsolidationRun.objects.get().pk]),
        reverse("data"),
        reverse("claude-code"),
        reverse("data-bring"),
        reverse("account-delete"),
    ]


def _named(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _named(each.url_patterns)
        else:
            yield each


def _answers_get(pattern: URLPattern) -> bool:
    """Acts refuse GET before they look at anything else."""
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    request.session = {}  # type: ignore[assignment]
    try:
        return bool(pattern.callback(request).status_code != 405)
    except TypeError:  # it wanted its arguments: it would have answered
        return True


def page_names() -> set[str]:
    """The names of every address that answers with a page of its own."""
    answering = {str(each.name) for each in _named([*urlpatterns, *plugging_in]) if _answers_get(each)}
    return answering - NO_PAGE


def test_no_page_is_forgotten(alice: User) -> None:
    seen = {resolve(address.partition("?")[0]).url_name for address in _pages()}
    assert page_names() == seen


@pytest.mark.timeout(420)
@pytest.mark.parametrize("width", [1280, 360])
def test_every_page_is_readable_for_everyone(
    open_as: Open, live_server: LiveServer, alice: User, width: int
) -> None:
    page = open_as(alice, width=width)
    for address in _pages():
        page.goto(live_server.url + address)
        look(page, address)


def test_at_twice_the_size_nothing_runs_out_of_the_page(
    open_as: Open, live_server: LiveServer, alice: User
) -> None:
    """What a screen of 1280 pixels shows at 200 %."""
    page = open_as(alice, width=640, height=400)
    for address in _pages():
        page.goto(live_server.url + address)
        fitting(page, address)


@pytest.mark.parametrize("width", [1280, 360])
def test_what_opens_on_the_review_page_is_readable_for_everyone(
    open_as: Open, alice: User, width: int
) -> None:
    page = open_as(alice, width=width)
    page.locator(".row:has(.pick)").first.locator("[data-act=source]").evaluate("link => link.click()")
    expect(page.locator("#panel .talk")).to_be_visible()
    look(page, "source")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.locator("#panel .similar")).to_be_visible()
    look(page, "similar")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#bulk .picked")).to_be_visible()
    look(page, "many")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.locator("[data-editor]")).to_be_visible()
    look(page, "editor")
    page.keyboard.press("Escape")
    expect(page.locator("[data-editor]")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator(".row [role=alert]").first).to_be_visible()
    look(page, "second press")
    page.keyboard.press("r")
    expect(page.locator("#toast .toast")).to_be_visible()
    look(page, "toast with reasons")


@pytest.mark.parametrize("width", [1280, 360])
def test_the_way_in_is_readable_for_everyone(open_as: Open, live_server: LiveServer, width: int) -> None:
    page = open_as(None, reverse("sign-in"), width=width)
    look(page, "sign-in")
    page.goto(live_server.url + reverse("sign-in-link", args=["EXAMPLE"]))
    look(page, "sign-in-link")
