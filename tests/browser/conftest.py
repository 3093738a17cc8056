"""A real Chromium against the live server, with every console error and refused script counted as a failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from core.models import Namespace
from core.services.namespaces import persona_default

CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]

Open = Callable[..., Page]

# The first edit of a run loads the embedding model; on a busy machine five seconds are too few for that.
expect.set_options(timeout=20_000)

# Playwright's synchronous interface runs an event loop in this thread; Django's guard would take every query
# of the test itself for one inside a coroutine.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture
def home(alice: User) -> Namespace:
    """Alice's ``persona:default``."""
    return persona_default(user=alice, now=timezone.now())


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def open_as(chromium: Browser, live_server: LiveServer) -> Iterator[Open]:
    """``open_as(user, path, width=1280, dark=False, language="en", scripts=True)`` gives a signed-in page.

    ``refused``: the test sends forms that are meant to be refused, so that a status of 422 is no failure.
    """
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_page(
        user: User | None,
        path: str = "/settings/memory/",
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        language: str = "en",
        scripts: bool = True,
        refused: bool = False,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale={"en": "en-GB", "ja": "ja-JP"}[language],
            timezone_id="Asia/Tokyo",
            java_script_enabled=scripts,
            has_touch=width < 500,
            reduced_motion="reduce",
        )
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.on(
            "console",
            lambda said: (
                problems.append(f"{said.text} {said.location}")
                if said.type == "error" and not (refused and "status of 422" in said.text)
                else None
            ),
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(live_server.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems, "\n".join(problems)
