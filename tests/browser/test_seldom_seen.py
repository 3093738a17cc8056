"""Pages that few look at: those of somebody new, refusals, forms sent back, and the admin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext
from pytest_django.live_server_helper import LiveServer

from tests import build
from tests.browser.conftest import Open
from tests.browser.furnished import furnished
from tests.browser.looking import look, readable
from tests.knowledge import make
from tests.knowledge.nights import night
from tests.review.choosing import habit, misread

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BARE = [
    "review",
    "history",
    "memories",
    "memories-search",
    "choices",
    "choices-settled",
    "choices-backtest",
    "choices-reset",
    "choices-quarantine",
    "knowledge",
    "sessions",
    "insights",
    "settings",
    "prompts",
    "nights",
    "data",
    "claude-code",
]
# Where a form is sent to with nothing in it; browsers are told not to hold it back.
SENT_BACK = ["memory-new", "session-import", "key-new", "data-bring"]


@pytest.mark.parametrize("width", [1280, 360])
def test_somebody_new_finds_pages_that_say_how_to_begin(
    open_as: Open, live_server: LiveServer, width: int
) -> None:
    page = open_as(build.person("carol"), width=width)
    for name in BARE:
        page.goto(live_server.url + reverse(name))
        look(page, name)
        assert page.locator("main .filters").count() == (name == "memories-search"), name
        assert page.get_by_text("Nothing matches").count() == 0, name


@pytest.mark.parametrize("width", [1280, 360])
def test_a_form_sent_back_names_what_is_wrong(open_as: Open, live_server: LiveServer, width: int) -> None:
    page = open_as(furnished()[0], width=width, refused=True)
    for name in SENT_BACK:
        page.goto(live_server.url + reverse(name))
        page.locator("main form:not(.filters)").first.evaluate(
            "form => { form.noValidate = true; form.requestSubmit() }"
        )
        page.locator("main .error").first.wait_for()
        look(page, f"{name}, sent back")


@pytest.fixture
def unwatched(chromium: Browser) -> Iterator[BrowserContext]:
    """Pages whose console is nobody's concern: statuses of refusal, and what axe tries on Django's own pages."""
    context = chromium.new_context(reduced_motion="reduce", locale="en-GB")
    yield context
    context.close()


def test_refusals_are_pages_like_the_others(unwatched: BrowserContext, live_server: LiveServer) -> None:
    page = unwatched.new_page()
    for path, status in (("/nothing-stands-here/", 404), (reverse("undo"), 405)):
        answer = page.goto(live_server.url + path)
        assert answer is not None
        assert answer.status == status
        look(page, path)
    page.goto(live_server.url + reverse("sign-in"))
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("wrong EXAMPLE")
    page.get_by_role("button", name="Sign in").click()
    page.locator("[role=alert]").wait_for()
    look(page, "sign-in, sent back")


@pytest.mark.timeout(500)
def test_the_admin_is_readable_for_everyone(unwatched: BrowserContext, live_server: LiveServer) -> None:
    alice, home, key = furnished()
    make.knowledge(home, alice)
    night(home, timezone.now())
    habit(key, ["Tier M"] * 3)
    misread(key)
    Group.objects.create(name="repairers")
    client = Client()
    client.force_login(User.objects.create_superuser("operator"))
    unwatched.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page = unwatched.new_page()
    page.goto(live_server.url + reverse("admin:index"))
    readable(page, "index")
    for model, site in admin.site._registry.items():
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        addresses = [reverse(f"{label}_changelist")]
        if row is not None:
            addresses += [reverse(f"{label}_{door}", args=[quote(row.pk)]) for door in ("change", "history")]
        named = {each.name for each in site.get_urls()}
        repair = f"{label.removeprefix('admin:')}_repair"
        if row is not None and repair in named:
            addresses.append(reverse(f"admin:{repair}", args=[row.pk]))
        for address in addresses:
            page.goto(live_server.url + address)
            readable(page, address)
