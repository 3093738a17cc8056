"""Bring memories: chosen, planned and brought in a real browser; readable for everyone, and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from core.services.namespaces import persona_default
from integrations.archive.container import is_archive
from memory.models import Candidate
from tests import build
from tests.browser.conftest import Open
from tests.browser.looking import look
from tests.memory.recalling import remember

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DATA = Path(__file__).resolve().parents[1] / "data" / "imports"


@pytest.fixture
def alice() -> User:
    alice = build.person("alice")
    home = persona_default(user=alice, now=timezone.now())
    remember(home, "Works on the billing service with Python")
    build.workspace(alice, "a-workspace-with-quite-a-long-name-for-a-phone")
    return alice


def choose(page: Page, *names: str) -> None:
    page.get_by_label("Files").set_input_files([DATA / name for name in names])
    page.get_by_role("button", name="Show the plan").click()
    expect(page.get_by_role("heading", name="The plan")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_the_way_is_readable_for_everyone(open_as: Open, alice: User, width: int) -> None:
    page = open_as(alice, reverse("data-bring"), width=width)
    look(page, "bring")
    choose(page, "mem0.json")
    expect(page.get_by_text("6 entries, 2 of them worth your look")).to_be_visible()
    look(page, "plan")
    page.get_by_role("button", name="Bring 2 entries").click()
    expect(page.get_by_role("heading", name="Brought")).to_be_visible()
    look(page, "brought")
    assert Candidate.objects.filter(source="import").count() == 2
    page.goto(page.url.partition("/settings/")[0] + reverse("data-bring"))
    choose(page, "mem0.json")
    expect(page.get_by_role("heading", name="There is nothing new to bring")).to_be_visible()
    look(page, "nothing new")


def test_it_works_without_scripts_and_an_archive_is_downloaded(
    open_as: Open, alice: User, tmp_path: Path
) -> None:
    page = open_as(alice, reverse("data"), scripts=False)
    with page.expect_download() as given:
        page.get_by_role("button", name="Archive persona:default").click()
    archive = tmp_path / "archive.zip"
    given.value.save_as(archive)
    with archive.open("rb") as held:
        assert is_archive(held)
    page.get_by_role("link", name="Bring memories").click()
    choose(page, "mcp_memory.jsonl")
    page.get_by_label("I have reviewed these").check()
    page.get_by_role("button", name="Bring 3 entries").click()
    expect(page.get_by_text("reviewed by you")).to_be_visible()
