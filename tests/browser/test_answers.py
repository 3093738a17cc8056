"""What forms answer: plans, problems, previews and trials, in both schemes and both widths."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import FilePayload, expect
from pytest_django.live_server_helper import LiveServer

from core.llm.scripted import ScriptedServer, says
from core.models import Namespace
from knowledge.services.night.notes import Notes
from tests.browser.conftest import Open
from tests.browser.looking import look
from tests.knowledge import make
from tests.knowledge.nights import DAWN, night, said

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = pytest.mark.parametrize("width", [1280, 360])
LONG = "averyveryverylongword" * 8


def _file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def _note(title: str, body: str, more: str = "") -> str:
    return f"---\ntitle: {title}\ndescription: What it is. Read it before you deploy.\n{more}---\n{body}\n"


@WIDTHS
def test_a_note_with_faults_and_its_preview_are_readable_for_everyone(
    open_as: Open, alice: User, shop: Namespace, width: int
) -> None:
    page = open_as(alice, reverse("note-new", args=[shop.pk]), width=width, refused=True)
    page.locator("[name=slug]").fill("日本語 Slug")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("A slug has lower-case letters")).to_be_visible()
    expect(page.locator("[name=slug]")).to_have_value("日本語 Slug")
    look(page, "faults")
    page.locator("[name=slug]").fill("deploy")
    page.locator("[name=title]").fill("Deploy " + LONG[:100])
    page.locator("[name=description]").fill("What it is. Read it before you deploy.")
    page.locator("[name=body]").fill(f"| a | b |\n| - | - |\n| {LONG} | `{LONG}` |")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("table")).to_be_visible()
    look(page, "preview")


@WIDTHS
def test_plans_of_note_files_are_readable_for_everyone(
    open_as: Open, live_server: LiveServer, alice: User, shop: Namespace, width: int
) -> None:
    make.knowledge(shop, alice, "deploy-checklist")
    page = open_as(alice, width=width, refused=True)

    def planned(what: str, *files: FilePayload) -> None:
        page.goto(live_server.url + reverse("note-files", args=[shop.pk]))
        page.locator("[type=file]").set_input_files(list(files))
        page.get_by_role("button", name="Show what would change").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(what)
        look(page, what)

    resident = _note("On call " + LONG[:60], "Call the platform group.", "model_invokation: true\n")
    planned("What would change", _file("on-call.md", resident))
    taken = _file("deploy-checklist.md", _note("Another one", "Another text."))
    planned("Some files cannot be taken", taken, _file("Bad_Slug.md", "nothing"), _file("9.md", LONG))


@WIDTHS
def test_the_trial_of_a_prompt_is_readable_for_everyone(
    open_as: Open, alice: User, shop: Namespace, model: ScriptedServer, width: int
) -> None:
    said(
        shop,
        alice,
        "Tag the release before every deploy to production.",
        "Deploys to production happen from the main branch only.",
        "A production deploy needs green migrations.",
        kind="pattern",
    )
    night(shop, DAWN + timedelta(days=1), (Notes(),))
    answer = {
        "title": "Deploying to production",
        "description": "Order of a production deploy. Read it before you deploy or release.",
        "body": "1. Tag the release.\n2. Check that the migrations are green.\n"
        "3. Deploy to production, from the main branch only.",
        "used": [1, 2],
    }
    model.steps.extend([says(answer), says("no json at all")])
    page = open_as(alice, reverse("prompt", args=[shop.pk, "consolidate"]), width=width)
    look(page, "prompt")
    for what in ("With the wording above", "not in the shape that Hikae reads"):
        page.get_by_role("button", name="Try it").click()
        expect(page.locator("#found ~ *", has_text=what).first).to_be_visible()
        look(page, what)


@WIDTHS
def test_what_settings_answer_is_readable_for_everyone(
    open_as: Open, live_server: LiveServer, alice: User, shop: Namespace, width: int
) -> None:
    page = open_as(alice, reverse("policy", args=[shop.pk]), width=width, refused=True)
    page.get_by_role("button", name="Try it on the last 30 days").click()
    expect(page.get_by_role("heading", name="What it would have done")).to_be_visible()
    look(page, "dry run")
    page.goto(live_server.url + reverse("namespace", args=[shop.pk]))
    page.get_by_role("textbox", name="User name", exact=True).fill("nobody")
    page.get_by_role("button", name="Add or change").click()
    expect(page.get_by_text("There is no person with this user name here.")).to_be_visible()
    expect(page.locator(".side nav a[aria-current]")).to_have_text("Settings")
    look(page, "nobody")
    page.goto(live_server.url + reverse("key-new"))
    page.locator("[name=name]").fill("laptop")
    page.get_by_role("button", name="Create the key").click()
    expect(page.get_by_text("This is the only time the key is shown")).to_be_visible()
    look(page, "key")
