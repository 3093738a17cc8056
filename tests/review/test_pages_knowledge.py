"""Knowledge: write, preview, read, replace, retire, restore and delete notes; write a summary."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.models import Namespace
from knowledge.models import Knowledge, Summary
from knowledge.services.expand import expand
from tests import build
from tests.knowledge import make
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(alice: User) -> Namespace:
    return build.workspace(alice, "api")


def form(**changes: Any) -> dict[str, Any]:
    typed = {
        "title": "Deploy checklist",
        "slug": "",
        "description": "Steps before a release;\nread it before you deploy.",
        "body": "1. Run the tests.\r\n2. Tag it.",
        "user_invocable": "on",
        "version": "0",
    }
    return typed | changes


def test_the_first_visit_says_how_notes_work(hers: Client, home: Namespace) -> None:
    answer = hers.get(reverse("knowledge"))
    assert "How notes work" in answer.text
    assert reverse("note-new", args=[home.pk]) in answer.text


def test_a_note_is_written_found_and_opened(hers: Client, home: Namespace) -> None:
    answer = hers.post(reverse("note-new", args=[home.pk]), form())
    note = Knowledge.objects.get()
    assert answer.headers["location"] == reverse("note", args=[note.pk])
    assert (note.slug, note.body) == ("deploy-checklist", "1. Run the tests.\n2. Tag it.")
    assert note.description == "Steps before a release; read it before you deploy."
    page = hers.get(reverse("note", args=[note.pk])).text
    assert "<li>Run the tests.</li>" in page
    assert "#deploy-checklist" in hers.get(reverse("knowledge"), {"q": "release"}).text
    assert "Nothing matches" in hers.get(reverse("knowledge"), {"q": "zebra"}).text


def test_everything_wrong_is_shown_at_its_field_and_what_was_typed_stays(
    hers: Client, home: Namespace
) -> None:
    answer = hers.post(reverse("note-new", args=[home.pk]), form(title="", slug="Bad Slug", body="kept"))
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"title", "slug"}
    assert "kept" in answer.text
    assert not Knowledge.objects.exists()


def test_a_preview_writes_nothing_and_shows_no_html_of_the_author(hers: Client, home: Namespace) -> None:
    answer = hers.post(
        reverse("note-new", args=[home.pk]), form(body="**bold** <script>alert(1)</script>", preview="1")
    )
    assert "<strong>bold</strong>" in answer.text
    assert "<script>alert" not in answer.text
    assert not Knowledge.objects.exists()


def test_an_edit_shows_its_history_and_refuses_an_old_version(
    hers: Client, alice: User, home: Namespace
) -> None:
    note = make.knowledge(home, alice)
    address = reverse("note-edit", args=[note.pk])
    changed = form(slug=note.slug, body="Ask first.", model_invocation="on", version="1")
    assert hers.post(address, changed).status_code == 302
    note.refresh_from_db()
    assert (note.body, note.model_invocation) == ("Ask first.", False)
    assert "<ins>" in hers.get(reverse("note", args=[note.pk])).text
    late = hers.post(address, changed)
    assert late.status_code == 422
    assert "alice" in late.text


def test_a_slug_that_is_easily_confused_is_pointed_out(hers: Client, alice: User, home: Namespace) -> None:
    make.knowledge(home, alice)
    address = reverse("note-new", args=[home.pk])
    warned = hers.post(address, form(slug="deploy-checklists"))
    assert (warned.status_code, Knowledge.objects.count()) == (422, 1)
    assert "Easily confused with #deploy-checklist." in warned.text
    again = hers.post(address, form(slug="deploy-checklists", sure="deploy-checklists"))
    assert (again.status_code, Knowledge.objects.count()) == (302, 2)
    other = hers.post(address, form(slug="deploy-checklistss", sure="deploy-checklists"))
    assert other.status_code == 422


def test_retire_restore_replace_and_delete(hers: Client, alice: User, home: Namespace) -> None:
    old, new = make.knowledge(home, alice, "old-way"), make.knowledge(home, alice, "new-way")
    hers.post(reverse("note-retire", args=[old.pk]), {"version": 1})
    hers.post(reverse("note-restore", args=[old.pk]), {"version": 2})
    hers.post(reverse("note-replace", args=[old.pk]), {"version": 3, "by": str(new.pk)})
    old.refresh_from_db()
    assert (old.status, old.replaced_by_id) == ("replaced", new.pk)
    assert "erased for good" in hers.get(reverse("note-delete", args=[old.pk])).text
    hers.post(reverse("note-delete", args=[old.pk]), {"version": 4})
    assert not Knowledge.objects.filter(pk=old.pk).exists()


def test_a_summary_is_written_and_a_second_window_is_told(hers: Client, home: Namespace) -> None:
    address = reverse("summary", args=[home.pk])
    assert hers.post(address, {"body": "# 概要\n\nCIはLinux。", "version": "0"}).status_code == 302
    assert "概要</h3>" in hers.get(address).text
    assert hers.post(address, {"body": "other", "version": "0"}).status_code == 422
    assert Summary.objects.get().body == "# 概要\n\nCIはLinux。"


def test_the_list_shows_uses_and_what_a_session_costs(hers: Client, alice: User, home: Namespace) -> None:
    agent_key = build.key(alice).key
    build.session(agent_key)
    note = make.knowledge(home, alice, model_invocation=True)
    expand(agent_key=agent_key, session="s1", text="#deploy-checklist", now=note.created_at)
    (shelf,) = [each for each in hers.get(reverse("knowledge")).context["shelves"] if each.rows]
    assert (shelf.rows[0].usage.uses, shelf.rows[0].usage.exposures) == (1, 1)
    assert shelf.cost == shelf.rows[0].resident_tokens > 0


def test_the_list_asks_the_same_number_of_queries_for_one_note_and_for_many(
    hers: Client, alice: User, home: Namespace, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        make.knowledge(home, alice, f"note-number-{number}")
    hers.get(reverse("knowledge"))
    with django_assert_max_num_queries(14):
        hers.get(reverse("knowledge"))


def test_a_stranger_finds_nothing_and_a_reader_only_reads(alice: User, home: Namespace) -> None:
    note = make.knowledge(home, alice)
    make.summary(home, alice, "About the api.")
    mallory, bob = build.person("mallory"), build.person("bob")
    share(home, alice, bob, "reader")
    theirs, his = signed_in(mallory), signed_in(bob)
    assert "deploy-checklist" not in theirs.get(reverse("knowledge")).text
    for name, key in (
        ("note", note),
        ("note-edit", note),
        ("note-delete", note),
        ("summary", home),
        ("note-new", home),
    ):
        assert theirs.get(reverse(name, args=[key.pk])).status_code == 404
    assert "deploy-checklist" in his.get(reverse("knowledge")).text
    assert his.get(reverse("summary", args=[home.pk])).status_code == 200
    for name, key in (("note-edit", note), ("note-delete", note), ("note-new", home)):
        assert his.get(reverse(name, args=[key.pk])).status_code == 403
    for client, status in ((theirs, 404), (his, 403)):
        assert client.post(reverse("note-retire", args=[note.pk]), {"version": 1}).status_code == status
        assert (
            client.post(reverse("summary", args=[home.pk]), {"body": "x", "version": "1"}).status_code
            == status
        )
    assert Summary.objects.get().body == "About the api."
